import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportModel, openExported } from "../src/export/index.ts";
import { Recogniser } from "../src/inference/index.ts";
import { completeSettings, train } from "../src/methods/index.ts";
import { jsonLog, serveDefaults, startServer } from "../src/serve/index.ts";
import type { Sentence } from "../src/text/index.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada Ivo Zoe Gil Noa".split(" ");
const places = "Porto Faro Lagos Braga Evora Beja Viseu Olhao Leiria Tomar Loures Sines Silves".split(" ");
const text = (i: number): string => `then ${people[i % people.length]} met us in ${places[i % places.length]} again`;

/** Sentences in which every fourth person and every second place is labelled, or all. */
function corpus(hasGaps: boolean): Sentence[] {
  return Array.from({ length: 60 }, (_, i) =>
    sentenceOf(text(3 * i), {
      entities: [
        ...(hasGaps && i % 4 > 0 ? [] : [{ start: 1, end: 2, type: "PER" }]),
        ...(hasGaps && i % 2 > 0 ? [] : [{ start: 5, end: 6, type: "LOC" }]),
      ],
    }),
  );
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly type: string;
}
const shown = (entities: readonly Place[]): string[] =>
  entities.map(({ start, end, type }) => `${start} ${end} ${type}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-shift-in-use-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a model finds as `tag` and `evaluate` use it, exported, and behind the server. */
async function findings(directory: string, texts: readonly string[]) {
  const recogniser = await Recogniser.load(directory);
  const unshifted = await Recogniser.load(directory, { decode: { shift: 0 } });
  await exportModel(directory, `${directory}-exported`);
  const exported = await openExported(`${directory}-exported`);
  const server = await startServer({
    ...serveDefaults,
    version: "0",
    models: new Map([["model", directory]]),
    port: 0,
    workers: 0,
    log: jsonLog(() => {}),
  });
  try {
    const found = { tagged: [] as string[][], unshifted: [] as string[][], exported: [] as string[][] };
    for (const each of texts) {
      found.tagged.push(shown(await recogniser.tag(each)));
      found.unshifted.push(shown(await unshifted.tag(each)));
      found.exported.push(shown(await exported.tag(each)));
    }
    const answer = await fetch(server.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ inputs: texts }),
    });
    const served = (await answer.json()) as (Omit<Place, "type"> & { readonly entity_group: string })[][];
    const typed = served.map((each) => shown(each.map((entity) => ({ ...entity, type: entity.entity_group }))));
    return { ...found, served: typed };
  } finally {
    await server.stop();
    await exported.dispose();
    await unshifted.dispose();
    await recogniser.dispose();
  }
}

const heads = { token: { name: "token", dropout: 0 }, span: { name: "span", dropout: 0, hidden: 8, maxWidth: 3 } };
const cases = (["token", "span"] as const).flatMap((head) => [
  { head, shift: "auto", kind: "one number, chosen on dev" },
  { head, shift: "by-type", kind: "one for each type, by the estimate" },
  { head, shift: { PER: -4, LOC: 9 }, kind: "one for each type, as given" },
]);

describe("a model with a shift of its decision", () => {
  it.each(cases)("finds the same by tag, exported and served: $head, $kind", async ({ head, shift, kind }) => {
    const directory = join(folder, `${head}-${cases.findIndex((each) => each.head === head && each.kind === kind)}`);
    const settings = completeSettings({
      method: "ce",
      encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
      head: heads[head],
      decode: { shift },
      epochs: 6,
      rate: 0.01,
      batchTokens: 64,
      threads: 1,
    });
    const data = { train: corpus(true), dev: shift === "auto" ? corpus(false) : [] };
    for await (const _ of train(data, settings, { directory })) void _;
    const config = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    const kept = config.decode?.shift ?? config.training.decode.shift;
    expect(typeof kept).toBe(shift === "auto" ? "number" : "object");
    expect(Object.values(typeof kept === "number" ? [kept] : kept)).not.toContain(0);

    const texts = Array.from({ length: 40 }, (_, i) => text(i));
    const { tagged, unshifted, exported, served } = await findings(directory, texts);
    expect(tagged).not.toEqual(unshifted);
    expect(tagged.flat().length).toBeGreaterThan(5);
    expect(exported).toEqual(tagged);
    expect(served).toEqual(tagged);
  });
});
