import { encoders, sources } from "../../dist/encoders/index.js";
import { inferences } from "../../dist/inference/retrieval.js";
import { methods } from "../../dist/methods/index.js";
import { builtInParts } from "../../dist/training/parts.js";
import { builtInSchema } from "../../dist/training/settings.js";
import { commentOn } from "./comments.mjs";
import { describeSetting } from "./ranges.mjs";
import { table } from "./table.mjs";

/** Every setting of a training run with its default and its range, from the schemas and the comments in them. */
export function settingsPage() {
  const { samplers, objectives, heads } = builtInParts;
  return `# Settings

Made by \`npm run reference\` from the schemas; do not edit. Give a setting with \`--set PATH=VALUE\`, in a file with \`--settings FILE\`
(YAML or JSON), or in a program as an object. Your settings override those of the method, and the method's override the defaults here.
\`config.json\` in a model directory holds the complete settings of its run.

A part is chosen by its name, \`--set sampler=weighted\`, and has settings of its own below that name: \`--set sampler.mu=4\`.
A setting that the chosen part does not have is an error.

\`--set\` reads a value as JSON where it is JSON, else as text. A setting that holds several values takes a path for each,
\`--set decode.shift.PER=-2 --set decode.shift.LOC=-1\`, or all of them as JSON, \`--set 'decode.shift={"PER":-2,"LOC":-1}'\`; YAML such as
\`{ PER: -2 }\` belongs in a settings file.

## The run

${settingsTable("", builtInSchema, ["training/settings.ts"])}

## Methods

\`method\` chooses what happens to text that nobody labelled; [methods](../methods.md) explains each. A method is a set of settings:

${table(
  ["method", "meaning", "its settings"],
  Object.values(methods).map(({ name, description, settings }) => [`\`${name}\``, description, code(settings)]),
)}

${sectionsOfMethods()}
## Samplers

\`sampler\` chooses which unknown spans serve as negatives.

${parts("sampler", samplers, (name) => [`samplers/${name}.ts`, "samplers/uniform.ts"])}
## Objectives

\`objective\` makes one number of scores and targets.

${parts("objective", objectives, (name) => [`objectives/${name}.ts`, "objectives/cross-entropy.ts"])}
## Heads

\`head\` is the kind of model.

${parts("head", heads, (name) => [`heads/${name}/settings.ts`])}
## Inference

\`inference\` says how spans get their labels in prediction.

${parts("inference", inferences, () => ["inference/retrieval.ts"])}
## Encoders

\`encoder\` turns tokens into vectors; [encoders](../encoders.md) explains each.

${parts("encoder", encoders, encoderFiles)}
## Sources

Sources are the parts of the encoder \`stack\`: \`--encoder words:FILE+chars\`. A source is reached by its name or number, as in
\`--set encoder.sources.transformer.train=top:2\`.

${parts("encoder.sources", sources, sourceFiles)}`;
}

/** Sections whose settings stand in a file of their own. */
const sectionFiles = {
  annealing: "training/annealing.ts",
  ensemble: "training/ensemble-settings.ts",
  contrastive: "objectives/contrastive.ts",
  decode: "inference/decode-settings.ts",
  featureSettings: "encoders/word-features.ts",
  words: "encoders/lexicon/words.ts",
  transformer: "encoders/transformer/body.ts",
};

function encoderFiles(name) {
  const own = [
    `encoders/${name}.ts`,
    `encoders/${name}/index.ts`,
    `encoders/${name}/body.ts`,
    `encoders/lexicon/${name}.ts`,
  ];
  return [...own, "encoders/token-vectors.ts", "encoders/kind.ts"];
}

function sourceFiles(name) {
  return [`encoders/sources/${name}.ts`, "encoders/transformer/body.ts", "encoders/kind.ts"];
}

/** The sections that only one method has. */
function sectionsOfMethods() {
  return Object.values(methods)
    .flatMap(({ name, sections = {} }) =>
      Object.entries(sections).map(
        ([section, schema]) =>
          `The method \`${name}\` has a section of its own:\n\n${settingsTable(`${section}.`, inner(schema), [`methods/${name}/index.ts`, `methods/${name}/settings.ts`, `methods/${name}.ts`, `heads/${name}/reader.ts`])}\n`,
      ),
    )
    .join("\n");
}

/** A heading and a table for each part of one sort. */
function parts(path, kinds, filesOf) {
  return Object.entries(kinds)
    .map(([name, { description, usage = name, settings }]) => {
      const prefix = path === "encoder.sources" ? `${path}.${name}.` : `${path}.`;
      const rows = Object.keys(settings.shape).some((key) => key !== "name");
      const text = rows ? settingsTable(prefix, settings, filesOf(name)) : "No settings.";
      return `### ${path.split(".").at(-1).replace(/s$/, "")} \`${usage}\`\n\n${description ? `${sentence(description)}\n\n` : ""}${text}\n`;
    })
    .join("\n");
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

function settingsTable(prefix, schema, files) {
  return table(["setting", "default", "values", "meaning"], [...rowsOf(prefix, schema, files)]);
}

function* rowsOf(prefix, schema, files) {
  for (const [name, property] of Object.entries(schema.shape)) {
    if (name === "name") continue;
    const within = inner(property);
    if (within.def.type === "object")
      yield* rowsOf(`${prefix}${name}.`, within, [sectionFiles[name] ?? [], files].flat());
    else if (within.def.type === "union" && within.def.discriminator)
      yield [`\`${prefix}${name}\``, chosen(property), "one of those below", commentOn(name, files)];
    else if (name === "method")
      yield ["`method`", describeSetting(property).given, "one of those below", commentOn(name, files)];
    else if (name === "sources")
      yield [`\`${prefix}${name}\``, "must be given", "list of sources", commentOn(name, files)];
    else {
      const { given, range } = describeSetting(property);
      yield [`\`${prefix}${name}\``, given, range, commentOn(name, files)];
    }
  }
}

/** The name of the part that is there when none is named. */
function chosen({ def }) {
  if (def.type !== "prefault") return "the method's";
  return `\`${typeof def.defaultValue === "string" ? def.defaultValue : def.defaultValue.name}\``;
}

/** A schema without what stands around it: defaults, preparation, null. */
function inner(schema) {
  const { def } = schema;
  if (def.type === "pipe") return inner(def.out);
  return def.innerType ? inner(def.innerType) : schema;
}

function code(settings) {
  const text = Object.entries(settings).flatMap(([key, value]) => flat(key, value));
  return text.length === 0 ? "–" : text.map((each) => `\`${each}\``).join(", ");
}

function flat(path, value) {
  if (typeof value !== "object" || value === null) return [`${path}=${value}`];
  return Object.entries(value).flatMap(([key, each]) => flat(key === "name" ? path : `${path}.${key}`, each));
}
