import { createHash } from "node:crypto";
import { type Sentence, tokenCount, tokenTexts } from "../../text/index.ts";
import { cacheLimit, PartCache } from "./cache.ts";
import type { Extractor, FrozenPart, PrepareOptions } from "./frozen-part.ts";
import type { SegmentEntry } from "./segment.ts";

/** So much is held in memory before it goes to disk, or so long: what a killed process loses. */
const writeAfter = { bytes: 64e6, milliseconds: 20_000 };

const nothing = new Uint16Array(0);

/** The values of a frozen part: computed when sentences are prepared, found again by the tokens of a sentence. */
export class FeatureStore {
  private readonly part: FrozenPart;
  private cache: PartCache | undefined;
  private extractor: Extractor | undefined;
  private found: Promise<void> | undefined;
  /** Values that are not in the cache: those that stay, and those that the next call replaces. */
  private readonly held = new Map<string, Uint16Array>();
  private passing = new Map<string, Uint16Array>();
  /** Keys whose values on disk were found whole. */
  private readonly checked = new Set<string>();

  constructor(part: FrozenPart) {
    this.part = part;
  }

  /** Computes what is not there yet. Values of sentences that are not kept last until the next call. */
  async prepare(sentences: readonly Sentence[], options: PrepareOptions = {}): Promise<void> {
    const onDisk = cacheLimit() > 0;
    this.passing = new Map();
    this.found ??= this.part.check?.() ?? Promise.resolve();
    await this.found;
    const missing = await this.missing(sentences, onDisk);
    if (missing.length > 0) await this.compute(missing, options, onDisk && (options.keep ?? false));
    // In training the weights are not needed any more.
    if (options.keep) await this.close();
    if (this.cache) await this.cache.touch([...new Set(sentences.map(keyOf))].filter((key) => this.checked.has(key)));
  }

  /** The values of a sentence that was prepared. */
  values(sentence: Sentence): Uint16Array {
    return this.heldValues(sentence) ?? this.cache!.read(keyOf(sentence));
  }

  /** The same, written to the beginning of an array. */
  copy(sentence: Sentence, target: Uint16Array): void {
    const known = this.heldValues(sentence);
    if (known) target.set(known);
    else this.cache!.read(keyOf(sentence), target);
  }

  async dispose(): Promise<void> {
    await this.close();
    this.cache?.close();
    this.cache = undefined;
    this.checked.clear();
  }

  /** Values in memory; undefined for those that the cache has. */
  private heldValues(sentence: Sentence): Uint16Array | undefined {
    if (tokenCount(sentence) === 0) return nothing;
    const key = keyOf(sentence);
    const known = this.held.get(key) ?? this.passing.get(key);
    if (!known && !this.checked.has(key))
      throw new Error(`${this.part.name}: a sentence must be prepared before it is put into a batch`);
    return known;
  }

  /** Sentences without values, one for each text. */
  private async missing(sentences: readonly Sentence[], onDisk: boolean): Promise<Sentence[]> {
    const wanted = new Map<string, Sentence>();
    for (const sentence of sentences) {
      const key = keyOf(sentence);
      if (tokenCount(sentence) > 0 && !this.held.has(key) && !this.checked.has(key)) wanted.set(key, sentence);
    }
    if (!onDisk || wanted.size === 0) return [...wanted.values()];
    this.cache ??= new PartCache(`${this.part.name}-${this.part.id}`);
    await this.cache.refresh();
    for (const key of wanted.keys()) await this.look(key, wanted);
    return [...wanted.values()];
  }

  /** Takes a key off the list if the cache has it. */
  private async look(key: string, wanted: Map<string, Sentence>): Promise<void> {
    if (!(await this.cache!.find(key))) return;
    this.checked.add(key);
    wanted.delete(key);
  }

  private async compute(sentences: readonly Sentence[], options: PrepareOptions, write: boolean): Promise<void> {
    const { runtime = {}, signal, progress, keep = false } = options;
    const total = tokensOf(sentences);
    const pending = new Map<string, Uint16Array>();
    let [done, bytes, written] = [0, 0, Date.now()];
    try {
      for (const group of this.part.groups(sentences)) {
        signal?.throwIfAborted();
        progress?.({ part: this.part.name, done, total });
        const rest = write ? group.filter((sentence) => !this.cache!.has(keyOf(sentence))) : group;
        if (rest.length > 0) this.extractor ??= await this.part.open(runtime);
        const values = rest.length > 0 ? await this.extractor!.extract(rest) : [];
        rest.forEach((sentence, i) => {
          const target = write ? pending : keep ? this.held : this.passing;
          target.set(keyOf(sentence), values[i]!);
          bytes += values[i]!.byteLength;
        });
        done += tokensOf(group);
        if (!write || (bytes < writeAfter.bytes && Date.now() - written < writeAfter.milliseconds)) continue;
        await this.write(pending);
        [bytes, written] = [0, Date.now()];
      }
      progress?.({ part: this.part.name, done, total });
    } finally {
      // Whatever ends the work, what was computed counts.
      await this.write(pending);
    }
    if (write) await this.addOthers(sentences, options);
  }

  /** Writes what is pending, and sees what other processes have written. */
  private async write(pending: Map<string, Uint16Array>): Promise<void> {
    if (pending.size === 0) return;
    const entries = Array.from(pending, ([key, values]): SegmentEntry => ({ key, values }));
    pending.clear();
    await this.cache!.write(entries);
    for (const { key } of entries) this.checked.add(key);
    await this.cache!.refresh();
  }

  /** Values that another process computed meanwhile; they may be damaged, or gone again. */
  private async addOthers(sentences: readonly Sentence[], options: PrepareOptions): Promise<void> {
    const wanted = new Map(sentences.map((sentence) => [keyOf(sentence), sentence]));
    for (const key of [...wanted.keys()]) {
      if (this.checked.has(key)) wanted.delete(key);
      else await this.look(key, wanted);
    }
    if (wanted.size > 0) await this.compute([...wanted.values()], options, true);
  }

  private async close(): Promise<void> {
    await this.extractor?.dispose();
    this.extractor = undefined;
  }
}

function tokensOf(sentences: readonly Sentence[]): number {
  return sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0);
}

const keys = new WeakMap<Sentence, string>();

/** What values are addressed by: the tokens of a sentence. */
function keyOf(sentence: Sentence): string {
  const known = keys.get(sentence);
  if (known !== undefined) return known;
  const key = createHash("sha256")
    .update(JSON.stringify(tokenTexts(sentence)))
    .digest("hex")
    .slice(0, 32);
  keys.set(sentence, key);
  return key;
}
