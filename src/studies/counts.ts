import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RunCounts } from "../evaluation/index.ts";

/** Counts of sentences as a short text: 16-bit numbers (correct, predicted, gold), deflated, in base 64. */
export function packCounts(counts: RunCounts): string {
  const bytes = Buffer.alloc(6 * counts.length);
  counts.forEach(({ correct, predicted, gold }, i) => {
    [correct, predicted, gold].forEach((count, j) => {
      bytes.writeUInt16LE(count, 6 * i + 2 * j);
    });
  });
  return deflateRawSync(bytes).toString("base64");
}

export function unpackCounts(text: string): RunCounts {
  const bytes = inflateRawSync(Buffer.from(text, "base64"));
  return Array.from({ length: bytes.length / 6 }, (_, i) => ({
    correct: bytes.readUInt16LE(6 * i),
    predicted: bytes.readUInt16LE(6 * i + 2),
    gold: bytes.readUInt16LE(6 * i + 4),
  }));
}
