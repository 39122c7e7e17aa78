import { InputError } from "../src/util/errors.ts";
import { BrokenInvariant, type Target } from "./target.ts";

/** What became of an input: accepted or refused as it should be, or a defect with what tells it from others. */
export type Verdict = { readonly kind: "accepted" | "refused" } | Defect;

export interface Defect {
  readonly kind: "defect";
  /** The same for all inputs that fail in the same way. */
  readonly signature: string;
  readonly report: string;
}

/** Hands an input to a target and judges what it does. */
export async function judge(target: Target, input: Buffer, scratch: string, variant: number): Promise<Verdict> {
  try {
    await target.run(input, scratch, variant);
    return { kind: "accepted" };
  } catch (error) {
    if (!(error instanceof InputError)) return defectOf(error);
    const fault = faultOfMessage(error.message);
    return fault === undefined ? { kind: "refused" } : { kind: "defect", signature: fault, report: error.message };
  }
}

/** Messages are one line, short, and steer no terminal. */
function faultOfMessage(message: string): string | undefined {
  if (message.length > 7000) return "a message of more than 7000 characters";
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(message)) return "a message with control characters";
  return undefined;
}

function defectOf(error: unknown): Defect {
  const name = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const frame = /at .*?\(?([^()\s]*(?:src|fuzz)\/[^()\s]*?)(?::\d+)?\)?$/m.exec(stack)?.[1] ?? "nowhere";
  const place = frame.replace(/^.*\/((?:src|fuzz)\/)/, "$1");
  const rule = error instanceof BrokenInvariant ? message.split(":")[0] : message.replaceAll(/[\d"'`].*$/gm, "…");
  return { kind: "defect", signature: `${name}: ${rule} at ${place}`.slice(0, 300), report: stack || message };
}
