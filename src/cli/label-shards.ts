import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { cuttableFormat, formats, formatToWrite, lacuna, readFormat, text } from "../formats/index.ts";
import { type LabelPolicy, type Matcher, serialise, writeMatcher } from "../lexicon/index.ts";
import { inputFiles, type LabelSettings } from "../queue/index.ts";
import { InputError } from "../util/errors.ts";
import type { CommandContext } from "./command.ts";
import type { LabelFlags } from "./label-flags.ts";
import { openMatcher } from "./label-matcher.ts";
import { formatLike, inputFile, readingFlags, writableName } from "./reading.ts";
import { runSharded } from "./sharded.ts";

/** Flags whose answer needs all of the input in one place. */
const ofTheWhole = ["report", "json", "sample", "limit", "saveMatcher"] as const;

/** Labels a share of the input, or lets workers label it. */
export async function labelInShards(flags: LabelFlags, policy: LabelPolicy, stop: CommandContext): Promise<void> {
  const given = ofTheWhole.find((name) => flags[name] !== undefined);
  if (given !== undefined)
    throw new InputError(
      `label: --${given === "saveMatcher" ? "save-matcher" : given} is for a run in one piece, without shards; leave it out`,
    );
  const { out, silence } = flags;
  const { onNotice: _, ...reading } = readingFlags(flags);
  const settings = async (folder: string): Promise<LabelSettings> => ({
    to: cuttableFormat(await outputFormat(flags)).name,
    ...(await placeMatcher(folder, await openMatcher(flags))),
    policy: policy as LabelSettings["policy"],
    ...(flags.toScheme && { scheme: flags.toScheme }),
    reading: { ...reading, silence } as LabelSettings["reading"],
  });
  const command = { work: "label", title: "labelling", flags, ending: extname(out) || ".jsonl", settings };
  await runSharded({ ...command, threads: flags.workers + 1 }, stop);
}

/** The format that a run in one piece would write: like the first input where the names agree, else by the name. */
async function outputFormat({ in: input, from, encoding, to, out }: LabelFlags): Promise<string> {
  if (to !== undefined) return to;
  const { path, format } = inputFile(input, from);
  const [first] = await inputFiles(path);
  const found = await readFormat(first!, formats, { format, encoding });
  const like = found.name === text.name ? undefined : formatLike(out, [{ path, format: writableName(found) }]);
  return like ?? formatToWrite(out, formats, lacuna, undefined).name;
}

/** The compiled dictionaries, beside the shards: every machine opens the same ones, under the name of their content. */
async function placeMatcher(folder: string, matcher: Matcher): Promise<Pick<LabelSettings, "matcher" | "hash">> {
  const hash = createHash("sha256").update(serialise(matcher)).digest("hex");
  const path = join(resolve(folder), `${hash.slice(0, 32)}.matcher`);
  if (!existsSync(path)) await writeMatcher(path, matcher);
  return { matcher: path, hash };
}
