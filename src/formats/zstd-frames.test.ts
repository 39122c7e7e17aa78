import { expect, it } from "vitest";
import { wholeFrames } from "./zstd-frames.ts";

/** Two frames as zstd wrote them, the second with a checksum, and between them one that readers pass over. */
const frames = [
  Buffer.from("KLUv/WD4AdUAAJhBZGEgbGl2ZXMgaW4gUm9tZS4KAQDFWTXD", "base64"),
  Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]),
  Buffer.from(
    "KLUv/STnRQQAck0eFLAlxQagNRaZEACQ3LS5cnecGZ0IdztXsY4spFif/CaRjMf05+iIRNMyse5ZiXWXseFd5GgY4Vv5Lgt7NhMhlVxC6L/2kqRil+3YTFkzQS3vaj5G3FCpWLUKsxNmQ7KwCf37lRQvKXvpWa8Or3cGBcMAgQIDAAsBgwMAB8sJymAm8a2KAk48IlQ=",
    "base64",
  ),
];
const file = Buffer.concat(frames);

async function passed(bytes: Buffer, size: number): Promise<Buffer> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: Buffer[] = [];
  for await (const chunk of wholeFrames(chunks(), "a.zst")) found.push(chunk);
  return Buffer.concat(found);
}

it.each([1, 2, 3, 5, 1000])("a whole file passes as it is, in pieces of %i bytes", async (size) => {
  expect((await passed(file, size)).equals(file)).toBe(true);
});

it("a file that was cut off is refused wherever it was, except between frames", async () => {
  const borders = [0, frames[0]!.length, frames[0]!.length + frames[1]!.length];
  for (let length = 0; length < file.length; length++) {
    const result = passed(file.subarray(0, length), 7);
    if (borders.includes(length)) await expect(result).resolves.toHaveLength(length);
    else await expect(result).rejects.toThrow("a.zst: cannot be unpacked: it ends inside a frame; it was cut off");
  }
});
