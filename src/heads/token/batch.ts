import type { Encoder } from "../../encoders/index.ts";
import { isCandidate } from "../../text/index.ts";
import { keyOf } from "../../util/random.ts";
import type { Batch, BatchCounts, Visit } from "../head.ts";
import { longest } from "../span/grid.ts";
import { allowedTags } from "./allowed-tags.ts";
import type { TokenItem } from "./items.ts";
import { type RoleOptions, type TokenRoles, type TokenSupervision, tokenRoles } from "./roles.ts";

/** Items as numbers, and what they hold. */
export function tokenBatch(
  items: readonly TokenItem[],
  encoder: Encoder,
  options: RoleOptions,
  supervision: TokenSupervision,
  visit: Visit,
): { readonly batch: Batch; readonly counts: BatchCounts } {
  const sentences = items.map(({ sentence }) => sentence);
  const { feeds, lookups } = encoder.batch(sentences);
  const roles = items.map((item) => tokenRoles(item, options, visit));
  const time = longest(sentences);
  const keys = items.map(({ id }) => keyOf(visit.seed, "dropout", visit.epoch, id) | 0);
  return {
    counts: countTokens(items, roles),
    batch: {
      lookups,
      feeds: {
        ...feeds,
        ...roleFeeds(roles, time, options, supervision),
        ...(supervision.open && { "token.open": openTags(items, time, options) }),
        noise: { data: Int32Array.from(keys), shape: [items.length] },
        epoch: { data: Float32Array.of(visit.epoch), shape: [] },
      },
    },
  };
}

function roleFeeds(
  roles: readonly TokenRoles[],
  time: number,
  { tagSet: { size: tags }, settings }: RoleOptions,
  { constrained, soft }: TokenSupervision,
): Batch["feeds"] {
  const isOpen = settings.soft === "cross-entropy";
  const size = roles.length * time;
  const [labels, kept, weights] = [new Int32Array(size), new Float32Array(size), new Float32Array(size)];
  roles.forEach((role, b) => {
    labels.set(role.tags, b * time);
    kept.set(role.kept, b * time);
    weights.set(role.weights, b * time);
  });
  const shape = [roles.length, time];
  return {
    "token.labels": { data: labels, shape },
    "token.kept": { data: kept, shape },
    "token.weights": { data: weights, shape },
    ...(constrained && { "token.allowed": { data: sharesOf(roles, time, tags, isOpen), shape: [...shape, tags] } }),
    ...(soft && { "token.targets": { data: targets(roles, time, tags), shape: [...shape, tags] } }),
  };
}

/** `[batch, time, tags]`: a token's own tag, or its shares; at padding, and where a teacher has a loss of its own, any tag will do. */
function sharesOf(roles: readonly TokenRoles[], time: number, tags: number, isOpen: boolean): Float32Array {
  const allowed = new Float32Array(roles.length * time * tags);
  roles.forEach((role, b) => {
    role.tags.forEach((tag, token) => {
      const row = (b * time + token) * tags;
      const several = role.shares.get(token);
      if (isOpen && role.taught.has(token)) allowed.fill(1, row, row + tags);
      else if (several) allowed.set(several, row);
      else allowed[row + tag] = 1;
    });
    allowed.fill(1, (b * time + role.tags.length) * tags, (b + 1) * time * tags);
  });
  return allowed;
}

/** `[batch, time, tags]`: a teacher's shares, zeros where there are none. */
function targets(roles: readonly TokenRoles[], time: number, tags: number): Float32Array {
  const result = new Float32Array(roles.length * time * tags);
  roles.forEach(({ shares, taught }, b) => {
    for (const token of taught) result.set(shares.get(token)!, (b * time + token) * tags);
  });
  return result;
}

/** `[batch, time, tags]`: what the annotation leaves to each token, zeros at padding. */
function openTags(items: readonly TokenItem[], time: number, { tagSet, sets }: RoleOptions): Batch["feeds"][string] {
  const data = new Float32Array(items.length * time * tagSet.size);
  items.forEach((item, b) => {
    data.set(allowedTags(item, tagSet, sets), b * time * tagSet.size);
  });
  return { data, shape: [items.length, time, tagSet.size] };
}

/** Negatives are unknown tokens that train as no part of an entity, under O or NON. */
function countTokens(items: readonly TokenItem[], roles: readonly TokenRoles[]): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  items.forEach(({ states, entities, hidden }, b) => {
    const { shares, kept } = roles[b]!;
    tokens += states.length;
    positives += entities.length;
    states.forEach((state, token) => {
      if (!isCandidate(state) || shares.has(token) || !kept[token]) return;
      negatives++;
      if (hidden?.[token]) missampled++;
    });
  });
  return { tokens, positives, negatives, missampled };
}
