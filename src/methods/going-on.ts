import type { Settings } from "../training/index.ts";
import { type KeyPart, keyOf } from "../util/random.ts";

/** Settings of a training that goes on where another ended: its learning rate neither rises nor falls. */
export function goingOn(settings: Settings, epochs: number, ...purpose: readonly KeyPart[]): Settings {
  return {
    ...settings,
    epochs,
    schedule: "constant",
    warmup: 0,
    patience: 0,
    seed: keyOf(settings.seed, ...purpose),
  };
}
