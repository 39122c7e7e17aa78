/**
 * Loops over large arrays of float32, four numbers at a time, as a WebAssembly module that is assembled here: V8 does not
 * vectorise plain loops, and an update of all parameters would take a fifth of a training step. The arrays live in the
 * module's memory, so nothing is copied.
 */
export interface SimdArrays {
  /** Arrays of the same size, all in one memory. */
  readonly arrays: readonly Float32Array[];
  readonly kernels: SimdKernels;
}

export interface SimdKernels {
  /** One AdamW update; the first four arguments are byte addresses, `end` is where the parameters end. */
  adamw(
    params: number,
    grads: number,
    mean: number,
    square: number,
    end: number,
    beta1: number,
    fresh1: number,
    beta2: number,
    fresh2: number,
    scale: number,
    stepSize: number,
    correction: number,
    epsilon: number,
    shrink: number,
  ): void;
}

/** The part of WebAssembly that is used here; Node has it, but its type package leaves it to browsers' types. */
interface WasmApi {
  readonly Memory: new (descriptor: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const wasm = (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly;

const pageBytes = 65_536;

/** Sizes are rounded up to whole vectors; the numbers behind the end stay 0. */
export function simdArrays(size: number, count: number): SimdArrays {
  const bytes = 4 * vectors(size);
  const memory = new wasm.Memory({ initial: Math.max(1, Math.ceil((count * bytes) / pageBytes)) });
  const { exports } = new wasm.Instance(compiled(), { host: { memory } });
  const arrays = Array.from({ length: count }, (_, i) => new Float32Array(memory.buffer, i * bytes, size));
  return { arrays, kernels: exports as SimdKernels };
}

/** A size rounded up to a multiple of four. */
export function vectors(size: number): number {
  return 4 * Math.ceil(size / 4);
}

let module: object | undefined;

function compiled(): object {
  module ??= new wasm.Module(Uint8Array.from(assemble()));
  return module;
}

/** Opcodes of the WebAssembly core and SIMD specifications. */
const op = {
  loop: [0x03, 0x40],
  end: [0x0b],
  brIf: [0x0d],
  get: [0x20],
  set: [0x21],
  i32Const: [0x41],
  i32Lt: [0x49],
  i32Add: [0x6a],
  load: [0xfd, 0x00, 0x04, 0x00],
  store: [0xfd, 0x0b, 0x04, 0x00],
  splat: [0xfd, 0x13],
  sqrt: [0xfd, 0xe3, 0x01],
  add: [0xfd, 0xe4, 0x01],
  sub: [0xfd, 0xe5, 0x01],
  mul: [0xfd, 0xe6, 0x01],
  div: [0xfd, 0xe7, 0x01],
} as const;

const type = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

type Code = readonly number[];
const get = (local: number): Code => [...op.get, ...unsigned(local)];
const set = (local: number): Code => [...op.set, ...unsigned(local)];

function assemble(): number[] {
  const names = ["p", "g", "m", "v", "end", "b1", "c1", "b2", "c2", "scale", "step", "correction", "epsilon", "shrink"];
  const at = (name: string): number => names.indexOf(name);
  const constant = (name: string): Code => [...get(at(name)), ...op.splat];
  const loaded = (name: string): Code => [...get(at(name)), ...op.load];
  const stored = (name: string, value: Code): Code => [...get(at(name)), ...value, ...op.store];
  const multiply = (a: Code, b: Code): Code => [...a, ...b, ...op.mul];
  const sum = (a: Code, b: Code): Code => [...a, ...b, ...op.add];
  const [grad, mean, square] = [14, 15, 16];
  const advance = (name: string): Code => [...get(at(name)), ...op.i32Const, 16, ...op.i32Add, ...set(at(name))];
  const denominator = sum([...multiply(get(square), constant("correction")), ...op.sqrt], constant("epsilon"));
  const body: Code = [
    ...op.loop,
    ...[...multiply(loaded("g"), constant("scale")), ...set(grad)],
    ...[...sum(multiply(constant("b1"), loaded("m")), multiply(constant("c1"), get(grad))), ...set(mean)],
    ...[
      ...sum(multiply(constant("b2"), loaded("v")), multiply(constant("c2"), multiply(get(grad), get(grad)))),
      ...set(square),
    ],
    ...stored("m", get(mean)),
    ...stored("v", get(square)),
    ...stored("p", [
      ...multiply(loaded("p"), constant("shrink")),
      ...multiply(constant("step"), get(mean)),
      ...denominator,
      ...op.div,
      ...op.sub,
    ]),
    ...["p", "g", "m", "v"].flatMap(advance),
    ...[...get(at("p")), ...get(at("end")), ...op.i32Lt, ...op.brIf, 0],
    ...op.end,
    ...op.end,
  ];
  const signature = [...new Array<number>(5).fill(type.i32), ...new Array<number>(9).fill(type.f32)];
  return [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [[0x60, ...list(signature.map((each) => [each])), 0x00]]),
    ...section(2, [[...text("host"), ...text("memory"), 0x02, 0x00, 0x01]]),
    ...section(3, [[0x00]]),
    ...section(7, [[...text("adamw"), 0x00, 0x00]]),
    ...section(10, [sized([0x01, 0x03, type.v128, ...body])]),
  ];
}

/** A section with a list of entries. */
function section(id: number, entries: readonly Code[]): number[] {
  return [id, ...sized(list(entries))];
}

function list(entries: readonly Code[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

function sized(code: Code): number[] {
  return [...unsigned(code.length), ...code];
}

function text(name: string): number[] {
  return sized([...new TextEncoder().encode(name)]);
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
