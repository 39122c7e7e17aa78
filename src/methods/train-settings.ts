import type { EncoderKind, EncoderSettings } from "../encoders/index.ts";
import type { DictionarySettings, Head } from "../heads/index.ts";
import type { Objective } from "../objectives/index.ts";
import type { Sampler } from "../samplers/index.ts";
import type { Settings } from "../training/index.ts";
import type { AutoSettings } from "./auto/settings.ts";
import type { AutonerMethodSettings } from "./autoner/index.ts";
import type { PuSettings } from "./bnpu.ts";
import type { BondSettings } from "./bond/index.ts";
import type { ConfidenceSettings } from "./conf-mpu.ts";
import type { Method } from "./method.ts";
import type { RosterSettings } from "./roster/index.ts";
import type { MethodName } from "./table.ts";
import type { ExploreSettings } from "./two-step/index.ts";
import type { CompletionSettings } from "./weighted-partial-crf/index.ts";

type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** A part by its name alone, or with some of its options; an option that no such part has does not compile. */
type PartInput<S extends { readonly name: string }> = S["name"] | (S extends unknown ? DeepPartial<S> : never);

type Parts = "method" | "encoder" | "sampler" | "objective" | "head" | "inference";

/**
 * What training can be told. Everything has a default: the method's, or the one that stands in the reference. A part of
 * your own goes where the name of one would stand.
 */
export interface TrainSettings extends DeepPartial<Omit<Settings, Parts>> {
  readonly method?: MethodName | Method;
  /** As on the command line, `transformer:DIR`, or with options. */
  readonly encoder?:
    | string
    | (EncoderSettings extends infer S ? (S extends unknown ? DeepPartial<S> : never) : never)
    | EncoderKind;
  readonly sampler?: PartInput<Settings["sampler"]> | Sampler;
  readonly objective?: PartInput<Settings["objective"]> | Objective;
  readonly head?: PartInput<Settings["head"]> | Head;
  readonly inference?: PartInput<Settings["inference"]>;
  /** Of the method `two-step`. */
  readonly explore?: Partial<ExploreSettings>;
  /** Of the method `autoner`. */
  readonly autoner?: Partial<AutonerMethodSettings>;
  /** Of the method `bond`. */
  readonly bond?: Partial<BondSettings>;
  /** Of the method `roster`. */
  readonly roster?: Partial<RosterSettings>;
  /** Of the method `auto`. */
  readonly auto?: Partial<AutoSettings>;
  /** Of the method `weighted-partial-crf`. */
  readonly completion?: Partial<CompletionSettings>;
  /** Of the methods `bnpu` and `conf-mpu`. */
  readonly pu?: Partial<PuSettings> | Partial<ConfidenceSettings>;
  /** Of the method `dictionary`. */
  readonly dictionary?: Partial<DictionarySettings>;
}
