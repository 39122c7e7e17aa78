import { shiftText } from "../../inference/index.ts";
import type { Origin, Trial } from "../../training/index.ts";
import { type CorpusFacts, describeFacts } from "./facts.ts";
import type { Plan } from "./halving.ts";
import type { Found, SearchState } from "./state.ts";

/** `6 candidates for 2 epochs' work each, then 3 for 4, …`. */
export function describePlan({ rungs, cost }: Plan, { epoch }: SearchState["rate"]): string {
  const work = (epochs: number): string => String(Number(epochs.toFixed(1)));
  const parts = rungs.map((rung, i) =>
    i === 0
      ? `${rung.size} candidates for the work of ${work(rung.work)} ${rung.work === 1 ? "epoch" : "epochs"}`
      : `${rung.size} for that of ${work(rung.work)}`,
  );
  const seconds = epoch < 10 ? epoch.toFixed(2) : epoch.toFixed(0);
  return `${parts.join(", ")}: at most ${Math.ceil((cost * epoch) / 60)} min, by ${seconds} s for an epoch of plain training`;
}

/** The head and rows of a table of trials. */
export function trialRows(trials: readonly Trial[]): string[][] {
  const percent = (value: number | null): string => (value === null ? "failed" : (100 * value).toFixed(2));
  return [
    ["tried", "method", "settings", "epochs", "dev F1", "without shift", "shift", "seconds"],
    ...trials.map(({ name, method, settings, epochs, f1, unshifted, shift, seconds }) => [
      name,
      method,
      settings.join(" "),
      String(epochs),
      percent(f1),
      percent(unshifted),
      shift === undefined ? "" : shiftText(shift),
      seconds.toFixed(1),
    ]),
  ];
}

export function describeSearch(
  facts: CorpusFacts,
  reason: string,
  { winner, epochs, candidates, leftOut, trials, plan, rate }: Found,
): Origin {
  const [head, ...rows] = trialRows(trials);
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const table = [line(head!), line(head!.map(() => "---")), ...rows.map(line)].join("\n");
  const reasons = candidates.map((entry) => `- \`${entry.name}\`: ${entry.reason}`).join("\n");
  const names = leftOut.map(({ name }) => `\`${name}\``).join("; ");
  const untried = leftOut.length === 0 ? "" : `These suit the data too, but the time did not allow them: ${names}.\n\n`;
  const card = `## How this was chosen

${describeFacts(facts)}.

${reasons}

${untried}${describePlan(plan, rate)}. \`${winner.name}\` is ${reason}. It was trained for at most ${epochs} epochs.

${table}`;
  const chosen = { name: winner.name, method: winner.method, epochs, reason };
  return { card, facts: { auto: { facts, rate, plan, trials, chosen } } };
}

export function describeFallback(facts: CorpusFacts, reason: string): Origin {
  const card = `## How this was chosen\n\n${describeFacts(facts)}.\n\n${reason[0]!.toUpperCase()}${reason.slice(1)}.`;
  return { card, facts: { auto: { facts, chosen: { reason } } } };
}
