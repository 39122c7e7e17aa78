/** A command that writes, and how it goes on after it was killed. */
export interface KilledCommand {
  readonly name: string;
  /** What is given to the program; everything is written into the folder `out` or to the file `out`. */
  readonly args: readonly string[];
  /** Standard input from this file. */
  readonly input?: string;
  /** Added when the first attempt left something that the command goes on with. */
  readonly resume?: { readonly when: string; readonly args: readonly string[] };
  /** How often it is killed in a whole test. */
  readonly kills: number;
}

const set = (...settings: readonly string[]): string[] => settings.flatMap((setting) => ["--set", setting]);
const tiny = set("encoder.units=16", "encoder.wordWidth=16", "batchTokens=64", "rate=0.02", "threads=1");
const training = ["train", "--train", "small.conll", "--dev", "small.conll", "--out", "out", "--epochs", "4", ...tiny];
const train = [...training, ...set("head.hidden=16")];

/** A training of several stages. */
function staged(name: string, ...args: readonly string[]): KilledCommand {
  const resume = { when: "out/stages", args: ["--resume"] };
  return { name: `train ${name}`, args: [...training, ...args], resume, kills: 8 };
}

/** Every command that writes files. */
export const killedCommands: readonly KilledCommand[] = [
  { name: "convert", args: ["convert", "--in", "large.conll", "--out", "out.jsonl"], kills: 12 },
  {
    name: "convert from standard input",
    args: ["convert", "--in", "-", "--from", "conll", "--out", "out.jsonl"],
    input: "large.conll",
    kills: 10,
  },
  {
    name: "convert to a folder",
    args: ["convert", "--in", "small.txt", "--out", "out", "--to", "brat", "--list-losses"],
    kills: 10,
  },
  {
    name: "label",
    args: ["label", "--dict", "names.tsv", "--in", "large.txt", "--out", "out.jsonl", "--report", "out.json"],
    kills: 12,
  },
  {
    name: "mask",
    args: ["mask", "--in", "large.conll", "--out", "out.conll", "--hidden", "out-hidden.conll", "--rate", "0.5"],
    kills: 10,
  },
  { name: "check", args: ["check", "large.conll", "--figure", "out.svg"], kills: 6 },
  { name: "train", args: train, resume: { when: "out/checkpoint", args: ["--resume"] }, kills: 16 },
  staged("in two steps", "--method", "two-step", ...set("explore.epochs=1", "explore.remove=0.5")),
  staged("by self-train", "--method", "self-train", ...set("selfTrain.folds=2", "selfTrain.epochs=2")),
  staged("by bond", "--method", "bond", ...set("bond.early=2")),
  staged("by roster", "--method", "roster", ...set("roster.members=2", "roster.rounds=1")),
  // The time of an epoch is given, or the plan would depend on the clock.
  staged("by auto", "--method", "auto", "--minutes", "0.08", ...set("auto.epochSeconds=1")),
  staged("as an ensemble", "--method", "ce", "--ensemble", "2"),
  { name: "tag", args: ["tag", "--model", "model", "--in", "large.txt", "--out", "out.jsonl"], kills: 12 },
  { name: "import", args: ["import", "bert", "--out", "out"], kills: 6 },
  { name: "export", args: ["export", "--model", "model", "--out", "out"], kills: 6 },
  {
    name: "export to a page",
    args: ["export", "--model", "model", "--out", "out", "--to", "web", "--int8", "--data", "small.conll"],
    kills: 6,
  },
  {
    name: "audit",
    args: [
      ...["audit", "--data", "small.conll", "--out", "out.jsonl", "--tasks", "out-tasks.json", "--figure", "out.svg"],
      ...["--folds", "2", "--epochs", "1", "--jobs", "1", ...tiny],
    ],
    kills: 6,
  },
  {
    name: "review as a file",
    args: ["review", "--data", "large.txt", "--from", "text", "--audit", "audit.jsonl", "--html", "out.html"],
    kills: 6,
  },
  {
    name: "experiment",
    args: ["experiment", "study", "--out", "out", "--data", ".", "--jobs", "1"],
    kills: 6,
  },
  { name: "demo", args: ["demo", "--out", "out", "--epochs", "1"], kills: 6 },
];

export const trainModel: readonly string[] = train.map((each) => (each === "out" ? "model" : each));
