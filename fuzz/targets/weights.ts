import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Segment, writeSegment } from "../../src/encoders/features/segment.ts";
import { PyTorchFile } from "../../src/encoders/pytorch/index.ts";
import { torchSave } from "../../src/encoders/pytorch/torch-save.suite.ts";
import { readVectorFile } from "../../src/encoders/word-vector-files.ts";
import { parsePythonLiteral, pythonString } from "../../src/formats/python-literal.ts";
import { readSafetensors, writeSafetensors } from "../../src/util/safetensors.ts";
import { ensure, ensureEqual, type Target } from "../target.ts";

const vectors = (ending: string, shape: Target["shape"], seeds: readonly (string | Buffer)[]): Target => ({
  name: `vectors-${ending}`,
  shape,
  seeds: async () => seeds.map((seed) => Buffer.from(seed as string)),
  async run(input, scratch) {
    const file = join(scratch, `vectors.${ending}`);
    writeFileSync(file, input);
    const { words, width, values } = await readVectorFile(file);
    ensure(values.length === words.length * width, "vectors: not as many numbers as words need");
  },
});

const binary = Buffer.concat([
  Buffer.from("3 4\n"),
  ...["ana", "lisbon", "東京"].map((word, i) =>
    Buffer.concat([Buffer.from(`${word} `), Buffer.from(Float32Array.from([i, 1, 2, 3]).buffer), Buffer.from("\n")]),
  ),
]);

export const weightTargets: readonly Target[] = [
  {
    name: "safetensors",
    shape: "bytes",
    async seeds(scratch) {
      const file = join(scratch, "seed.safetensors");
      const tensors = {
        "a.weight": { data: Float32Array.from({ length: 12 }, Math.sin), shape: [3, 4] },
        "a.bias": { data: new Float32Array(4), shape: [4] },
        scalar: { data: new Float32Array(1), shape: [] },
      };
      await writeSafetensors(file, tensors, { metadata: { words: "a\nb", note: "é" } });
      const whole = readFileSync(file);
      await writeSafetensors(file, tensors, { dtype: "F16" });
      return [whole, readFileSync(file)];
    },
    async run(input, scratch) {
      const [file, other] = [join(scratch, "w.safetensors"), join(scratch, "again.safetensors")];
      writeFileSync(file, input);
      const tensors = readSafetensors(file);
      if (tensors.has("__metadata__")) return;
      await writeSafetensors(other, Object.fromEntries(tensors));
      ensureEqual([...readSafetensors(other)].sort(byName), [...tensors].sort(byName), "safetensors: written and read");
    },
  },
  vectors("txt", "lines", ["3 2\nana 1 2\nlisbon 3 4\nde la 5 6\n", "ana 0.5 -1e-3\n東京 1 2\n"]),
  vectors("bin", "bytes", [binary]),
  vectors("json", "json", ['{"words":["a","b"],"vectors":{"a":[1,2],"b":[3,4]},"dimensions":2}']),
  {
    name: "pytorch",
    shape: "bytes",
    seeds: async () => [
      Buffer.from(torchSave({ "a.weight": { data: Float32Array.from({ length: 6 }, Math.sin), shape: [2, 3] } })),
      ...["tensors-zip", "tensors-deflated", "module-legacy"].map((name) =>
        readFileSync(join("test", "fixtures", `${name}.pt`)),
      ),
    ],
    async run(input, scratch) {
      const path = join(scratch, "weights.pt");
      writeFileSync(path, input);
      const file = PyTorchFile.open(path);
      try {
        for (const name of file.names) {
          const size = file.shape(name).reduce((a, b) => a * b, 1);
          // Views may share numbers; what reads all of them looks at that first.
          if (size <= 4 * file.size) ensure(file.read(name).length === size, "pytorch: not as many numbers as it says");
        }
      } finally {
        file.close();
      }
    },
  },
  {
    name: "features",
    shape: "bytes",
    async seeds(scratch) {
      const file = join(scratch, "seed.features");
      const keys = ["0123456789abcdef", "fedcba9876543210"].map((half) => half + half);
      await writeSegment(
        file,
        keys.map((key, i) => ({ key, values: Uint16Array.of(i, 2, 3) })),
      );
      return [readFileSync(file)];
    },
    async run(input, scratch, variant) {
      const path = join(scratch, "changed.features");
      writeFileSync(path, variant & 1 ? withIndexSum(input) : input);
      const segment = Segment.open(path);
      if (segment === undefined) return;
      try {
        for (const place of segment.places.values()) segment.readWhole(place);
      } finally {
        segment.close();
      }
    },
  },
  {
    name: "python-literal",
    shape: "lines",
    seeds: async () => [Buffer.from("[('a', 1, 2.5e3), (\"b\\u00e9\", True, None), [], (1,), 'it\\'s']")],
    async run(input) {
      const value = parsePythonLiteral(input.toString("utf8"));
      if (typeof value === "string") ensureEqual(parsePythonLiteral(pythonString(value)), value, "python: the string");
    },
  },
];

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Damage behind a wrong checksum of the index is never looked at; half of the inputs get a right one. */
function withIndexSum(bytes: Buffer): Buffer {
  const [head, row] = [20, 36];
  const end = bytes.length < head ? 0 : head + row * bytes.readUInt32LE(8);
  if (end === 0 || end > bytes.length) return bytes;
  const sum = createHash("sha256").update(bytes.subarray(head, end)).digest("hex").slice(0, 16);
  const copy = Buffer.from(bytes);
  copy.write(sum, 12, "hex");
  return copy;
}
