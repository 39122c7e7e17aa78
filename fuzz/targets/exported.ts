import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exportModel } from "../../src/export/index.ts";
import { onnxRuntime } from "../../src/tensor/index.ts";
import { ExportedRecogniser, type OnnxRuntime, parseDescription } from "../../src/web/index.ts";
import { ensure, type Target } from "../target.ts";
import { type Encoder, text, trained } from "./models.ts";

const described = "lacuna.json";
const weights = "model.onnx";

/** The files of a model that was exported, once in each process, but for its weights. */
async function filesOf(scratch: string, encoder: Encoder): Promise<Record<string, string>> {
  const folder = join(scratch, `exported-${encoder}`);
  if (!existsSync(join(folder, described))) await exportModel(await trained(scratch, encoder), folder);
  const names = readdirSync(folder).filter((name) => name !== weights);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/**
 * One of the files beside the weights at a time: whatever it holds, the model tags or is refused. The weights are those that
 * were exported, because ONNX Runtime is given nothing else; and their hashes are not looked at, which would refuse everything.
 */
const exportedFile = (name: string, encoder: Encoder): Target => ({
  name: `exported-${encoder}-${name}`,
  shape: "json",
  weight: 0.2,
  seeds: async (scratch) => [Buffer.from((await filesOf(scratch, encoder))[name]!)],
  async run(input, scratch) {
    const { [described]: json, ...files } = { ...(await filesOf(scratch, encoder)), [name]: input.toString("utf8") };
    const model = readFileSync(join(scratch, `exported-${encoder}`, weights));
    const description = parseDescription(json!, described);
    const ort = onnxRuntime() as unknown as OnnxRuntime;
    const options = { intraOpNumThreads: 1, logSeverityLevel: 4 };
    const recogniser = await ExportedRecogniser.open(ort, description, model, files, options);
    try {
      for (const { start, end, text: found, type } of await recogniser.tag(text)) {
        ensure(text.slice(start, end) === found, "exported: an entity that is not in the text");
        ensure(description.types.includes(type), "exported: an entity of no type");
      }
    } finally {
      await recogniser.dispose();
    }
  },
});

export const exportedTargets: readonly Target[] = [
  exportedFile(described, "stack"),
  exportedFile("source.words.json", "stack"),
  exportedFile("source.softlexicon.json", "stack"),
  exportedFile("source.dict.json", "stack"),
  exportedFile(described, "transformer"),
  exportedFile("tokenizer.json", "transformer"),
];
