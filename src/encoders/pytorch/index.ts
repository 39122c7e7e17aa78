/** Files of `torch.save`, read without running anything. */
export { PyTorchFile } from "./file.ts";
export { type Pickled, PickledRecord } from "./pickle-machine.ts";
