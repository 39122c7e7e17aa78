import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { table } from "./table.mjs";

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Every command with its options, from the help that the program prints. */
export function commandsPage() {
  const names = sectionOf(helpOf([]), "Commands").map(([usage]) => usage.split(" ")[0]);
  const commands = names.filter((name) => name !== "help");
  return `# Commands

Made by \`npm run reference\` from the program itself; do not edit. \`lacuna COMMAND --help\` prints the same, with examples.

Data go to standard output, progress and messages to standard error. \`-\` is standard input or output. Exit codes: 0 done,
1 failed, 2 bad usage or input, 130 interrupted. \`NO_COLOR\` and \`FORCE_COLOR\` switch colours off and on; \`COLUMNS\` sets the width.

${commands.map((name) => `[${name}](#${name})`).join(" · ")}

${commands.map(section).join("\n")}`;
}

function section(name) {
  const help = helpOf([name]);
  const usage = /^Usage: (.*)$/m.exec(help)[1];
  const description = help.split("\n\n")[1].trim();
  const given = sectionOf(help, "Arguments");
  const options = sectionOf(help, "Options").filter(([flags]) => !flags.includes("--help"));
  const rows = [...given, ...options].map(([flags, meaning]) => [`\`${flags}\``, readable(meaning)]);
  return `## ${name}

${description}.

    ${usage}

${table(["option", "meaning"], rows)}
`;
}

/** Flags and meanings of a part of the help, such as its options. */
function sectionOf(help, title) {
  const [, part = ""] = help.split(`\n${title}:\n`);
  const lines = part.split("\n\n")[0].split("\n");
  return lines.filter(Boolean).map((line) => /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line).slice(1));
}

/** `(choices: "a", "b")` as code. */
function readable(meaning = "") {
  return meaning.replace(/\(choices: (.*?)\)$/, (_, names) => `(one of ${names.replaceAll('"', "`")})`);
}

function helpOf(command) {
  const env = { ...process.env, COLUMNS: "5000", NO_COLOR: "1" };
  return execFileSync("node", [program, ...command, "--help"], { encoding: "utf8", env });
}
