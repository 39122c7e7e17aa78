/** A factor on all learning rates, by the share of training that is done, from 0 to 1. */
export type Schedule = (progress: number) => number;

/** Rises linearly over the first `warmup` share of training, then stays. */
export function constant({ warmup = 0 }: { readonly warmup?: number } = {}): Schedule {
  return (progress) => (progress < warmup ? progress / warmup : 1);
}

/** Rises linearly over the first `warmup` share of training, then falls linearly to 0. */
export function linear({ warmup = 0.1 }: { readonly warmup?: number } = {}): Schedule {
  return (progress) => (progress < warmup ? progress / warmup : Math.max(0, (1 - progress) / (1 - warmup)));
}

export const schedules = { constant, linear };
export type ScheduleName = keyof typeof schedules;
