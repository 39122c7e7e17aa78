import { gaussian, type Random } from "../util/random.ts";

/** Fills a parameter of the given shape in place. */
export type Initialiser = (target: Float32Array, shape: readonly number[], rng: Random) => void;

export const zero: Initialiser = (target) => {
  target.fill(0);
};

export const one: Initialiser = (target) => {
  target.fill(1);
};

export const normal =
  (deviation: number): Initialiser =>
  (target, _, rng) => {
    for (let i = 0; i < target.length; i++) target[i] = deviation * gaussian(rng);
  };

export const uniformWithin =
  (limit: number): Initialiser =>
  (target, _, rng) => {
    for (let i = 0; i < target.length; i++) target[i] = limit * (2 * rng.next() - 1);
  };

/** Glorot and Bengio: variance kept forwards and backwards through `[…, in, out]`. */
export const glorot: Initialiser = (target, shape, rng) => {
  const [fanIn, fanOut] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
  uniformWithin(Math.sqrt(6 / (fanIn + fanOut)))(target, shape, rng);
};

/** Values from elsewhere, such as pretrained weights. */
export const from =
  (values: ArrayLike<number>): Initialiser =>
  (target) => {
    if (values.length !== target.length) {
      throw new RangeError(`initialise: need ${target.length} numbers, got ${values.length}`);
    }
    target.set(values);
  };
