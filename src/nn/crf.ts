import {
  add,
  constant,
  gradients,
  greater,
  log,
  logSumExp,
  matmul,
  minus,
  mul,
  oneHot,
  pad,
  reshape,
  scan,
  slice,
  sub,
  sum,
  type Tensor,
  transpose,
  unsqueeze,
  where,
} from "../tensor/index.ts";
import { type Chain, impossible, type Legal, legalChain } from "./chain.ts";
import { zero } from "./initialise.ts";
import { widthOf } from "./layers.ts";
import type { ParameterStore, Parameters } from "./parameters.ts";

/** Declares the scores of a chain, forbidden transitions included when `legal` says which they are. */
export function crf(
  params: Parameters,
  name: string,
  tags: number,
  { legal = () => true }: { readonly legal?: Legal } = {},
): Chain<Tensor> {
  const barred = legalChain(tags, legal);
  const scores = (part: keyof Chain<unknown>, shape: readonly number[]): Tensor => {
    const declared = params.declare(`${name}.${part}`, shape, zero);
    return barred[part].some((penalty) => penalty !== 0) ? add(declared, constant(barred[part], shape)) : declared;
  };
  return {
    transitions: scores("transitions", [tags, tags]),
    start: scores("start", [tags]),
    end: scores("end", [tags]),
  };
}

/** The same scores as arrays, for decoding; what is barred is given, since it stays the same while weights change. */
export function chainScores(
  store: ParameterStore,
  name: string,
  barred?: Chain<ArrayLike<number>>,
): Chain<Float32Array> {
  const scores = (part: keyof Chain<unknown>): Float32Array => {
    const learned = store.get(`${name}.${part}`);
    return barred ? learned.map((score, i) => score + barred[part][i]!) : learned;
  };
  return { transitions: scores("transitions"), start: scores("start"), end: scores("end") };
}

/** Shares of the scores that count at each position; all of them where none are given. */
export interface ChainWeights {
  /** Of the emissions: `[batch, time]`. */
  readonly emission?: Tensor;
  /** Of the transition into a position, at the first one of `start`: `[batch, time]`. */
  readonly entry?: Tensor;
  /** Of `end`: `[batch]`. */
  readonly end?: Tensor;
}

export interface ChainOptions {
  /**
   * 1 where a tag is allowed and 0 where it is not, `[batch, time, tags]`; all are when not given. A number between is
   * the tag's share: its logarithm is added to the score.
   */
  readonly allowed?: Tensor;
  readonly weights?: ChainWeights;
}

/** log Σ exp(score) over all tag sequences, or over those that are allowed. */
export function logPartition(
  chain: Chain<Tensor>,
  emissions: Tensor,
  mask: Tensor,
  options: ChainOptions = {},
): Tensor {
  return partition(chain, tagScores(emissions, options), mask, options.weights);
}

/** The probability of each tag at each position, `[batch, time, tags]`: the gradient of the log-partition. 0 at padding. */
export function marginals(chain: Chain<Tensor>, emissions: Tensor, mask: Tensor, options: ChainOptions = {}): Tensor {
  const scores = tagScores(emissions, options);
  return gradients(sum(partition(chain, scores, mask, options.weights)), [scores])[0]!;
}

/** The score of a tag sequence, `tags` being int32 `[batch, time]`; what stands at padding does not matter. */
export function sequenceScore(
  chain: Chain<Tensor>,
  emissions: Tensor,
  mask: Tensor,
  tags: Tensor,
  weights: ChainWeights = {},
): Tensor {
  const { first, last } = ends(mask);
  const chosen = mul(oneHot(tags, widthOf(emissions)), unsqueeze(mask, -1));
  const entries = add(matmul(previous(chosen), chain.transitions), mul(unsqueeze(first, -1), chain.start));
  const exits = mul(unsqueeze(weights.end ? mul(last, unsqueeze(weights.end, -1)) : last, -1), chain.end);
  const scores = add(add(weighted(emissions, weights.emission), weighted(entries, weights.entry)), exits);
  return sum(mul(chosen, scores), { axes: [1, 2] });
}

/** log p(tags | emissions) for each sentence. */
export function logLikelihood(
  chain: Chain<Tensor>,
  emissions: Tensor,
  mask: Tensor,
  tags: Tensor,
  weights: ChainWeights = {},
): Tensor {
  return sub(sequenceScore(chain, emissions, mask, tags, weights), logPartition(chain, emissions, mask, { weights }));
}

/** log of the probability that every tag is among those allowed at its position (a partial CRF: Tsuboi et al. 2008). */
export function constrainedLogLikelihood(
  chain: Chain<Tensor>,
  emissions: Tensor,
  mask: Tensor,
  allowed: Tensor,
  weights: ChainWeights = {},
): Tensor {
  return sub(
    logPartition(chain, emissions, mask, { allowed, weights }),
    logPartition(chain, emissions, mask, { weights }),
  );
}

/** What stands one position earlier, 0 at the first: `[batch, time, …]`. */
export function previous(x: Tensor): Tensor {
  return pad(slice(x, 1, 0, minus(x.shape[1]!, 1)), 1, 1, 0);
}

/** Ones at the first position of each sentence, and at the last: `[batch, time]`. */
export function ends(mask: Tensor): { first: Tensor; last: Tensor } {
  const next = pad(slice(mask, 1, 1, mask.shape[1]!), 1, 0, 1);
  return { first: mul(mask, sub(1, previous(mask))), last: mul(mask, sub(1, next)) };
}

function tagScores(emissions: Tensor, { allowed, weights }: ChainOptions): Tensor {
  const scores = weighted(emissions, weights?.emission);
  if (!allowed) return scores;
  const some = greater(allowed, 0);
  return add(scores, where(some, log(where(some, allowed, 1)), impossible));
}

/**
 * The forward recursion in log space. It starts from the first tag and walks over all positions, the first included:
 * where there is no step from one tag to the next (there, and at padding) the state stays as it is. So sentences of one
 * token need no loop of length zero.
 */
function partition(
  { transitions, start, end }: Chain<Tensor>,
  scores: Tensor,
  mask: Tensor,
  { entry, end: exit }: ChainWeights = {},
): Tensor {
  const tags = widthOf(scores);
  const into = transpose(transitions); // [to, from]
  const begun = atFirst(mask); // [batch, 1]
  const opening = add(atFirst(scores), entry ? mul(atFirst(entry), start) : start);
  const empty = constant([0, ...new Array<number>(tags - 1).fill(impossible)]);
  const steps = greater(mul(mask, previous(mask)), 0.5);
  const byTime = (x: Tensor): Tensor => unsqueeze(transpose(x), -1); // [time, batch, 1]
  const { carries } = scan(
    [where(greater(begun, 0.5), opening, empty)],
    [transpose(scores, [1, 0, 2]), byTime(steps), ...(entry ? [byTime(entry)] : [])],
    ([reached], [score, step, weight]) => {
      const moves = weight ? mul(unsqueeze(weight, -1), into) : into;
      const moved = logSumExp(add(unsqueeze(reached!, 1), moves), { axes: -1 });
      return { carries: [where(step!, add(moved, score!), reached!)] };
    },
  );
  const closing = mul(exit ? unsqueeze(exit, -1) : begun, end);
  return logSumExp(add(carries[0]!, closing), { axes: -1 });
}

/** The first position: `[batch, time]` → `[batch, 1]`, `[batch, time, tags]` → `[batch, tags]`. */
function atFirst(x: Tensor): Tensor {
  const first = slice(x, 1, 0, 1);
  return x.shape.length === 2 ? first : reshape(first, [x.shape[0]!, widthOf(x)]);
}

function weighted(scores: Tensor, weight: Tensor | undefined): Tensor {
  return weight ? mul(scores, unsqueeze(weight, -1)) : scores;
}
