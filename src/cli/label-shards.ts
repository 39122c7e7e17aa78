import { rename } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { cuttableFormat, formats, formatToWrite, lacuna } from "../formats/index.ts";
import { type LabelPolicy, type Matcher, writeMatcher } from "../lexicon/index.ts";
import type { LabelSettings } from "../queue/index.ts";
import { InputError } from "../util/errors.ts";
import { hashFile } from "../util/file-hash.ts";
import type { CommandContext } from "./command.ts";
import type { LabelFlags } from "./label-flags.ts";
import { openMatcher } from "./label-matcher.ts";
import { readingFlags } from "./reading.ts";
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
  const to = flags.to ?? formatToWrite(out, formats, lacuna, undefined).name;
  cuttableFormat(to);
  const { onNotice: _, ...reading } = readingFlags(flags);
  const settings = async (folder: string): Promise<LabelSettings> => ({
    ...(await placeMatcher(folder, await openMatcher(flags, stop.atOnce))),
    policy: policy as LabelSettings["policy"],
    to,
    ...(flags.toScheme && { scheme: flags.toScheme }),
    reading: { ...reading, silence } as LabelSettings["reading"],
  });
  const command = { work: "label", title: "labelling", flags, ending: extname(out) || ".jsonl", settings };
  await runSharded({ ...command, threads: flags.workers + 1 }, stop);
}

/** The compiled dictionaries, beside the shards: every machine opens the same ones, without reading the sources. */
async function placeMatcher(folder: string, matcher: Matcher): Promise<Pick<LabelSettings, "matcher" | "hash">> {
  const draft = join(folder, "dictionaries.matcher");
  await writeMatcher(draft, matcher);
  const hash = await hashFile(draft);
  const path = join(folder, `${hash.slice(0, 32)}.matcher`);
  await rename(draft, path);
  return { matcher: resolve(path), hash };
}
