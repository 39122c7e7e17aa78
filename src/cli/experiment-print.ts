import { type MethodName, methods, stagesOf } from "../methods/index.ts";
import type { RunState, StudyEvent } from "../studies/index.ts";
import { nameOf } from "../studies/index.ts";
import type { Settings } from "../training/index.ts";
import { percent } from "./evaluate-print.ts";
import { note } from "./output.ts";
import { clock } from "./progress.ts";
import { table } from "./table.ts";
import { roundedEpoch } from "./train-print.ts";
import { plural } from "./watch.ts";

/** The runs of a study with what is known of them. */
export function describeRuns(states: readonly RunState[]): string {
  const rows = states.map(({ run, result, begun }) => [
    nameOf(run),
    result ? percent(result.test.f1) : "–",
    result ? "done" : begun ? "begun" : "to do",
  ]);
  return table([["run", "test F1", "state"], ...rows]);
}

/** What the runs that have no result will cost at most. */
export function describeCost(states: readonly RunState[]): string {
  const open = states.filter(({ result }) => result === undefined);
  const epochs = open.reduce((sum, { run: { settings } }) => sum + epochsOf(settings), 0);
  return `${plural(states.length, "run")}, ${states.length - open.length} done; the others train ${plural(epochs, "epoch")} at most`;
}

function epochsOf(settings: Settings): number {
  const stages = stagesOf(methods[settings.method as MethodName], settings);
  return stages.reduce((sum, stage) => sum + stage.settings.epochs, 0);
}

export function runsAsJson(states: readonly RunState[]): object[] {
  return states.map(({ run, key, result, begun }) => ({
    ...run.place,
    key,
    state: result ? "done" : begun ? "begun" : "to do",
    ...(result && { dev: result.dev.f1, test: result.test.f1 }),
  }));
}

export interface StudyWatch {
  see(event: StudyEvent): void;
  /** One line for each run that failed. */
  failures(): readonly string[];
}

/** Tells how a study goes: lines, since several runs go on at a time. */
export function watchStudy(
  states: readonly RunState[],
  { quiet }: { readonly quiet: boolean | undefined },
): StudyWatch {
  const failures: string[] = [];
  const say = (text: string): void => {
    if (!quiet) note(text);
  };
  let done = states.filter(({ result }) => result !== undefined).length;
  if (done > 0)
    say(`${done} of ${plural(states.length, "run")} ${done === 1 ? "has a result" : "have results"} already`);
  return {
    see(event) {
      const name = nameOf(event.state.run);
      if (event.kind === "begin") say(`${name}: ${event.state.begun ? "goes on" : "begins"}`);
      else if (event.kind === "failure") {
        failures.push(`${name}: ${event.reason}`);
        say(`${name}: failed: ${event.reason}`);
      } else if (event.kind === "end") {
        done++;
        const { test, bestEpoch, seconds } = event.result;
        const where = `${done} of ${states.length}`;
        say(
          `${name}: test F1 ${percent(test.f1)} % after epoch ${roundedEpoch(bestEpoch)}, ${clock(1000 * seconds)} (${where})`,
        );
      } else if (event.record.kind === "evaluation") {
        const { epoch, dev, stage } = event.record;
        const score = dev === null ? "" : `, dev F1 ${percent(dev.f1)} %`;
        say(`${name}: ${stage === undefined ? "" : `${stage}, `}epoch ${roundedEpoch(epoch)}${score}`);
      }
    },
    failures: () => failures,
  };
}
