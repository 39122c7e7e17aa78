import { InputError } from "../../util/errors.ts";
import type { ByteSource } from "./byte-source.ts";
import { type Machine, type Pickled, type PickleRules, pop } from "./pickle-machine.ts";
import { operations } from "./pickle-operations.ts";

/** A state dictionary has some sixty operations for each tensor. */
const mostOperations = 1_000_000;
const stop = 0x2e;

/** Executes one pickle of protocol 2 to 5 and stops behind it. Only `rules` decides what calls become. */
export function unpickle(source: ByteSource, rules: PickleRules): Pickled {
  const machine: Machine = { source, rules, stack: [], marks: [], memo: new Map(), work: 0, fail: failingAt(source) };
  for (let count = 0; count < mostOperations; count++) {
    const code = source.byte();
    if (code === stop) return pop(machine);
    const operation = operations.get(code);
    if (!operation) return machine.fail(`operation 0x${code.toString(16)} is not one of plain data`);
    operation(machine);
  }
  return machine.fail(`more than ${mostOperations} operations`);
}

function failingAt(source: ByteSource): (message: string) => never {
  return (message) => {
    throw new InputError(`not a PyTorch file that can be read: pickle, byte ${source.position}: ${message}`, {
      file: source.path,
    });
  };
}
