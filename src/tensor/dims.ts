/**
 * A dimension: a number, or a name that is bound when the graph runs (`batch`, `time`, `spans`). Sums and products of
 * names are written out, `batch*time` or `time+2`, in a canonical order, so that equal dimensions are equal strings.
 */
export type Dim = number | string;
export type Shape = readonly Dim[];
export type Bindings = ReadonlyMap<string, number>;

export function times(...dims: readonly Dim[]): Dim {
  return dims.reduce<Dim>(
    (product, dim) => plus(...termsOf(product).flatMap((a) => termsOf(dim).map((b) => multiply(a, b)))),
    1,
  );
}

/** The product of two terms without a sum in them. */
function multiply(...terms: readonly Dim[]): Dim {
  const factors = terms.flatMap((term) => (typeof term === "number" ? [term] : term.split("*").map(parse)));
  const coefficient = factors.reduce<number>(
    (product, factor) => (typeof factor === "number" ? product * factor : product),
    1,
  );
  const names = factors.filter((factor) => typeof factor === "string").sort();
  if (names.length === 0 || coefficient === 0) return coefficient;
  return (coefficient === 1 ? names : [String(coefficient), ...names]).join("*");
}

function termsOf(dim: Dim): Dim[] {
  return typeof dim === "number" ? [dim] : dim.split("+").map(parse);
}

export function plus(...dims: readonly Dim[]): Dim {
  let constant = 0;
  const counts = new Map<string, number>();
  for (const term of dims.flatMap((dim) => (typeof dim === "number" ? [dim] : dim.split("+").map(parse)))) {
    if (typeof term === "number") constant += term;
    else {
      const [count, name] = coefficientOf(term);
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
  }
  const terms = [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const written = terms.map(([name, count]) => (count === 1 ? name : `${count}*${name}`));
  if (written.length === 0) return constant;
  return (constant === 0 ? written : [...written, String(constant)]).join("+");
}

export function minus(a: Dim, b: Dim): Dim {
  const negated = typeof b === "number" ? -b : plus(...b.split("+").map((term) => times(-1, parse(term))));
  return plus(a, negated);
}

export function sizeOf(shape: Shape): Dim {
  return times(...shape);
}

/** The names a dimension is made of. */
export function namesIn(dim: Dim): string[] {
  return typeof dim === "number" ? [] : dim.split(/[+*]/).filter((part) => typeof parse(part) === "string");
}

export function evaluate(dim: Dim, bindings: Bindings): number {
  if (typeof dim === "number") return dim;
  let sum = 0;
  for (const term of dim.split("+")) {
    let product = 1;
    for (const factor of term.split("*")) {
      const value = parse(factor);
      const bound = typeof value === "number" ? value : bindings.get(value);
      if (bound === undefined) throw new RangeError(`dimensions: ${factor} is not bound by any input`);
      product *= bound;
    }
    sum += product;
  }
  return sum;
}

export function formatShape(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, axis) => dim === b[axis]);
}

/** The common shape of two operands under NumPy's broadcasting; undefined when they do not fit. */
export function broadcast(a: Shape, b: Shape): Shape | undefined {
  const rank = Math.max(a.length, b.length);
  const result: Dim[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left === right || right === 1) result.push(left);
    else if (left === 1) result.push(right);
    else return undefined;
  }
  return result;
}

/** A non-negative axis; undefined when out of range. */
export function axisOf(axis: number, rank: number): number | undefined {
  const positive = axis < 0 ? axis + rank : axis;
  return Number.isInteger(positive) && positive >= 0 && positive < rank ? positive : undefined;
}

function parse(factor: string): Dim {
  return /^-?\d+$/.test(factor) ? Number(factor) : factor;
}

function coefficientOf(term: string): [number, string] {
  const [first, ...rest] = term.split("*");
  const value = parse(first!);
  return typeof value === "number" ? [value, rest.join("*")] : [1, term];
}
