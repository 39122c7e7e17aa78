import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { InputError } from "./errors.ts";
import { type NumberArray, readSafetensors, SafetensorsFile, writeSafetensors } from "./safetensors.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-safetensors-"));
const path = join(folder, "model.safetensors");
afterAll(() => rmSync(folder, { recursive: true }));

const array = (shape: readonly number[], ...numbers: readonly number[]): NumberArray => ({
  shape,
  data: Float32Array.from(numbers),
});

/** A file by hand: length, header, bytes. */
function write(header: string | object, bytes: Uint8Array = new Uint8Array(), length?: bigint): string {
  const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const start = Buffer.alloc(8);
  start.writeBigUInt64LE(length ?? BigInt(text.length));
  writeFileSync(path, Buffer.concat([start, text, bytes]));
  return path;
}

describe("safetensors", () => {
  it("has the layout that other readers expect: length, aligned JSON, numbers in order", async () => {
    await writeSafetensors(path, { a: array([2, 1], 1, -2), b: array([], 0.5) }, { metadata: { format: "pt" } });
    const bytes = readFileSync(path);
    const length = Number(bytes.readBigUInt64LE());
    expect(length % 8).toBe(0);
    expect(JSON.parse(bytes.toString("utf8", 8, 8 + length))).toEqual({
      __metadata__: { format: "pt" },
      a: { dtype: "F32", shape: [2, 1], data_offsets: [0, 8] },
      b: { dtype: "F32", shape: [], data_offsets: [8, 12] },
    });
    expect([0, 4, 8].map((at) => bytes.readFloatLE(8 + length + at))).toEqual([1, -2, 0.5]);
    expect(bytes.length).toBe(8 + length + 12);
  });

  it("reads what it wrote, whatever the names, shapes and numbers", async () => {
    const tensor = fc.array(fc.nat({ max: 3 }), { maxLength: 3 }).chain((shape) => {
      const length = shape.reduce((a, b) => a * b, 1);
      return fc.float32Array({ minLength: length, maxLength: length }).map((data) => ({ shape, data }));
    });
    const names = fc.string({ unit: "binary" });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          names.filter((name) => name !== "__metadata__"),
          tensor,
          { maxKeys: 5 },
        ),
        fc.dictionary(names, names, { maxKeys: 3 }),
        async (tensors, metadata) => {
          await writeSafetensors(path, tensors, { metadata });
          const file = SafetensorsFile.open(path);
          expect({ ...file.metadata }).toEqual({ ...metadata });
          expect(file.names.sort()).toEqual(Object.keys(tensors).sort());
          for (const [name, { shape, data }] of Object.entries(tensors)) {
            expect(file.shape(name)).toEqual(shape);
            expect(file.read(name)).toEqual(data);
          }
          file.close();
        },
      ),
      { numRuns: 50 },
    );
  });

  it("writes and reads F16, and refuses numbers beyond it", async () => {
    await writeSafetensors(path, { a: array([3], 1.5, 65504, 1 / 3) }, { dtype: "F16" });
    expect([...readSafetensors(path).get("a")!.data]).toEqual([1.5, 65504, 0.333251953125]);
    const before = readFileSync(path);
    await expect(writeSafetensors(path, { w: array([1], -70000) }, { dtype: "F16" })).rejects.toThrow(
      'safetensors: tensor "w" holds -70000, which F16 cannot (limit 65504); write F32',
    );
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder)).toEqual(["model.safetensors"]);
  });

  it("reads every type of the format but floats of eight bits, as float32", () => {
    const numbers: Readonly<Record<string, [bytes: ArrayLike<number>, expected: readonly number[]]>> = {
      BF16: [
        [0x80, 0x3f, 0x00, 0xc0],
        [1, -2],
      ],
      F16: [
        [0x00, 0x3c, 0x01, 0x00],
        [1, 2 ** -24],
      ],
      F32: [new Uint8Array(Float32Array.of(-0.5).buffer), [-0.5]],
      F64: [new Uint8Array(Float64Array.of(1 / 3).buffer), [Math.fround(1 / 3)]],
      BOOL: [
        [1, 0],
        [1, 0],
      ],
      I8: [
        [255, 127],
        [-1, 127],
      ],
      U8: [[255], [255]],
      I16: [[0xfe, 0xff], [-2]],
      U16: [[0xfe, 0xff], [65534]],
      I32: [[0xfd, 0xff, 0xff, 0xff], [-3]],
      U32: [[0, 0, 0, 0x80], [2 ** 31]],
      I64: [[0xfc, ...new Array<number>(7).fill(0xff)], [-4]],
      U64: [[0, 0, 0, 0, 0, 0, 0, 0x80], [2 ** 63]],
      F8_E4M3: [[1], []],
    };
    const bytes = Object.values(numbers).flatMap(([each]) => Array.from(each));
    let start = 0;
    const header = Object.entries(numbers).map(([dtype, [each, expected]]) => {
      start += each.length;
      return [dtype, { dtype, shape: [expected.length || 1], data_offsets: [start - each.length, start] }];
    });
    write(Object.fromEntries(header), Uint8Array.from(bytes));
    const file = SafetensorsFile.open(path);
    for (const [dtype, [, expected]] of Object.entries(numbers).slice(0, -1))
      expect([...file.read(dtype)], dtype).toEqual(expected);
    expect(() => file.read("F8_E4M3")).toThrow(
      'tensor "F8_E4M3" of type F8_E4M3 cannot be read (readable: F64, F32, F16, BF16, I64,',
    );
    expect(() => file.read("v")).toThrow(`${path}: safetensors: no tensor "v" (known: BF16, F16,`);
    file.close();
  });

  it("reads a view of a larger array and writes only that view", async () => {
    const all = Float32Array.of(1, 2, 3, 4);
    await writeSafetensors(path, { middle: { shape: [2], data: all.subarray(1, 3) } });
    expect([...readSafetensors(path).get("middle")!.data]).toEqual([2, 3]);
  });

  it("refuses to write numbers that do not fit their shape, or a name that is taken", async () => {
    await expect(writeSafetensors(path, { a: array([2, 2], 1, 2, 3) })).rejects.toThrow(
      'safetensors: tensor "a" of shape [2,2] got 3 numbers',
    );
    await expect(writeSafetensors(path, { __metadata__: array([0]) })).rejects.toThrow("__metadata__");
  });

  it("says when a folder is missing, or a directory stands in the way", async () => {
    const nowhere = join(folder, "nowhere", "model.safetensors");
    await expect(writeSafetensors(nowhere, {})).rejects.toThrow(
      `${nowhere}: cannot be written: the folder ${join(folder, "nowhere")} does not exist`,
    );
    await expect(writeSafetensors(folder, {})).rejects.toThrow(InputError);
    expect(() => SafetensorsFile.open(nowhere)).toThrow(`${nowhere}: no such file`);
    expect(() => SafetensorsFile.open(folder)).toThrow("expected a file, got a directory");
  });
});

describe("a hostile or broken safetensors file", () => {
  const f32 = (shape: unknown, start: unknown, end: unknown) => ({ dtype: "F32", shape, data_offsets: [start, end] });
  const refusals: Readonly<Record<string, [make: () => unknown, message: string]>> = {
    "is empty": [() => writeFileSync(path, ""), "the file ends after 0 bytes, before its header"],
    "claims a header of 2⁶⁴ − 1 bytes": [
      () => write("{}", new Uint8Array(), 0xffffffffffffffffn),
      "the header must not exceed 100000000 bytes, got 18446744073709552000",
    ],
    "claims more header than there is": [
      () => write("{}", new Uint8Array(), 3n),
      "the header takes 3 bytes, the file ends after 2 of them",
    ],
    "has no header": [() => write(""), "the header must be a JSON object"],
    "has an array as header": [() => write("[1]"), "the header must be a JSON object"],
    "is not UTF-8": [() => write("{}", new Uint8Array([0xff]), 3n), "the header must be a JSON object"],
    "nests a million arrays": [() => write(`{"a":${"[".repeat(1e6)}`), "the header must be a JSON object"],
    "has a tensor that is no object": [() => write({ a: 3 }), 'tensor "a" must be an object, got 3'],
    "has an unknown type": [
      () => write({ a: { dtype: "F128", shape: [], data_offsets: [0, 16] } }, new Uint8Array(16)),
      'tensor "a" has the unknown type "F128" (known: BOOL, U8,',
    ],
    "has a type that objects inherit": [
      () => write({ a: { dtype: "toString", shape: [], data_offsets: [0, 0] } }),
      'tensor "a" has the unknown type "toString"',
    ],
    "has a negative size": [
      () => write({ a: f32([-1], 0, 0) }),
      'tensor "a" must have a shape of whole numbers, got [-1]',
    ],
    "has a fractional size": [
      () => write({ a: f32([0.5], 0, 2) }, new Uint8Array(2)),
      "shape of whole numbers, got [0.5]",
    ],
    "has no shape": [() => write({ a: { dtype: "F32", data_offsets: [0, 0] } }), "whole numbers, got undefined"],
    "has offsets in falling order": [() => write({ a: f32([1], 4, 0) }), "two offsets in rising order, got [4,0]"],
    "has a single offset": [
      () => write({ a: { dtype: "F32", shape: [0], data_offsets: [0] } }),
      "two offsets in rising order, got [0]",
    ],
    "has a shape of more than memory": [
      () => write({ a: f32([2 ** 40, 2 ** 40], 0, 8) }, new Uint8Array(8)),
      "takes 4.835703278458517e+24 bytes, its offsets hold 8",
    ],
    "has offsets beyond its end": [
      () => write({ a: f32([2 ** 40], 0, 2 ** 42) }, new Uint8Array(8)),
      "the header describes 4398046511104 bytes of numbers, the file holds 8",
    ],
    "is cut": [
      () => write({ a: f32([3], 0, 12) }, new Uint8Array(11)),
      "the header describes 12 bytes of numbers, the file holds 11",
    ],
    "has bytes to spare": [
      () => write({ a: f32([1], 0, 4) }, new Uint8Array(5)),
      "the header describes 4 bytes of numbers, the file holds 5",
    ],
    "has a gap between tensors": [
      () => write({ a: f32([1], 0, 4), b: f32([1], 8, 12) }, new Uint8Array(12)),
      'tensor "b" must begin where the one before it ends, at byte 4, got 8',
    ],
    "has tensors that overlap": [
      () => write({ a: f32([2], 0, 8), b: f32([2], 4, 12) }, new Uint8Array(12)),
      'tensor "b" must begin where the one before it ends, at byte 8, got 4',
    ],
    "has metadata other than strings": [
      () => write({ __metadata__: { step: 3 } }),
      'metadata "step" must be a string, got 3',
    ],
    "has metadata that is no object": [
      () => write({ __metadata__: "x" }),
      '__metadata__ must be an object of strings, got "x"',
    ],
  };

  it.each(Object.entries(refusals))("%s", (_, [make, message]) => {
    make();
    expect(() => SafetensorsFile.open(path)).toThrow(InputError);
    expect(() => SafetensorsFile.open(path)).toThrow(message);
  });

  it("gives an input error and nothing else, whichever bytes are changed or cut", async () => {
    await writeSafetensors(path, { a: array([2, 2], 1, 2, 3, 4), b: array([1], 5) }, { metadata: { k: "v" } });
    const intact = readFileSync(path);
    fc.assert(
      fc.property(fc.nat({ max: intact.length - 1 }), fc.nat({ max: 255 }), fc.boolean(), (at, byte, cut) => {
        const broken = Buffer.from(intact);
        broken[at] = byte;
        writeFileSync(path, cut ? broken.subarray(0, at) : broken);
        try {
          const total = [...readSafetensors(path).values()].reduce((sum, { data }) => sum + data.length, 0);
          expect(total).toBeLessThanOrEqual(10);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("says so when it is cut while it is open", () => {
    write({ a: f32([2], 0, 8) }, new Uint8Array(8));
    const file = SafetensorsFile.open(path);
    truncateSync(path, readFileSync(path).length - 4);
    expect(() => file.read("a")).toThrow("it was cut while it was open");
    file.close();
  });
});
