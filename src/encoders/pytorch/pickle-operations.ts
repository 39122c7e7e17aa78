import { InputError, quote } from "../../util/errors.ts";
import {
  bytes,
  charge,
  isGlobal,
  long,
  type Machine,
  mark,
  type Pickled,
  PickledRecord,
  pop,
  sinceMark,
  sizeOf,
  text,
  top,
} from "./pickle-machine.ts";

const longestName = 1000;

type Operation = (machine: Machine) => void;

const push =
  (make: (machine: Machine) => Pickled): Operation =>
  (machine) => {
    // Making it may bring another stack.
    const made = make(machine);
    machine.stack.push(made);
  };

const tuple =
  (count: number): Operation =>
  (machine) => {
    const items = Array.from({ length: count }, () => pop(machine)).reverse();
    machine.stack.push(items);
  };

/** Of protocols 2 to 5, and what these keep of earlier ones. */
export const operations: ReadonlyMap<number, Operation> = new Map<number, Operation>([
  [0x80, ({ source, fail }) => (source.byte() <= 5 ? undefined : fail("its protocol is newer than 5"))], // PROTO
  [0x95, ({ source }) => void source.take(8)], // FRAME
  [code("("), mark],
  [code("0"), (machine) => void (machine.stack.length > 0 ? machine.stack.pop() : sinceMark(machine))],
  [code("1"), (machine) => void sinceMark(machine)],
  [code("2"), (machine) => void machine.stack.push(top(machine))],
  [code("N"), push(() => null)],
  [0x88, push(() => true)],
  [0x89, push(() => false)],
  [code("J"), push(({ source }) => source.int32())],
  [code("K"), push(({ source }) => source.uint(1))],
  [code("M"), push(({ source }) => source.uint(2))],
  [0x8a, push((machine) => long(machine, machine.source.uint(1)))],
  [0x8b, push((machine) => long(machine, machine.source.uint(4)))],
  [code("G"), push(({ source }) => source.double())],
  [code("X"), push((machine) => text(machine, machine.source.uint(4)))],
  [0x8c, push((machine) => text(machine, machine.source.uint(1)))],
  [0x8d, push((machine) => text(machine, machine.source.long()))],
  [code("T"), push((machine) => text(machine, machine.source.uint(4)))],
  [code("U"), push((machine) => text(machine, machine.source.uint(1)))],
  [code("B"), push((machine) => bytes(machine, machine.source.uint(4)))],
  [code("C"), push((machine) => bytes(machine, machine.source.uint(1)))],
  [0x8e, push((machine) => bytes(machine, machine.source.long()))],
  [0x96, push((machine) => bytes(machine, machine.source.long()))],
  [code("]"), push(() => [])],
  [code("l"), push((machine) => sinceMark(machine))],
  [code("a"), (machine) => append(machine, [pop(machine)])],
  [code("e"), (machine) => append(machine, sinceMark(machine))],
  [code(")"), push(() => [])],
  [0x85, tuple(1)],
  [0x86, tuple(2)],
  [0x87, tuple(3)],
  [code("t"), push((machine) => sinceMark(machine))],
  [code("}"), push(() => new Map())],
  [code("d"), (machine) => mapOf(machine, sinceMark(machine))],
  [code("s"), (machine) => setItems(machine, [pop(machine), pop(machine)].reverse())],
  [code("u"), (machine) => setItems(machine, sinceMark(machine))],
  [0x8f, push(() => new Set())],
  [0x90, (machine) => addItems(machine, sinceMark(machine))],
  [0x91, push((machine) => new Set(sinceMark(machine)))],
  [code("q"), (machine) => remember(machine, machine.source.uint(1))],
  [code("r"), (machine) => remember(machine, machine.source.uint(4))],
  [0x94, (machine) => remember(machine, machine.memo.size)],
  [code("h"), (machine) => recall(machine, machine.source.uint(1))],
  [code("j"), (machine) => recall(machine, machine.source.uint(4))],
  [code("c"), (machine) => pushGlobal(machine, machine.source.line(longestName), machine.source.line(longestName))],
  [0x93, (machine) => pushGlobal(machine, ...([pop(machine), pop(machine)].reverse() as [Pickled, Pickled]))],
  [code("R"), call],
  [0x81, call],
  [code("b"), build],
  [code("Q"), persistent],
]);

function addItems(machine: Machine, items: readonly Pickled[]): void {
  const set = top(machine);
  if (!(set instanceof Set)) throw machine.fail("only a set takes items");
  for (const item of items) set.add(item);
}

function code(character: string): number {
  return character.charCodeAt(0);
}

function append(machine: Machine, items: readonly Pickled[]): void {
  const list = top(machine);
  if (!Array.isArray(list)) machine.fail("only a list can be appended to");
  for (const item of items) (list as Pickled[]).push(item);
}

function setItems(machine: Machine, items: readonly Pickled[]): void {
  const map = top(machine);
  if (!(map instanceof Map) || items.length % 2 !== 0) throw machine.fail("only a dictionary takes pairs of items");
  for (let i = 0; i < items.length; i += 2) map.set(items[i], items[i + 1]);
}

function mapOf(machine: Machine, items: readonly Pickled[]): void {
  machine.stack.push(new Map());
  setItems(machine, items);
}

function remember(machine: Machine, key: number): void {
  machine.memo.set(key, top(machine));
}

function recall(machine: Machine, key: number): void {
  const found = machine.memo.get(key);
  if (found === undefined) machine.fail(`nothing was remembered under ${key}`);
  machine.stack.push(found!);
}

function pushGlobal(machine: Machine, module: Pickled, name: Pickled): void {
  const full = typeof module === "string" && typeof name === "string" ? `${module}.${name}` : "?";
  const found = machine.rules.globals.get(full);
  if (found) machine.stack.push(found);
  else {
    const rule = "which is neither a tensor nor a plain container, and nothing else is loaded";
    throw new InputError(
      `holds ${quote(full)}, ${rule}; save the weights alone: torch.save(model.state_dict(), file)`,
      {
        file: machine.source.path,
      },
    );
  }
}

/** A call, or an instance of a class. */
function call(machine: Machine): void {
  const args = pop(machine);
  const target = pop(machine);
  if (!isGlobal(target) || !target.make || !Array.isArray(args)) throw machine.fail("what is called is no function");
  for (const arg of [args, ...args.slice(0, 8)] as Pickled[]) charge(machine, sizeOf(arg));
  machine.stack.push(target.make(args as readonly Pickled[], machine.fail));
}

function build(machine: Machine): void {
  const state = pop(machine);
  const target = top(machine);
  charge(machine, sizeOf(state));
  if (target instanceof PickledRecord && state instanceof Map) {
    for (const [key, value] of state as Map<Pickled, Pickled>) target.state.set(key, value);
  } else if (!(target instanceof Map)) machine.fail("only known objects have attributes");
}

function persistent(machine: Machine): void {
  const id = pop(machine);
  const { persistent: load } = machine.rules;
  machine.stack.push(load ? load(id, machine.fail) : machine.fail("nothing can be loaded from outside"));
}
