import { spanArrays, spanGrid } from "../heads/pure.ts";
import type { Feeds, InputSpec } from "../inputs/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";

/** All spans of sentences, where a model reads spans. */
export function spanFeeds(specs: readonly InputSpec[], sentences: readonly Sentence[]): Feeds {
  const spec = specs.find((each) => each.kind === "spans");
  if (!spec) return {};
  const grids = sentences.map((sentence) => ({ grid: spanGrid(tokenCount(sentence), spec.maxWidth) }));
  const all = grids.map(({ grid }) => Int32Array.from({ length: grid.size }, (_, index) => index));
  const { starts, ends, width } = spanArrays(grids, all);
  const shape = [sentences.length, width];
  return { [spec.starts]: { data: starts, shape }, [spec.ends]: { data: ends, shape } };
}
