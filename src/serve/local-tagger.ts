import { Recogniser, type Tagging, taggedEntities } from "../inference/index.ts";
import { tokenise } from "../text/index.ts";
import {
  type BatchOptions,
  type BatchRecord,
  type ModelOptions,
  type Tagged,
  type Tagger,
  TaggingFailed,
  type TagJob,
} from "./tagger.ts";

/** Tokens of one text in a batch before others have their turn: a long document does not hold up short ones. */
const tokensOfOne = 512;

/** Opens a model in this process. */
export async function localTagger(
  { directory, parts, threads, batch }: ModelOptions,
  see: (batch: BatchRecord) => void = () => {},
): Promise<Tagger> {
  const recogniser = await Recogniser.load(directory, { parts, ...(threads !== undefined && { threads }) });
  const { tag, idle, load } = batcher(recogniser, batch, see);
  return {
    types: recogniser.types,
    get load() {
      return load();
    },
    tag,
    async close() {
      await idle();
      await recogniser.dispose();
    },
  };
}

interface Entry {
  readonly job: TagJob;
  readonly tagging: Tagging;
  readonly signal: AbortSignal;
  resolve(tagged: Tagged): void;
  reject(reason: unknown): void;
}

/**
 * Brings texts together that come within a few milliseconds of each other. While the model works, those that come wait
 * for its next turn, which follows at once. Every text keeps its own tagging: no answer can reach another client.
 */
export function batcher(
  recogniser: Pick<Recogniser, "begin" | "advance">,
  { wait, tokens }: BatchOptions,
  see: (batch: BatchRecord) => void,
) {
  let queue: Entry[] = [];
  let running: Promise<void> | undefined;
  let [load, waitingTokens] = [0, 0];
  let isFull = (): void => {};

  const tag = (job: TagJob, signal: AbortSignal): Promise<Tagged> =>
    new Promise<Tagged>((resolve, reject) => {
      load += job.text.length;
      const tagging = begun(job);
      queue.push({ job, tagging, signal, resolve, reject });
      waitingTokens += tagging.tokens;
      if (waitingTokens >= tokens) isFull();
      signal.addEventListener("abort", endVainWait, { once: true });
      running ??= run();
    }).finally(() => {
      load -= job.text.length;
      signal.removeEventListener("abort", endVainWait);
    });

  /** Nobody is left whom more company would serve. */
  function endVainWait(): void {
    if (queue.every((entry) => entry.signal.aborted)) isFull();
  }

  function begun({ text, decode }: TagJob): Tagging {
    try {
      return recogniser.begin(tokenise(text).sentences, decode);
    } catch {
      throw new TaggingFailed();
    }
  }

  async function run(): Promise<void> {
    if (waitingTokens < tokens)
      await atMost(wait, (full) => {
        isFull = full;
      });
    for (leaveOutAborted(); queue.length > 0; leaveOutAborted()) await step();
    waitingTokens = 0;
    running = undefined;
  }

  function leaveOutAborted(): void {
    for (const { signal, reject } of queue) if (signal.aborted) reject(signal.reason);
    queue = queue.filter(({ signal }) => !signal.aborted);
  }

  async function step(): Promise<void> {
    const members = [...queue];
    const before = members.map(({ tagging }) => tagging.done);
    const start = performance.now();
    try {
      const done = await recogniser.advance(
        members.map(({ tagging }) => tagging),
        { tokens, each: tokensOfOne },
      );
      const took = members.filter(({ tagging }, i) => tagging.done > before[i]! || tagging.isFinished);
      if (done > 0) see({ texts: took.length, tokens: done, seconds: (performance.now() - start) / 1000 });
      for (const entry of took) if (entry.tagging.isFinished) settle(entry, entry.tagging);
      // Those that came meanwhile stand behind `members`; those that had a turn go behind them.
      const served = new Set(took);
      queue = [...queue.filter((entry) => !served.has(entry)), ...took.filter(({ tagging }) => !tagging.isFinished)];
    } catch {
      for (const entry of members) await alone(entry);
      queue = queue.slice(members.length);
    }
  }

  /** A text that the model cannot take must not spoil the answers of those that were with it. */
  async function alone(entry: Entry): Promise<void> {
    try {
      const tagging = begun(entry.job);
      while (!tagging.isFinished && !entry.signal.aborted) await recogniser.advance([tagging], { tokens });
      if (entry.signal.aborted) entry.reject(entry.signal.reason);
      else settle(entry, tagging);
    } catch {
      entry.reject(new TaggingFailed());
    }
  }

  return {
    tag,
    load: () => load,
    idle: async () => {
      while (running !== undefined) await running;
    },
  };
}

function settle({ resolve }: Entry, tagging: Tagging): void {
  resolve({ entities: taggedEntities(tagging.result()), tokens: tagging.tokens });
}

/** Waits so many milliseconds, or until the callback that is handed out is called. */
function atMost(milliseconds: number, handOut: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    handOut(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
