/** The public list of the engine: symbolic graphs with gradients, layers, optimisers, and programs that run them. */
export * from "./nn/index.ts";
export * as tensor from "./tensor/index.ts";
export { adamw, type Optimiser, type OptimiserStep, sgd } from "./training/optimiser.ts";
