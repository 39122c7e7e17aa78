import type { ByteSource } from "./byte-source.ts";

/** What a pickle can hold here: nothing that runs. Dictionaries are Maps, lists and tuples arrays. */
export type Pickled =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Pickled[]
  | ReadonlyMap<Pickled, Pickled>
  | ReadonlySet<Pickled>
  | object;

/** A function or class that a pickle may name. */
export interface PickleGlobal {
  readonly kind: "global";
  readonly name: string;
  /** What a call, or an instance, becomes. */
  make?(args: readonly Pickled[], fail: (message: string) => never): Pickled;
}

export interface PickleRules {
  /** The functions and classes that are known, by `module.name`. */
  readonly globals: ReadonlyMap<string, PickleGlobal>;
  /** What stands for something outside of the pickle, such as a storage. */
  persistent?(id: Pickled, fail: (message: string) => never): Pickled;
}

export function isGlobal(value: Pickled): value is PickleGlobal {
  return typeof value === "object" && value !== null && (value as PickleGlobal).kind === "global";
}

/** An object whose attributes a pickle may set; of all others they are passed over. */
export class PickledRecord {
  readonly name: string;
  readonly state = new Map<Pickled, Pickled>();

  constructor(name: string) {
    this.name = name;
  }
}

const mostWork = 1 << 26;
/** Bytes that an item of a container takes, about. */
const itemSize = 16;
const mostMarks = 1000;

/** A pickle at work. */
export interface Machine {
  readonly source: ByteSource;
  readonly rules: PickleRules;
  stack: Pickled[];
  readonly marks: Pickled[][];
  readonly memo: Map<number, Pickled>;
  /** Bytes of text so far, and as much for what calls have read of their arguments. */
  work: number;
  readonly fail: (message: string) => never;
}

export function pop({ stack, fail }: Machine): Pickled {
  return stack.length > 0 ? stack.pop()! : fail("nothing is left to take from the stack");
}

export function top({ stack, fail }: Machine): Pickled {
  return stack.length > 0 ? stack.at(-1)! : fail("nothing is left on the stack");
}

/** What was put since the last mark. */
export function sinceMark(machine: Machine): Pickled[] {
  const items = machine.stack;
  machine.stack = machine.marks.pop() ?? machine.fail("no mark is set");
  return items;
}

export function mark(machine: Machine): void {
  if (machine.marks.length === mostMarks) machine.fail(`more than ${mostMarks} marks are open`);
  machine.marks.push(machine.stack);
  machine.stack = [];
}

export function bytes(machine: Machine, length: number): Uint8Array {
  charge(machine, length);
  return machine.source.take(length);
}

/** A few bytes can name a long list many times; what is done with it counts each time. */
export function charge(machine: Machine, amount: number): void {
  machine.work += amount;
  if (machine.work > mostWork) machine.fail(`more than ${mostWork} bytes of text and arguments`);
}

export function sizeOf(value: Pickled): number {
  if (typeof value === "string" || value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return itemSize * value.length;
  return value instanceof Map || value instanceof Set ? itemSize * value.size : 1;
}

export function text(machine: Machine, length: number): string {
  return Buffer.from(bytes(machine, length)).toString("utf8");
}

/** A whole number of up to 128 bytes, little-endian, with a sign. */
export function long(machine: Machine, length: number): number | bigint {
  if (length > 128) machine.fail(`a number of ${length} bytes`);
  const digits = machine.source.take(length).toReversed();
  const value = BigInt.asIntN(8 * length, BigInt(`0x0${Buffer.from(digits).toString("hex")}`));
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
