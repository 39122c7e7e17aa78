import { ce } from "./ce.ts";
import type { Method } from "./method.ts";
import { uniform } from "./uniform.ts";
import { weighted } from "./weighted.ts";

/** Every method by name: what `--method` takes. */
export const methods = { ce, uniform, weighted } satisfies Readonly<Record<string, Method>>;
export type MethodName = keyof typeof methods;
export type { Method, SettingsInput } from "./method.ts";
