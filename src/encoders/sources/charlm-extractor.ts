import { alphabetOf, type Reading, readingsOf } from "../../inputs/index.ts";
import type { Data, RuntimeOptions, Tensor } from "../../tensor/index.ts";
import {
  add,
  concat,
  flatten,
  gather,
  input,
  matmul,
  mul,
  Program,
  scan,
  sigmoid,
  split,
  tanh,
  zeros,
} from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import { floatsToHalves } from "../../util/half.ts";
import type { Extractor } from "../features/frozen-part.ts";
import { type CharacterLstm, type CharlmModel, readCharlm } from "./charlm-model.ts";

/** Characters that go through the model in one run, of each sentence: memory does not grow with the length of a text. */
const steps = 64;
/** With a single row, the runtime computes products in another order, and so other last digits. */
const fewestRows = 2;

/** Computes the vectors of words: states of the two models, forward and then backward, `[tokens, 2 * hidden]`. */
export async function charlmExtractor(nameOrDirectory: string, runtime: RuntimeOptions): Promise<Extractor> {
  const { config, forward, backward } = await readCharlm(nameOrDirectory);
  const hidden = config.hidden_size;
  const alphabet = alphabetOf(config);
  const program = await compile(config.characters.length, hidden, runtime);
  return {
    async extract(sentences: readonly Sentence[]) {
      const readings = sentences.map((sentence) => readingsOf(sentence, config, alphabet));
      const values = readings.map(({ forward: { at } }) => new Float32Array(at.length * 2 * hidden));
      const direct = (name: "forward" | "backward", model: CharacterLstm, side: number): Promise<void> =>
        runDirection(
          program,
          model,
          hidden,
          readings.map((reading) => reading[name]),
          (row, word, state) => values[row]!.set(state, (2 * word + side) * hidden),
        );
      await direct("forward", forward, 0);
      await direct("backward", backward, 1);
      return values.map(floatsToHalves);
    },
    dispose: () => program.dispose(),
  };
}

/** Some characters of each row, from the state before them to the state after, and the states that are asked for. */
function compile(characters: number, hidden: number, runtime: RuntimeOptions): Promise<Program> {
  const gates = input("gates", "float32", [characters, 4 * hidden]);
  const recurrent = input("recurrent", "float32", [hidden, 4 * hidden]);
  const start = ["state", "cell"].map((name) => input(name, "float32", ["rows", hidden])) as [Tensor, Tensor];
  const ids = input("ids", "int32", ["steps", "rows"]);
  const { carries, stacked } = recur(start, ids, gates, recurrent, hidden);
  const states = gather(flatten(stacked[0]!), input("wanted", "int32", ["words"])); // [words, hidden]
  return Program.compile({ nextState: carries[0]!, nextCell: carries[1]!, states }, runtime);
}

/** The states after each of the characters `[steps, rows]`. */
function recur(
  start: readonly [Tensor, Tensor],
  ids: Tensor,
  gates: Tensor,
  recurrent: Tensor,
  hidden: number,
): ReturnType<typeof scan> {
  return scan(start, [ids], ([state, cell], [letters]) => {
    const sums = add(gather(gates, letters!), matmul(state!, recurrent));
    const [enter, keep, candidate, leave] = split(sums, -1, [hidden, hidden, hidden, hidden]) as Tensor[];
    const nextCell = add(mul(sigmoid(keep!), cell!), mul(sigmoid(enter!), tanh(candidate!)));
    const nextState = mul(sigmoid(leave!), tanh(nextCell));
    return { carries: [nextState, nextCell], stacked: [nextState] };
  });
}

/** What the extractor computes as one graph over whole texts, `[batch, time, 2 * hidden]`, with its weights. */
export function charlmGraph({ config, forward, backward }: CharlmModel): {
  readonly output: Tensor;
  readonly weights: Readonly<Record<string, Data<Float32Array>>>;
} {
  const hidden = config.hidden_size;
  const characters = config.characters.length;
  const weights: Record<string, Data<Float32Array>> = {};
  const weight = (name: string, data: Float32Array, shape: readonly number[]): Tensor => {
    weights[name] = { data, shape };
    return input(name, "float32", shape);
  };
  const direction = (name: "forward" | "backward", model: CharacterLstm): Tensor => {
    const gates = weight(`${name}.gates`, model.gates, [characters, 4 * hidden]);
    const recurrent = weight(`${name}.recurrent`, model.recurrent, [hidden, 4 * hidden]);
    const at = input(`${name}.at`, "int32", ["batch", "time"]);
    const zero = zeros({ shape: ["batch", hidden] });
    const ids = input(name, "int32", [`${name} steps`, "batch"]);
    return gather(flatten(recur([zero, zero], ids, gates, recurrent, hidden).stacked[0]!), at);
  };
  return { output: concat([direction("forward", forward), direction("backward", backward)], -1), weights };
}

/** Reads texts from their first character to their last and hands out the states of words. */
async function runDirection(
  program: Program,
  { gates, recurrent }: CharacterLstm,
  hidden: number,
  readings: readonly Reading[],
  take: (row: number, word: number, state: Float32Array) => void,
): Promise<void> {
  const rows = Math.max(fewestRows, readings.length);
  const weights = {
    gates: { data: gates, shape: [gates.length / (4 * hidden), 4 * hidden] },
    recurrent: { data: recurrent, shape: [hidden, 4 * hidden] },
  };
  const zero = (): Data => ({ data: new Float32Array(rows * hidden), shape: [rows, hidden] });
  let [state, cell] = [zero(), zero()];
  const longest = Math.max(...readings.map(({ ids }) => ids.length));
  for (let from = 0; from < longest; from += steps) {
    const count = Math.min(steps, longest - from);
    const ids = new Int32Array(count * rows);
    const places: { row: number; word: number; at: number }[] = [];
    readings.forEach((reading, row) => {
      for (let t = 0; t < count; t++) ids[t * rows + row] = reading.ids[from + t] ?? 0;
      reading.at.forEach((place, word) => {
        if (place >= from && place < from + count) places.push({ row, word, at: (place - from) * rows + row });
      });
    });
    const wanted = Int32Array.from(places, ({ at }) => at);
    const results = await program.run({
      ...weights,
      state,
      cell,
      ids: { data: ids, shape: [count, rows] },
      wanted: { data: wanted, shape: [wanted.length] },
    });
    [state, cell] = [results.nextState!, results.nextCell!];
    const states = results.states!.data as Float32Array;
    places.forEach(({ row, word }, i) => {
      take(row, word, states.subarray(i * hidden, (i + 1) * hidden));
    });
  }
}
