type Runner = <T>(work: () => T) => T;

let runner: Runner = (work) => work();

/**
 * Does work that holds up the process for more than a moment with the size of its input. Signals are heard only between
 * two pieces of work, so a program may have to run such work in a way of its own.
 */
export function longWork<T>(work: () => T): T {
  return runner(work);
}

/** Says how this process does its long work. */
export function runLongWork(how: Runner): void {
  runner = how;
}
