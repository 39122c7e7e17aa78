import { type AddHelpTextContext, type AddHelpTextPosition, Command, type Help } from "commander";
import { coloured, columnsOf, widthOf, wrapped } from "./terminal.ts";

const usualWidth = 80;

/** A command whose help fits the terminal, also the texts that are added after it. */
export class HelpfulCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.configureHelp({
      minWidthToWrap: 20,
      styleTitle: (text) => coloured(text, "bold", process.stdout),
    } as Partial<Help>);
    this.configureOutput({ getOutHelpWidth: helpWidth, getErrHelpWidth: helpWidth });
  }

  override createCommand(name?: string): Command {
    return new HelpfulCommand(name);
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, (context) => {
      const content = typeof text === "string" ? text : text(context);
      return reflowed(content, helpWidth());
    });
  }
}

function helpWidth(): number {
  const columns = columnsOf();
  return Number.isFinite(columns) ? columns : usualWidth;
}

/** Paragraphs in lines that fit; lines that are set in stay on their own, and commands break as in a shell. */
export function reflowed(text: string, width: number): string {
  const blocks: string[] = [];
  for (const line of joinedShellLines(text)) {
    const last = blocks.at(-1);
    const continues = last !== undefined && isProse(last) && isProse(line);
    if (continues) blocks[blocks.length - 1] = `${last} ${line}`;
    else blocks.push(line);
  }
  return blocks
    .map((block) => (isCommand(block) ? brokenCommand(block, width) : wrappedBlock(block, width)))
    .join("\n");
}

function isProse(line: string): boolean {
  return line !== "" && !line.startsWith(" ") && !line.endsWith(":");
}

function isCommand(line: string): boolean {
  return /^ +\$ /.test(line);
}

/** Lines of a text, with those together that a backslash at the end continues. */
function joinedShellLines(text: string): string[] {
  return text.replaceAll(/ \\\n\s*/g, " ").split("\n");
}

/** A list of names and what they mean keeps its second column. */
function wrappedBlock(line: string, width: number): string {
  const hanging = /^ +\S+ +(?=\S)/.exec(line)?.[0] ?? "";
  const isList = line.startsWith("  ") && hanging.length > 2;
  return wrapped(line, { width, indent: isList ? " ".repeat(Math.max(0, widthOf(hanging) - 2)) : "" });
}

/** Joins what must not be parted: the wrapping knows only the space. */
const noBreak = "\u00a0";

/** A command over several lines, each but the last ending in a backslash; a flag and its value stay together. */
function brokenCommand(line: string, width: number): string {
  const joined = line.replaceAll(/(?<= --?[a-z][a-z-]*) (?=[^-|<>\s])/g, noBreak);
  const lines = wrapped(joined, { width: width - 2, indent: "    " }).split("\n");
  return lines.join(" \\\n").replaceAll(noBreak, " ");
}
