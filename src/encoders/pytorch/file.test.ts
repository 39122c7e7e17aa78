import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { InputError } from "../../util/errors.ts";
import { random } from "../../util/random.ts";
import { PyTorchFile } from "./file.ts";
import type { Pickled } from "./pickle-machine.ts";

/**
 * Files that PyTorch 2.13.0 wrote: a dictionary of plain values with a state dictionary of tensors, by `torch.save` as it
 * is, with `pickle_protocol=4`, and with `_use_new_zipfile_serialization=False`; the first again with every entry deflated
 * by Python's `zipfile`; the state dictionary of a module with one linear layer and a buffer, in the older format; and
 * that module as a whole. What the tensors hold is written out below as Python printed it.
 */
const fixture = (name: string): string => fileURLToPath(new URL(`../../../test/fixtures/${name}.pt`, import.meta.url));
const forms = ["tensors-zip", "tensors-protocol4", "tensors-legacy", "tensors-deflated"] as const;

const base = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75];
const tensors: Readonly<Record<string, [shape: number[], numbers: number[]]>> = {
  plain: [[3, 4], base],
  turned: [
    [4, 3],
    [0.0, 1.0, 2.0, 0.25, 1.25, 2.25, 0.5, 1.5, 2.5, 0.75, 1.75, 2.75],
  ],
  column: [[3], [0.25, 1.25, 2.25]],
  block: [
    [2, 2],
    [1.5, 1.75, 2.5, 2.75],
  ],
  repeated: [
    [3, 2],
    [1.5, -2.5, 1.5, -2.5, 1.5, -2.5],
  ],
  scalar: [[], [7.25]],
  empty: [[0, 3], []],
  parameter: [
    [2, 2],
    [1, 2, 3, 4],
  ],
  ...Object.fromEntries(
    ["float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32"].map((type) => [
      type,
      [[3], [0, 1, 100]],
    ]),
  ),
  bool: [[3], [0, 1, 1]],
  negative: [[2], [-3, 5]],
};

const folder = mkdtempSync(join(tmpdir(), "lacuna-pytorch-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(bytes: Uint8Array): string {
  const path = join(folder, "file.pt");
  writeFileSync(path, bytes);
  return path;
}

function opened<T>(path: string, use: (file: PyTorchFile) => T): T {
  const file = PyTorchFile.open(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

describe("a file of torch.save", () => {
  it.each(forms)("%s gives every tensor: views, types, shared storages", (name) => {
    opened(fixture(name), (file) => {
      expect(file.names.sort()).toEqual(Object.keys(tensors).sort());
      for (const [tensor, [shape, numbers]] of Object.entries(tensors)) {
        expect(file.shape(tensor), tensor).toEqual(shape);
        expect([...file.read(tensor)], tensor).toEqual(numbers);
      }
    });
  });

  it.each(forms)("%s gives the plain values beside them", (name) => {
    const value = opened(fixture(name), (file) => file.value) as Map<string, Pickled>;
    const found = Object.fromEntries([...value].filter(([key]) => key !== "state_dict"));
    expect(found).toEqual({
      epoch: 3,
      lr: 0.125,
      name: "naïve 北京",
      none: null,
      flags: [true, false],
      big: 2n ** 70n,
      negative: -(2 ** 40),
      pair: [1, "a"],
      raw: Uint8Array.of(0, 255),
      size: [2, 3],
      set: new Set([1, 2]),
      "none bytes": new Uint8Array(),
    });
  });

  it("may be a state dictionary itself", () => {
    opened(fixture("module-legacy"), (file) => {
      expect(file.names).toEqual(["ids", "lin.weight", "lin.bias"]);
      expect([...file.read("ids")]).toEqual([0, 1, 2]);
      expect([...file.read("lin.weight")]).toEqual([0.5, -0.5]);
      expect([...file.read("lin.bias")]).toEqual([2]);
      expect(() => file.read("lin.wight")).toThrow(
        'module-legacy.pt: no tensor "lin.wight" (known: "ids", "lin.weight"',
      );
    });
  });
});

describe("what is refused", () => {
  it("is every other class or function, by name", () => {
    expect(() => PyTorchFile.open(fixture("whole-module"))).toThrow(
      `whole-module.pt: holds "__main__.M", which is neither a tensor nor a plain container, and nothing else is loaded; ` +
        "save the weights alone: torch.save(model.state_dict(), file)",
    );
    for (const name of ["os\nsystem", "builtins\neval", "torch\n_utils", "__proto__\nx", "constructor\n"]) {
      const path = written(legacy(Buffer.from(`\x80\x02c${name}\n.`, "latin1")));
      expect(() => PyTorchFile.open(path)).toThrow(`holds "${name.replace("\n", ".")}", which is neither`);
    }
  });

  it.each<[string, Uint8Array, string]>([
    ["an empty file", Buffer.alloc(0), "it is neither a zip archive nor a pickle"],
    ["text", Buffer.from("weights"), "it is neither a zip archive nor a pickle"],
    ["another pickle", pickle("K\x07."), "it does not begin with PyTorch's magic number"],
    [
      "a zip archive that was cut",
      Buffer.from("PK\x03\x04 and no more"),
      "it has no directory at its end; it may be cut",
    ],
    ["a text of 16 MB", legacy(pickle("X\x00\x00\x00\x01.")), "it asks for 16777216 bytes at byte"],
    ["a text of 2⁶⁴ bytes", legacy(pickle("\x8d\xff\xff\xff\xff\xff\xff\xff\xff.")), "bytes of text and arguments"],
    ["an operation of no use", legacy(pickle("i")), "operation 0x69 is not one of plain data"],
    ["a value that was never put", legacy(pickle("h\x05.")), "nothing was remembered under 5"],
    ["an empty stack", legacy(pickle(".")), "nothing is left to take from the stack"],
    ["a mark that is not set", legacy(pickle("t.")), "no mark is set"],
    [
      "a number of a thousand bytes",
      legacy(pickle(`\x8b\xe8\x03\x00\x00${"1".repeat(1000)}.`)),
      "a number of 1000 bytes",
    ],
    ["a million marks", legacy(pickle("(".repeat(1_000_000))), "more than 1000 marks are open"],
    ["two million operations", legacy(pickle("N".repeat(2_000_000))), "more than 1000000 operations"],
    ["a call of a list", legacy(pickle("])R.")), "what is called is no function"],
    ["a storage of no known type", legacy(pickle("N(X\x07\x00\x00\x00storageNNNNtQ.")), "must be a storage with type"],
  ])("is %s", (_, bytes, message) => {
    expect(() => PyTorchFile.open(written(bytes))).toThrow(InputError);
    expect(() => PyTorchFile.open(written(bytes))).toThrow(message);
  });

  const tensor = (length: string, offset: string, size: string, stride: string): Uint8Array => {
    const storage = `(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu${length}tQ`;
    return legacy(pickle(`ctorch._utils\n_rebuild_tensor_v2\n(${storage}${offset}(${size}t(${stride}t\x89NtR.`));
  };
  it.each<[string, Uint8Array, string]>([
    ["reaches beyond its storage", tensor("K\x04", "K\x01", "K\x04", "K\x01"), "reaches to number 5 of a storage of 4"],
    [
      "has a negative offset",
      tensor("K\x04", "J\xff\xff\xff\xff", "K\x01", "K\x01"),
      "an offset, a size and a stride of whole numbers",
    ],
    ["has a size that is no number", tensor("K\x04", "K\x00", "N", "K\x01"), "of whole numbers"],
    ["has fewer strides than sizes", tensor("K\x04", "K\x00", "K\x01K\x01", "K\x01"), "of whole numbers"],
    [
      "repeats a number 10¹⁸ times",
      tensor("K\x04", "K\x00", "J\x00\x00\x00\x40J\x00\x00\x00\x40", "K\x00K\x00"),
      "repeats a storage of 4",
    ],
    [
      "has more numbers than the file has bytes",
      tensor("J\xff\xff\xff\x7f", "K\x00", "K\x01", "K\x01"),
      "must hold 8589934588 bytes, the file has",
    ],
  ])("is a tensor that %s", (_, bytes, message) => {
    expect(() => PyTorchFile.open(written(bytes))).toThrow(message);
  });

  it("is a call that reads one long list again and again", () => {
    // A list of 100,000 pairs, then ordered dictionaries of it without end.
    const list = `](${"NN\x86".repeat(100_000)}eq\x00`;
    const calls = "ccollections\nOrderedDict\nq\x01h\x01h\x00\x85R0".repeat(1) + "h\x01h\x00\x85R0".repeat(100_000);
    expect(() => PyTorchFile.open(written(legacy(pickle(`${list}${calls}.`))))).toThrow("bytes of text and arguments");
  });
});

describe("an archive", () => {
  const data = { "x/data.pkl": pickle("}.") };
  const refuses = (bytes: Uint8Array, message: string): void => {
    expect(() => PyTorchFile.open(written(bytes))).toThrow(InputError);
    expect(() => PyTorchFile.open(written(bytes))).toThrow(message);
  };

  it("must hold a data.pkl and numbers in the usual order", () => {
    expect(opened(written(archive(data)), (file) => file.value)).toEqual(new Map());
    refuses(archive({ "x/other.pkl": pickle("}.") }), "the archive has no data.pkl");
    refuses(archive({ ...data, "x/byteorder": Buffer.from("big") }), 'numbers must be little-endian, got "big"');
  });

  it("must hold every storage as a whole", () => {
    const storage = "(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x007X\x03\x00\x00\x00cpuK\x03tQ.";
    refuses(archive({ "x/data.pkl": pickle(storage) }), 'the archive has no storage "7"');
    const short = archive({ "x/data.pkl": pickle(storage), "x/data/7": Buffer.alloc(8) });
    refuses(short, 'storage "7" must hold 12 bytes, got 8');
  });

  it("must describe its entries truly", () => {
    const change = (place: number, ...values: number[]): Uint8Array => {
      const bytes = archive(data);
      Buffer.from(values).copy(bytes, bytes.length - 22 - 46 - "x/data.pkl".length + place);
      return bytes;
    };
    refuses(change(8, 1), '"x/data.pkl" is encrypted');
    refuses(change(10, 12), '"x/data.pkl" must be stored or deflated, got method 12');
    refuses(change(20, 0, 0, 0, 1), '"x/data.pkl" lies outside the file');
    refuses(change(24, 0, 0, 0, 1), '"x/data.pkl" of 4 bytes cannot hold 16777216');
    refuses(change(42, 9), '"x/data.pkl" is not where the directory says');
    refuses(change(42, 0, 0, 0, 1), '"x/data.pkl" lies outside the file');
    refuses(change(28, 255), "an entry of its directory is cut");
    refuses(change(10, 8), '"x/data.pkl" cannot be unpacked');
    // Deflated, and said to become sixteen million bytes.
    const bomb = change(10, 8);
    bomb[bomb.length - 22 - 10 - 46 + 27] = 1;
    refuses(bomb, '"x/data.pkl" of 4 bytes cannot hold 16777220');
  });

  it("may say places and sizes in 64 bits, and must say them truly", () => {
    const storage = "(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x007X\x03\x00\x00\x00cpuK\x02tQ";
    const tensor = `}X\x01\x00\x00\x00actorch._utils\n_rebuild_tensor_v2\n(${storage}K\x00K\x02\x85K\x01\x85\x89NtRs.`;
    const numbers = new Uint8Array(Float32Array.of(1.5, -2).buffer);
    const bytes = archive({ "x/data.pkl": pickle(tensor), "x/data/7": numbers }, true);
    expect(opened(written(bytes), (file) => [...file.read("a")])).toEqual([1.5, -2]);
    const changed = (fromEnd: number): Buffer => {
      const copy = Buffer.from(bytes);
      copy[copy.length - fromEnd] = 0xee;
      return copy;
    };
    refuses(changed(22 + 20), "its directory for large files is missing");
    refuses(changed(22 + 20 - 8), "the file must reach to byte");
    refuses(changed(22 + 20 + 56), "its directory for large files is missing");
    refuses(changed(22 + 20 + 8 - 3), "its directory lies outside the file");
  });

  it("must hold an entry once", () => {
    const twice = archive({ ...data, "x/data.pkm": pickle("}.") });
    refuses(Buffer.from(twice.toString("latin1").replaceAll("data.pkm", "data.pkl"), "latin1"), "twice");
  });
});

describe("a damaged file", () => {
  it.each([...forms, "module-legacy"])(
    "%s gives an input error or the tensors, whichever bytes change or are cut",
    (name) => {
      const rng = random(1, "damage", name);
      const whole = readFileSync(fixture(name));
      let refused = 0;
      for (let run = 0; run < 800; run++) {
        let bytes = Buffer.from(whole);
        for (let k = 0; k <= rng.below(4); k++) bytes[rng.below(bytes.length)] = rng.below(256);
        if (run % 8 === 0) bytes = bytes.subarray(0, rng.below(bytes.length));
        if (run % 8 === 1) bytes.fill(rng.below(256), rng.below(bytes.length), rng.below(bytes.length));
        if (run % 8 === 2)
          bytes = Buffer.concat([bytes.subarray(0, rng.below(bytes.length)), bytes.subarray(rng.below(bytes.length))]);
        try {
          opened(written(bytes), (file) => {
            for (const tensor of file.names) file.read(tensor);
          });
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          refused++;
        }
      }
      expect(refused).toBeGreaterThan(100);
    },
  );
});

/** A pickle of protocol 2 by its operations. */
function pickle(operations: string): Uint8Array {
  return Buffer.from(`\x80\x02${operations}`, "latin1");
}

/** A zip archive of stored entries; `large` writes places and sizes as archives beyond 4 GB do. */
function archive(files: Readonly<Record<string, Uint8Array>>, large = false): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt16LE(large ? 28 : 0, 30);
    for (const [place, value] of [[20, content.length] as const, [24, content.length] as const, [42, at] as const])
      central.writeUInt32LE(large ? 0xffffffff : value, place);
    const extra = Buffer.concat([Buffer.from([1, 0, 24, 0]), longs(content.length, content.length, at)]);
    parts.push(local, Buffer.from(name), Buffer.from(content));
    directory.push(central, Buffer.from(name), ...(large ? [extra] : []));
    at += 30 + name.length + content.length;
  }
  const size = Buffer.concat(directory).length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt32LE(large ? 0xffffffff : size, 12);
  end.writeUInt32LE(large ? 0xffffffff : at, 16);
  const record = Buffer.concat([Buffer.from([0x50, 0x4b, 6, 6]), Buffer.alloc(36), longs(size, at)]);
  const locator = Buffer.concat([Buffer.from([0x50, 0x4b, 6, 7, 0, 0, 0, 0]), longs(at + size), Buffer.alloc(4)]);
  return Buffer.concat([...parts, ...directory, ...(large ? [record, locator] : []), end]);
}

function longs(...values: readonly number[]): Buffer {
  return Buffer.from(BigUint64Array.from(values, BigInt).buffer);
}

/** The older format around the pickle of a value, which has no storages. */
function legacy(value: Uint8Array): Uint8Array {
  const start = pickle("\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.");
  return Buffer.concat([start, pickle("M\xe9\x03."), pickle("}."), value, pickle("].")]);
}
