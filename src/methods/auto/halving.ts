/** What the plan has to know of a candidate. */
export interface Contender {
  readonly name: string;
  /** What a training of so many epochs costs, in epochs of plain training: `fixed` + `each` · epochs. */
  readonly cost: { readonly fixed: number; readonly each: number };
  /** The epochs that its full training may have. */
  readonly longest: number;
  /** A longer trial goes on where a shorter one ended, instead of starting anew. */
  readonly goesOn: boolean;
  readonly control?: boolean;
}

/** Comparisons one after the other, each with longer trials of fewer candidates. */
export interface Rung {
  /** What each trial costs, in epochs of plain training. */
  readonly work: number;
  /** How many take part. */
  readonly size: number;
}

export interface Budget {
  /** What the search may cost, in epochs of plain training. */
  readonly total: number;
  /** What every trial costs beside its epochs. */
  readonly start: number;
  /** The work of a full training, beyond which trials are no longer made longer. */
  readonly epochs: number;
}

export interface Plan {
  readonly names: readonly string[];
  readonly rungs: readonly Rung[];
  /** What it costs at most, in epochs of plain training. */
  readonly cost: number;
}

/** Epochs that cost so much; at least one, and no more than the full training has. */
export function epochsFor({ cost: { fixed, each }, longest }: Contender, work: number): number {
  return Math.min(longest, Math.max(1, Math.round((work - fixed) / each)));
}

/** What the shortest trial costs: in comparisons of less work a candidate waits. */
function shortest({ cost: { fixed, each } }: Contender): number {
  return fixed + each;
}

/** Those that take part in a comparison of so much work, unless they were worse before. */
export function ready<C extends Contender>(contenders: readonly C[], { work }: Pick<Rung, "work">): C[] {
  return contenders.filter((each) => shortest(each) <= work);
}

/**
 * So many cheaper candidates must fit beside one that costs more than an epoch. With three, self-training would give way to
 * candidates that come after it, though it costs little more than they do.
 */
const cheaperBeside = 2;

/**
 * Successive halving (Jamieson and Talwalkar 2016) within a budget: each comparison halves the candidates and doubles the
 * work, which is the same for all of them; a control stays beside them. A candidate that cannot be tried for so little waits for
 * a comparison that is long enough. Candidates are taken in their order, as long as there is time for them and for the cheaper
 * ones that they must not crowd out, and trials are as long as the time allows. `undefined` when not even two fit.
 */
export function planHalving(contenders: readonly Contender[], budget: Budget): Plan | undefined {
  let chosen: readonly Contender[] = [];
  for (const [i, contender] of contenders.entries()) {
    const beside = cheaperOnes(contender, chosen, contenders.slice(i + 1));
    if (planOf([...chosen, contender, ...beside], 1, budget).cost <= budget.total) chosen = [...chosen, contender];
  }
  if (chosen.length < Math.min(2, contenders.length)) return undefined;
  for (let first = budget.epochs; first > 1; first--) {
    const plan = planOf(chosen, first, budget);
    if (plan.cost <= budget.total) return plan;
  }
  return planOf(chosen, 1, budget);
}

/**
 * The waiting candidates that must have room beside a dear one. In the time of one dear trial several cheap ones can be made, and
 * with it and the control alone there would be little to choose from. Cheaper ones that are chosen already count, and where
 * there are too few, all must fit.
 */
function cheaperOnes(
  contender: Contender,
  chosen: readonly Contender[],
  waiting: readonly Contender[],
): readonly Contender[] {
  if (shortest(contender) <= 1) return [];
  const isCheaper = (other: Contender): boolean => !other.control && shortest(other) < shortest(contender);
  const already = chosen.filter(isCheaper).length;
  return waiting.filter(isCheaper).slice(0, Math.max(0, cheaperBeside - already));
}

function planOf(contenders: readonly Contender[], first: number, { epochs, start }: Budget): Plan {
  const rungs = rungsOf(contenders, first, epochs);
  return { names: contenders.map(({ name }) => name), rungs, cost: costOf(contenders, rungs, start) };
}

function rungsOf(contenders: readonly Contender[], first: number, most: number): Rung[] {
  const controls = contenders.filter(({ control }) => control).length;
  const costs = contenders.map(shortest).sort((a, b) => a - b);
  const readyFor = (work: number): number => costs.filter((cost) => cost <= work).length;
  // A comparison needs two.
  const work = Math.max(first, costs[Math.min(1, costs.length - 1)]!);
  const rungs: Rung[] = [{ work, size: readyFor(work) }];
  for (;;) {
    const { work, size } = rungs.at(-1)!;
    const others = size - controls;
    const waiting = costs[readyFor(work)];
    if (waiting === undefined && (others <= 2 || work >= most)) return rungs;
    const doubled = Math.max(work, Math.min(most, 2 * work));
    const isSettled = others <= 2 || doubled === work;
    const next = waiting !== undefined && isSettled ? Math.max(doubled, waiting) : doubled;
    const joining = readyFor(next) - readyFor(work);
    rungs.push({ work: next, size: controls + Math.max(2, Math.ceil(others / 2) + joining) });
  }
}

/** The cost where the dearest candidates always get on. */
function costOf(contenders: readonly Contender[], rungs: readonly Rung[], start: number): number {
  let total = 0;
  rungs.forEach((rung, number) => {
    const before = rungs[number - 1];
    const known = new Set(before && ready(contenders, before));
    const costs = ready(contenders, rung).map((each) => {
      const { cost, goesOn } = each;
      const whole = start + cost.fixed + cost.each * epochsFor(each, rung.work);
      return goesOn && known.has(each) ? whole - cost.fixed - cost.each * epochsFor(each, before!.work) : whole;
    });
    for (const cost of costs.sort((a, b) => b - a).slice(0, rung.size)) total += cost;
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

/** Epochs of the full training that fit into so much work; never fewer than the winner had in its trial. */
export function fullEpochs({ cost: { fixed, each }, longest }: Contender, work: number, tried: number): number {
  return Math.min(longest, Math.max(tried, Math.floor((work - fixed) / each)));
}
