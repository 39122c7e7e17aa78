import { posix, win32 } from "node:path";
import { completeSettings } from "../methods/index.ts";
import { merge, type Settings, type SettingsInput, settingAt } from "../training/index.ts";
import { InputError, messageOf, quote, unknownName } from "../util/errors.ts";
import { own } from "../util/own.ts";
import type { Study } from "./study.ts";
import type { TrainFile } from "./train-file.ts";

/** Which files a run reads, as paths below the data folder. */
export interface DataFiles {
  readonly train: readonly TrainFile[];
  readonly dev: string;
  readonly test: string;
}

/** Which annotations are hidden before training. */
export interface Masking {
  readonly by: "mention" | "fraction" | "surface";
  readonly rate: number;
  readonly seed: number;
}

/** A run that a study asks for. */
export interface PlannedRun {
  /** The labels of its values on the axes, in their order. */
  readonly place: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly files: DataFiles;
  readonly masking: Masking | null;
}

/** A value of an axis. */
interface AxisValue {
  readonly label: string;
  readonly settings: SettingsInput;
}

type Axes = ReadonlyMap<string, readonly AxisValue[]>;

/** The runs of a study in the order of its groups and axes, each once. `file` is for errors. */
export function plannedRuns(study: Study, file: string): PlannedRun[] {
  const axes = axesOf(study);
  const runs = new Map<string, PlannedRun>();
  study.groups.forEach((group, number) => {
    const chosen = choose(axes, group, { file, path: `groups.${number}` });
    assertCountable(chosen, runs.size, file);
    for (const values of product(chosen)) {
      const run = planned(study, values, file);
      const name = nameOf(run);
      if (!runs.has(name)) runs.set(name, run);
    }
  });
  return [...runs.values()];
}

/** More runs than anybody waits for: an axis too many, or a file that is no study. */
const mostRuns = 100_000;

function assertCountable(axes: Axes, before: number, file: string): void {
  const count = [...axes.values()].reduce((product, values) => product * values.length, 1);
  if (before + count > mostRuns) throw new InputError(`not a study: it asks for more than ${mostRuns} runs`, { file });
}

/** `conll03, ce, rate 0.5, seed 1`: the names of values alone tell enough, numbers need their axis. */
export function nameOf({ place }: Pick<PlannedRun, "place">): string {
  return Object.entries(place)
    .map(([axis, label]) => (/^[\d.]+$/.test(label) ? `${axis} ${label}` : label))
    .join(", ");
}

/** The labels of all values of each axis, in their order. */
export function axisLabels(study: Study): ReadonlyMap<string, readonly string[]> {
  return new Map([...axesOf(study)].map(([name, values]) => [name, values.map(({ label }) => label)]));
}

/** The data first, then the study's own axes in their order, rates and seeds last. */
function axesOf({ data, axes, rates, seeds }: Study): Axes {
  const own = Object.entries(axes).map(([name, axis]) => [name, valuesOf(axis)] as const);
  return new Map<string, readonly AxisValue[]>([
    ["data", Object.entries(data).map(([label, { settings }]) => ({ label, settings }))],
    ...own,
    ["rate", rates.map((rate) => ({ label: String(rate), settings: {} }))],
    ["seed", seeds.map((seed) => ({ label: String(seed), settings: { seed } }))],
  ]);
}

function valuesOf(axis: Study["axes"][string]): AxisValue[] {
  if (isValueList(axis)) {
    const { setting, values } = axis;
    return values.map((value) => ({
      label: typeof value === "string" ? value : JSON.stringify(value),
      settings: settingAt(setting, value),
    }));
  }
  return Object.entries(axis).map(([label, settings]) => ({ label, settings }));
}

function isValueList(axis: Study["axes"][string]): axis is { setting: string; values: unknown[] } {
  return typeof axis.setting === "string";
}

function choose(
  axes: Axes,
  group: Study["groups"][number],
  { file, path }: { readonly file: string; readonly path: string },
): Axes {
  for (const name of Object.keys(group)) {
    if (!axes.has(name))
      throw new InputError(`not a study: ${path}: unknown axis ${unknownName(name, axes.keys())}`, { file });
    if (group[name]!.length === 0 && (name === "data" || name === "seed"))
      throw new InputError(`not a study: ${path}.${name}: every run needs one, got none`, { file });
  }
  const chosen = [...axes].map(([name, values]) => {
    const wanted = own(group, name);
    if (wanted === undefined) return [name, values] as const;
    const picked = wanted.map((label) => {
      const value = values.find((each) => each.label === String(label));
      if (value) return value;
      const known = values.map((each) => each.label);
      throw new InputError(`not a study: ${path}.${name}: unknown ${unknownName(String(label), known)}`, { file });
    });
    return [name, picked] as const;
  });
  return new Map(chosen.filter(([, values]) => values.length > 0));
}

type Values = readonly (readonly [axis: string, value: AxisValue])[];

function product(axes: Axes): Values[] {
  return [...axes].reduce<Values[]>(
    (before, [axis, values]) => before.flatMap((chosen) => values.map((value) => [...chosen, [axis, value] as const])),
    [[]],
  );
}

function planned(study: Study, values: Values, file: string): PlannedRun {
  const place = Object.fromEntries(values.map(([axis, { label }]) => [axis, label]));
  const given = values.map(([, { settings }]) => settings).reduce(merge, study.settings);
  const data = study.data[place.data!]!;
  const { by = study.masking.by, seed = study.masking.seed } = data.masking;
  return {
    place,
    settings: checkedSettings(given, nameOf({ place }), file),
    files: filesOf(data, file),
    masking: place.rate === undefined ? null : { by, seed, rate: Number(place.rate) },
  };
}

function checkedSettings(given: SettingsInput, name: string, file: string): Settings {
  try {
    return completeSettings(given);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`run ${name}: ${messageOf(error)}`, { file }) : error;
  }
}

function filesOf(
  { folder = "", train, dev = "dev.conll", test = "test.conll" }: Study["data"][string],
  study: string,
): DataFiles {
  const within = (name: string): string => {
    const path = posix.join(folder, name);
    if (/^\.\.(\/|$)|^[/\\]|\0/.test(path) || win32.isAbsolute(path))
      throw new InputError(`not a study: data must lie below the data folder, got ${quote(path)}`, { file: study });
    return path;
  };
  const training = train ?? [{ file: "train.conll", silence: "unknown" as const }];
  return {
    train: training.map((each) => ({ ...each, file: within(each.file) })),
    dev: within(dev),
    test: within(test),
  };
}
