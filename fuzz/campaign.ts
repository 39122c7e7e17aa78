import type { Defect } from "./judge.ts";
import type { Counts, FromWorker, Order } from "./messages.ts";
import { type Limits, watched } from "./watchdog.ts";

/** A defect with the input that shows it, made small where that could be done. */
export interface Finding {
  readonly target: string;
  readonly number: number;
  readonly signature: string;
  readonly report: string;
  readonly input: Buffer;
  readonly variant: number;
}

export interface Campaign {
  readonly seed: number;
  readonly scratch: string;
  readonly limits: Limits;
  readonly found: (finding: Finding) => void;
}

export interface Slice {
  readonly target: string;
  readonly first: number;
  readonly end: number;
  readonly milliseconds: number;
}

export interface SliceResult {
  readonly next: number;
  readonly accepted: number;
  readonly refused: number;
  /** Inputs that seemed to hang, crash or grow, and were looked at alone. */
  readonly suspected: number;
}

/** A process that has grown so far by many inputs starts anew; growth by one input is looked at alone. */
const largestProcess = 700e6;

/** Works through numbered inputs of a target, past everything that fails, until the time or the inputs are used up. */
export async function runSlice(slice: Slice, campaign: Campaign): Promise<SliceResult> {
  const { seed, scratch, limits } = campaign;
  const { target, end } = slice;
  const deadline = Date.now() + slice.milliseconds;
  const result = { next: slice.first, accepted: 0, refused: 0, suspected: 0 };
  const known = new Set<string>();
  while (result.next < end && Date.now() < deadline) {
    const defects: { number: number; defect: Defect }[] = [];
    const suspects: number[] = [];
    const order: Order = {
      ...{ kind: "many", target, scratch, seed, first: result.next, end },
      ...{ milliseconds: deadline - Date.now(), memory: largestProcess },
    };
    let counts: Counts = { accepted: 0, refused: 0 };
    let finished: Extract<FromWorker, { kind: "done" | "broken" }> | undefined;
    const ending = await watched(order, { ...limits, memory: 2 * largestProcess }, (message) => {
      if (message.kind === "verdict" && message.verdict.kind === "defect")
        defects.push({ number: message.number, defect: message.verdict });
      if (message.kind === "begin" || message.kind === "done") counts = message.counts;
      if (message.kind === "large") suspects.push(message.number);
      if (message.kind === "done" || message.kind === "broken") finished = message;
    });
    if (finished?.kind === "broken") throw new Error(`${target}: ${finished.reason}`);
    if (finished?.kind === "done") {
      result.next = finished.next;
    } else if (ending.kind !== "done") {
      if (ending.number < 0) throw new Error(`${target}: its seeds cannot be made: ${ending.detail}`);
      suspects.push(ending.number);
      result.next = ending.number + 1;
    }
    result.accepted += counts.accepted;
    result.refused += counts.refused;
    result.suspected += suspects.length;
    for (const { number, defect } of defects) {
      if (known.has(defect.signature)) continue;
      known.add(defect.signature);
      await report(target, number, defect, campaign);
    }
    for (const number of suspects) await examine(target, number, campaign);
  }
  return result;
}

async function report(target: string, number: number, defect: Defect, campaign: Campaign): Promise<void> {
  const { seed, scratch, limits, found } = campaign;
  const { signature, report: text } = defect;
  const small = await inputOf({ kind: "minimise", target, scratch, seed, number, signature }, limits);
  found({ target, number, signature, report: text, ...small });
}

/** Looks at an input that seems to hang, crash or grow, in a process of its own. */
async function examine(target: string, number: number, { seed, scratch, limits, found }: Campaign): Promise<void> {
  const plain = await inputOf({ kind: "input", target, scratch, seed, number }, limits);
  const order: Order = {
    kind: "one",
    target,
    scratch,
    input: plain.input.toString("base64"),
    variant: plain.variant,
  };
  const ending = await watched(order, limits, () => {});
  if (ending.kind === "done") return;
  const signature = `${ending.kind} ${ending.kind === "crash" ? ending.detail.slice(0, 200) : ""}`.trim();
  found({ target, number, signature, report: ending.detail, ...plain });
}

async function inputOf(order: Order, limits: Limits): Promise<{ input: Buffer; variant: number }> {
  let given: { input: Buffer; variant: number } | undefined;
  await watched(order, { ...limits, time: 60_000 }, (message) => {
    if (message.kind === "input") given = { input: Buffer.from(message.input, "base64"), variant: message.variant };
  });
  if (given === undefined && order.kind === "minimise") return inputOf({ ...order, kind: "input" }, limits);
  return given ?? { input: Buffer.alloc(0), variant: 0 };
}
