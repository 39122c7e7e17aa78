export interface Machine {
  readonly cores: number;
  /** Threads of each slot. */
  readonly threads: number;
  /** Bytes that all slots may take together. */
  readonly memory: number;
  /** Most bytes that a slot has taken so far; 0 where none has. */
  readonly peak: number;
}

/** What a slot is thought to take before one was seen: an engine and a small model. */
const firstGuess = 512 << 20;

/** How many jobs fit on a machine at a time: by its cores, and by the memory that the largest job so far took. */
export function slotCount({ cores, threads, memory, peak }: Machine): number {
  const byCores = Math.max(1, Math.floor(cores / threads));
  const byMemory = Math.max(1, Math.floor(memory / (peak || firstGuess)));
  return Math.min(byCores, byMemory);
}
