import type { Items } from "../head.ts";

/** One item for each token. */
export function tokensOf(length: number): Items {
  return {
    size: length,
    starts: () => Int32Array.from({ length }, (_, token) => token),
    ends: () => Int32Array.from({ length }, (_, token) => token + 1),
  };
}
