/** Counts of values up to each of some bounds, as Prometheus keeps them. */
export interface Histogram {
  observe(value: number): void;
  lines(name: string, labels: string): string[];
}

export function histogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let [sum, count] = [0, 0];
  return {
    observe(value) {
      bounds.forEach((bound, i) => {
        if (value <= bound) counts[i]!++;
      });
      sum += value;
      count++;
    },
    lines(name, labels) {
      const bucket = (bound: string, value: number): string =>
        `${name}_bucket{${labels === "" ? "" : `${labels},`}le="${bound}"} ${value}`;
      const braces = labels === "" ? "" : `{${labels}}`;
      return [
        ...bounds.map((bound, i) => bucket(String(bound), counts[i]!)),
        bucket("+Inf", count),
        `${name}_sum${braces} ${sum}`,
        `${name}_count${braces} ${count}`,
      ];
    },
  };
}
