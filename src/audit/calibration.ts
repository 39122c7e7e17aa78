/** What speaks for a type at a span. */
export interface Evidence {
  /** How probable a label of this type is. */
  readonly label: number;
  /** The text of the span is labelled so elsewhere: labels of new names and of known ones are not equally often missing. */
  readonly seen: boolean;
  /** How far the text is an ordinary word, from 0 to 1: labels of such are repeated, and are no sign of an entity. */
  readonly ordinary: number;
}

/** Turns how probable a label is into how probable an entity is. Never falls. */
export type Calibration = (evidence: Evidence) => number;

/** What was found where the evidence was so strong: 1 for an entity, 0 for none. */
export interface Outcome {
  readonly evidence: Evidence;
  readonly outcome: number;
}

/** No evidence is worth more than this. */
const surest = 0.98;

/**
 * Without text whose annotation is complete: of the entities, the annotation labels the share that models give to what is
 * labelled (Elkan and Noto 2008, their first estimate), taken for known names and for new ones by themselves. Uncertain
 * models make this share look smaller than it is.
 */
export function calibrateByLabels(labelled: readonly Evidence[]): Calibration {
  return bySeen(
    labelled,
    ({ seen }) => seen,
    (own) => {
      const share = Math.max(1e-3, own.reduce((sum, { label }) => sum + label, 0) / Math.max(1, own.length));
      return (label) => Math.min(1, label / share);
    },
  );
}

/** By text whose annotation is complete: isotonic regression of what was found on the evidence. */
export function calibrateByOutcomes(outcomes: readonly Outcome[]): Calibration {
  return bySeen(
    outcomes,
    ({ evidence }) => evidence.seen,
    (own) => {
      const blocks = isotonic(own);
      return (label) => interpolated(blocks, label);
    },
  );
}

/** With fewer examples, known names and new ones are not told apart. */
const enoughExamples = 20;

/** A calibration for each kind of name; stronger evidence comes first also where it makes no difference. */
function bySeen<T>(
  examples: readonly T[],
  isSeen: (example: T) => boolean,
  calibrate: (examples: readonly T[]) => (label: number) => number,
): Calibration {
  const [known, other] = [true, false].map((seen) => {
    const own = examples.filter((example) => isSeen(example) === seen);
    return calibrate(own.length < enoughExamples ? examples : own);
  }) as [(label: number) => number, (label: number) => number];
  return ({ label, seen, ordinary }) =>
    (1 - ordinary) * (surest * (seen ? known : other)(label) + (1 - surest) * label);
}

/** Outcomes whose means do not rise, pooled into one: the mean label and the mean outcome. */
interface Block {
  readonly label: number;
  readonly outcome: number;
  readonly count: number;
}

/** Pools neighbours that violate the order until none does. */
export function isotonic(outcomes: readonly Outcome[]): readonly Block[] {
  const blocks: Block[] = [];
  for (const { evidence, outcome } of outcomes.toSorted((a, b) => a.evidence.label - b.evidence.label)) {
    let block: Block = { label: evidence.label, outcome, count: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.outcome >= block.outcome; last = blocks.at(-1)) {
      blocks.pop();
      const count = last.count + block.count;
      block = {
        label: (last.label * last.count + block.label * block.count) / count,
        outcome: (last.outcome * last.count + block.outcome * block.count) / count,
        count,
      };
    }
    blocks.push(block);
  }
  return blocks;
}

function interpolated(blocks: readonly Block[], label: number): number {
  let [after, end] = [0, blocks.length];
  while (after < end) {
    const middle = (after + end) >> 1;
    if (blocks[middle]!.label < label) after = middle + 1;
    else end = middle;
  }
  if (after === blocks.length) return blocks.at(-1)?.outcome ?? label;
  const [left, right] = [blocks[after - 1] ?? { label: 0, outcome: 0 }, blocks[after]!];
  const width = right.label - left.label;
  return width === 0 ? right.outcome : left.outcome + ((label - left.label) / width) * (right.outcome - left.outcome);
}
