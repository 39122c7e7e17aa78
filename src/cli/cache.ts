import {
  type CachedFile,
  cachedFiles,
  cacheLimit,
  clearCache,
  describeBytes,
  featureFolder,
} from "../encoders/index.ts";
import type { RegisterCommand } from "./command.ts";
import { jsonOption } from "./options.ts";
import { print, printJson } from "./output.ts";

const help = `
Vectors of frozen parts are computed once for each text and kept below LACUNA_CACHE, by default in the user's cache folder.
LACUNA_CACHE_SIZE bounds them (default: 20GB); what was used longest ago goes first. Clearing loses nothing but time.

Examples:
  $ lacuna cache
  $ lacuna cache --clear`;

export const cache: RegisterCommand = (program) => {
  program
    .command("cache")
    .description("Show or clear the vectors of frozen parts that are kept on disk")
    .option("--clear", "remove all of them")
    .addOption(jsonOption("print what there is as JSON"))
    .addHelpText("after", help)
    .action(run);
};

async function run({ clear = false, json = false }: { clear?: boolean; json?: boolean }): Promise<void> {
  const parts = byPart(await cachedFiles());
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (clear) await clearCache();
  if (json) printJson({ folder: featureFolder(), limit: cacheLimit(), bytes, cleared: clear, parts });
  else if (clear) print(`${featureFolder()}: ${describeBytes(bytes)} removed`);
  else print(describeParts(parts, bytes));
}

interface CachedPart {
  readonly part: string;
  readonly files: number;
  readonly bytes: number;
  readonly lastUse: string;
}

function byPart(files: readonly CachedFile[]): CachedPart[] {
  const names = [...new Set(files.map(({ part }) => part))].sort();
  return names.map((part) => {
    const own = files.filter((file) => file.part === part);
    return {
      part,
      files: own.length,
      bytes: own.reduce((sum, file) => sum + file.bytes, 0),
      lastUse: new Date(Math.max(...own.map(({ lastUse }) => lastUse))).toISOString(),
    };
  });
}

function describeParts(parts: readonly CachedPart[], bytes: number): string {
  const lines = parts.map(
    ({ part, bytes: own, lastUse }) =>
      `  ${part}  ${describeBytes(own).padStart(8)}  last used ${lastUse.slice(0, 16).replace("T", " ")}`,
  );
  const size = `${describeBytes(bytes)} of ${describeBytes(cacheLimit())}`;
  return [`${featureFolder()}: ${size}`, ...lines].join("\n");
}
