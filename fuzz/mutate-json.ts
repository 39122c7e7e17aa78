import type { Random } from "../src/util/random.ts";
import { mutateBytes } from "./mutate-bytes.ts";

/** Texts that break what is not careful: names of every object, controls, lone surrogates, paths, patterns, numbers. */
export const hostileStrings: readonly string[] = [
  ...["", " ", "\t", "\n", "\r\n", "\0", "a\0b", "\u001b[2J", "\u009b", "\u202e", "\ufeff", "\ud800", "\udc00x"],
  ...["constructor", "__proto__", "toString", "prototype", "hasOwnProperty", "length", "name"],
  ...["../../etc/passwd", "/dev/zero", "..", ".", "C:\\x", "-", "null", "NaN", "Infinity", "-0", "1e999", "0x10"],
  ...["O", "B-", "B-PER", "I-PER", "UNK", "-DOCSTART-", "S-\u00a0", "[UNK]", "##", "Ġ", "(a+)+$", "(", "[", "\\"],
  ...["👩‍🚀", "e\u0301", "東京", "ﬁ", "İ", "ß", "\u200d", "ｶﾞ", "🇫🇷🇫", "한"],
  "x".repeat(300),
  " ".repeat(5000),
  "a ".repeat(2000),
];

const hostileNumbers: readonly number[] = [
  ...[0, -0, 1, -1, 2, 0.5, 1.5, -0.5, 1e-9, 255, 256, 65536, 1e6, 1e7, 1e9, 1e12],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, -(2 ** 31), 1e300],
];

/** Changes a value somewhere inside a JSON text; a text that is none, or nested too deeply, gets other bytes. */
export function mutateJson(input: Buffer, rng: Random): Buffer {
  try {
    return Buffer.from(changedJson(input.toString("utf8"), rng));
  } catch {
    return mutateBytes(input, rng);
  }
}

function changedJson(json: string, rng: Random): string {
  const holder = { root: JSON.parse(json) as unknown };
  const places = placesIn(holder);
  change(places[rng.below(places.length)]!, places, rng);
  const text = JSON.stringify(holder.root) ?? "";
  // Some names cannot be assigned to, only written.
  return rng.below(20) === 0 ? text.replace(/"(\w+)":/, '"__proto__":') : text;
}

interface Place {
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/** Where values stand, no more than can be looked at in no time. */
function placesIn(holder: object): Place[] {
  const places: Place[] = [];
  const owners: object[] = [holder];
  for (const owner of owners) {
    for (const key of Object.keys(owner)) {
      const value = (owner as Record<string, unknown>)[key];
      places.push({ owner: owner as Record<string, unknown>, key });
      if (typeof value === "object" && value !== null) owners.push(value);
      if (places.length >= 20_000) return places;
    }
  }
  return places;
}

function change({ owner, key }: Place, places: readonly Place[], rng: Random): void {
  const value = owner[key];
  switch (rng.below(10)) {
    case 0:
      if (Array.isArray(owner)) owner.splice(Number(key), 1);
      else delete owner[key];
      return;
    case 1: {
      const other = places[rng.below(places.length)]!;
      owner[key] = structuredClone(other.owner[other.key]);
      return;
    }
    case 2:
      if (Array.isArray(owner)) owner.splice(Number(key), 0, structuredClone(value));
      else owner[hostileStrings[rng.below(hostileStrings.length)]!] = value;
      return;
    case 3:
      owner[key] = nested(value, rng.below(4) === 0 ? 2000 : 1 + rng.below(4), rng);
      return;
    case 4:
      owner[key] = value === null ? undefined : typeof value === "object" ? String(key) : [value];
      return;
    case 5:
      if (typeof value === "number") owner[key] = value + [1, -1, 2, 100, 0.5][rng.below(5)]!;
      else owner[key] = hostileNumbers[rng.below(hostileNumbers.length)];
      return;
    case 6:
      owner[key] = hostileNumbers[rng.below(hostileNumbers.length)];
      return;
    case 7:
      owner[key] =
        typeof value === "string" ? mutateText(value, rng) : hostileStrings[rng.below(hostileStrings.length)];
      return;
    case 8:
      owner[key] = [null, true, false, [], {}, "", 0][rng.below(7)];
      return;
    default:
      owner[key] = hostileStrings[rng.below(hostileStrings.length)];
  }
}

function mutateText(text: string, rng: Random): string {
  const at = rng.below(text.length + 1);
  const added = hostileStrings[rng.below(hostileStrings.length)]!;
  return rng.below(2) === 0 ? text.slice(0, at) + added + text.slice(at) : text.slice(0, at);
}

/** A value inside so many lists and objects. */
function nested(value: unknown, depth: number, rng: Random): unknown {
  let result = value;
  for (let i = 0; i < depth; i++) result = rng.below(2) === 0 ? [result] : { a: result };
  return result;
}
