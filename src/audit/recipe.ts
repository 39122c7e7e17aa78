/** Passes over the data in which a large corpus is learned well enough to judge it; more would learn its gaps too. */
const fewestEpochs = 4;
const mostEpochs = 30;
/** A small corpus takes more passes, until its models have seen so many tokens. */
const enoughTokens = 200_000;

export interface AuditSettings {
  readonly method: "ce";
  readonly head: { readonly name: "token" };
  readonly encoder: { readonly name: "bilstm"; readonly units?: number };
  readonly epochs: number;
  readonly rate: number;
  readonly batchTokens: number;
  readonly patience: number;
}

/**
 * The settings of an audit's models where the user gives none: a plain tagger, which ranks right although its threshold
 * is shifted by what is missing, and a short training. `quick` is for a first look.
 */
export function auditSettings(
  tokens: number,
  { quick = false }: { readonly quick?: boolean | undefined } = {},
): AuditSettings {
  const epochs = Math.min(mostEpochs, Math.max(fewestEpochs, Math.round(enoughTokens / Math.max(1, tokens))));
  return {
    method: "ce",
    head: { name: "token" },
    encoder: { name: "bilstm", ...(quick && { units: 64 }) },
    epochs: quick ? Math.ceil(epochs / 2) : epochs,
    rate: 0.003,
    batchTokens: 256,
    patience: 0,
  };
}

/** How often a corpus is cut and learned. */
export const auditFolds = { usual: 5, quick: 2 } as const;
