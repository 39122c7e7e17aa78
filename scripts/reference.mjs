// Writes the pages of docs/reference that the program itself tells: npm run reference [-- --out DIR]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commandsPage } from "./reference/commands.mjs";
import { settingsPage } from "./reference/settings.mjs";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const out = values.out ?? fileURLToPath(new URL("../docs/reference", import.meta.url));
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "commands.md"), commandsPage());
writeFileSync(join(out, "settings.md"), settingsPage());
