/** What the plan has to know of a candidate. */
export interface Contender {
  readonly name: string;
  readonly cost: { readonly fixed: number; readonly each: number };
  /** A longer trial goes on where a shorter one ended, instead of starting anew. */
  readonly goesOn: boolean;
  readonly control?: boolean | undefined;
}

/** Comparisons one after the other, each with longer trials of fewer candidates. */
export interface Rung {
  readonly epochs: number;
  /** How many take part. */
  readonly size: number;
}

export interface Budget {
  /** What the search may cost, in epochs of plain training. */
  readonly total: number;
  /** What every trial costs beside its epochs. */
  readonly start: number;
  /** Epochs of a full training, which no trial exceeds. */
  readonly epochs: number;
}

export interface Plan {
  readonly names: readonly string[];
  readonly rungs: readonly Rung[];
  /** What it costs at most, in epochs of plain training. */
  readonly cost: number;
}

/**
 * Successive halving (Jamieson and Talwalkar 2016) within a budget: each comparison halves the candidates and doubles the
 * epochs; a control stays beside them. Of all plans that fit, one with the most candidates, and of these the one with the
 * longest trials. The last candidates are left out where time is short; `undefined` when not even two fit.
 */
export function planHalving(contenders: readonly Contender[], budget: Budget): Plan | undefined {
  for (let size = contenders.length; size >= Math.min(2, contenders.length); size--) {
    const chosen = contenders.slice(0, size);
    for (let first = budget.epochs; first >= 1; first--) {
      const rungs = rungsOf(chosen, first, budget.epochs);
      const cost = costOf(chosen, rungs, budget.start);
      if (cost <= budget.total) return { names: chosen.map(({ name }) => name), rungs, cost };
    }
  }
  return undefined;
}

function rungsOf(contenders: readonly Contender[], first: number, most: number): Rung[] {
  const controls = contenders.filter(({ control }) => control).length;
  const rungs: Rung[] = [{ epochs: first, size: contenders.length }];
  for (;;) {
    const { epochs, size } = rungs.at(-1)!;
    const others = size - controls;
    if (others <= 2 || epochs >= most) return rungs;
    rungs.push({ epochs: Math.min(most, 2 * epochs), size: controls + Math.max(2, Math.ceil(others / 2)) });
  }
}

/** The cost where the dearest candidates always get on. */
function costOf(contenders: readonly Contender[], rungs: readonly Rung[], start: number): number {
  let total = 0;
  rungs.forEach(({ epochs, size }, number) => {
    const before = rungs[number - 1]?.epochs ?? 0;
    const costs = contenders.map(({ cost: { fixed, each }, goesOn }) => {
      const isLonger = goesOn && before > 0;
      return start + (isLonger ? 0 : fixed) + each * (isLonger ? epochs - before : epochs);
    });
    for (const cost of costs.sort((a, b) => b - a).slice(0, size)) total += cost;
  });
  return total;
}

/** What a candidate is worth on dev; nothing where its trial failed. */
export interface Scored {
  readonly name: string;
  readonly f1: number | null;
}

/** The names that get on to a comparison of `size`, best on dev first, of equals the earlier. A control always gets on. */
export function survivors(scored: readonly Scored[], size: number, controls: readonly string[] = []): string[] {
  const ranked = ranking(scored);
  const held = ranked.filter((name) => controls.includes(name));
  const best = ranked.filter((name) => !controls.includes(name)).slice(0, size - held.length);
  return ranked.filter((name) => held.includes(name) || best.includes(name));
}

/** Names from the best on dev down, without those that failed. */
export function ranking(scored: readonly Scored[]): string[] {
  return scored
    .filter(({ f1 }) => f1 !== null)
    .sort((a, b) => b.f1! - a.f1!)
    .map(({ name }) => name);
}

/** Epochs of the full training that fit into so many epochs of plain training; never fewer than the winner had in its trial. */
export function fullEpochs({ cost: { fixed, each } }: Contender, total: number, tried: number, most: number): number {
  return Math.min(most, Math.max(tried, Math.floor((total - fixed) / each)));
}
