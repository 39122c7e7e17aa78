/** Thrown when the loss is not a finite number; parameters are as they were before the step. */
export class DivergedError extends Error {
  constructor(step: number, loss: number) {
    super(
      `training: the loss became ${loss} at step ${step}; the last good state is kept (try a smaller learning rate)`,
    );
    this.name = "DivergedError";
  }
}
