/**
 * Randomness of the sample generator: a hash of (seed, key, counter). The same key gives the same numbers whatever was
 * drawn elsewhere.
 */
export function random(seed, ...key) {
  let state = mix(seed ^ 0x9e3779b9);
  for (const part of key) {
    for (const character of `${part}\n`) state = mix(Math.imul(state, 31) + character.codePointAt(0));
  }
  let counter = 0;
  const next = () => {
    counter = (counter + 0x6d2b79f5) | 0;
    return (mix(mix(state + counter) ^ counter) >>> 0) / 0x1_0000_0000;
  };
  return { next, below: (limit) => Math.floor(next() * limit) };
}

/** The finaliser of MurmurHash3. */
function mix(value) {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

export function pick(items, rng) {
  if (items.length === 0) throw new Error("pick: nothing to choose from");
  return items[rng.below(items.length)];
}

/** One of some early items more often than one of the late ones, as a few names make most of the news. */
export function pickPopular(items, rng) {
  if (items.length === 0) throw new Error("pickPopular: nothing to choose from");
  return items[Math.min(rng.below(items.length), rng.below(items.length))];
}

export function shuffled(items, rng) {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}
