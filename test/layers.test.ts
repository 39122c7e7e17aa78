import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/** The folders of `src/`, each with those that it may import: what it needs, not all that lies above. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  util: [],
  text: ["util"],
  tensor: ["util"],
  formats: ["util", "text"],
  lexicon: ["util", "text"],
  evaluation: ["util", "text"],
  samplers: ["util", "tensor"],
  nn: ["util", "tensor"],
  objectives: ["util", "tensor"],
  inputs: ["util", "text", "lexicon"],
  encoders: ["util", "text", "tensor", "lexicon", "nn", "inputs"],
  heads: ["util", "text", "tensor", "lexicon", "samplers", "nn", "objectives", "inputs", "encoders"],
  inference: ["util", "text", "tensor", "nn", "encoders", "heads"],
  web: ["util", "text", "nn", "inputs", "heads", "inference"],
  export: ["util", "text", "tensor", "nn", "inputs", "encoders", "heads", "inference", "evaluation", "web"],
  training: [
    ...["util", "text", "tensor", "formats", "evaluation", "samplers", "nn", "objectives", "encoders", "heads"],
    "inference",
  ],
  methods: [
    ...["util", "text", "lexicon", "evaluation", "samplers", "objectives", "encoders", "heads"],
    ...["inference", "training"],
  ],
  serve: ["util", "text", "inference"],
  audit: ["util", "text", "evaluation", "heads", "inference", "training"],
  review: ["util", "text", "formats", "audit"],
  studies: ["util", "text", "tensor", "formats", "lexicon", "evaluation", "inference", "training", "methods"],
  queue: ["util", "text", "formats", "lexicon", "inference", "training", "studies"],
  report: ["util", "text", "evaluation", "encoders", "inference", "methods", "audit", "studies"],
  cli: [
    ...["util", "text", "formats", "lexicon", "evaluation", "encoders", "inference", "training", "methods"],
    ...["audit", "review", "serve", "studies", "queue", "report", "export"],
  ],
};

/** Files directly in `src/`: the lists of what the package offers, with the folders they may import. */
const publicLists: Readonly<Record<string, readonly string[]>> = {
  "index.ts": [
    ...["util", "text", "formats", "lexicon", "evaluation", "samplers", "objectives", "encoders", "heads"],
    ...["inference", "training", "methods", "audit", "studies"],
  ],
  "engine.ts": ["tensor", "nn", "training"],
  "studies.ts": ["evaluation", "samplers", "audit", "studies"],
};

/** What a folder offers to others: all of it, and the part that needs neither Node nor the engine. */
const lists = ["index.ts", "pure.ts"];

/** The one place that knows the engine. */
const engine = { package: "onnxruntime-node", home: "tensor/runtime" };

/** Paths below `src/` with what each imports: other such paths, or names of packages. */
type Imports = ReadonlyMap<string, readonly string[]>;

function problems(imports: Imports): string[] {
  const found: string[] = [];
  for (const [file, targets] of imports) {
    const folder = folderOf(file);
    const imported = folder === undefined ? publicLists[file] : mayImport[folder];
    if (imported === undefined) {
      found.push(`${file}: ${file.includes("/") ? "its folder" : "it"} is not in the table of layers`);
      continue;
    }
    const allowed = new Set([...imported, folder]);
    for (const target of targets) {
      const other = folderOf(target);
      // A test may ask the runtime itself, as an oracle.
      if (target === engine.package && !file.startsWith(engine.home) && !file.endsWith(".test.ts"))
        found.push(`${file}: only ${engine.home} may import ${target}`);
      if (!imports.has(target)) continue;
      const throughIndex =
        other === folder || other === "util" || lists.includes(target.slice(target.indexOf("/") + 1));
      if (other === undefined || !allowed.has(other)) found.push(`${file}: ${folder ?? "it"} may not import ${target}`);
      else if (folder !== undefined && !throughIndex && !/\.(test|suite)\.ts$/.test(file))
        found.push(`${file}: imports ${target} past ${other}/index.ts`);
    }
  }
  const cycle = findCycle(imports);
  if (cycle !== undefined) found.push(`import cycle: ${cycle.join(" → ")}`);
  return found;
}

function folderOf(file: string): string | undefined {
  return file.includes("/") ? file.slice(0, file.indexOf("/")) : undefined;
}

function findCycle(imports: Imports): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file) || !imports.has(file)) return undefined;
    path.push(file);
    for (const target of imports.get(file)!) {
      const cycle = visit(target);
      if (cycle !== undefined) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function importsOfSources(): Imports {
  const root = fileURLToPath(new URL("../src/", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).map((file) => file.replaceAll("\\", "/"));
  return new Map(
    files
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => {
        const { importedFiles } = ts.preProcessFile(readFileSync(`${root}/${file}`, "utf8"), true, true);
        return [file, importedFiles.map(({ fileName }) => resolve(file, fileName))];
      }),
  );
}

/** The imports that are there when a program runs: those of types alone are erased. */
function importsAtRunTime(): Imports {
  const root = fileURLToPath(new URL("../src/", import.meta.url));
  return new Map(
    [...importsOfSources().keys()].map((file) => {
      const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, "utf8"), ts.ScriptTarget.ES2023);
      const targets: string[] = [];
      const visit = (node: ts.Node): void => {
        const isImport = ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword;
        const isExport = ts.isExportDeclaration(node) && !node.isTypeOnly;
        const named = isImport || isExport ? (node as ts.ImportDeclaration).moduleSpecifier : dynamicTarget(node);
        if (named && ts.isStringLiteralLike(named)) targets.push(resolve(file, named.text));
        ts.forEachChild(node, visit);
      };
      visit(source);
      return [file, targets];
    }),
  );
}

/** What `import("…")` names. */
function dynamicTarget(node: ts.Node): ts.Expression | undefined {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined;
}

/** Everything that is loaded with the files of a folder. */
function reachedFrom(folder: string, imports: Imports): Set<string> {
  const reached = new Set(
    [...imports.keys()].filter((file) => folderOf(file) === folder && !/\.(test|suite)\.ts$/.test(file)),
  );
  for (const file of reached) for (const target of imports.get(file) ?? []) reached.add(target);
  return reached;
}

function resolve(file: string, target: string): string {
  return target.startsWith(".") ? posix.join(posix.dirname(file), target) : target;
}

describe("the layers of src", () => {
  it("hold: every import points up the picture, and none goes round in a circle", () => {
    const imports = importsOfSources();
    expect(imports.get("text/span-index.ts")).toEqual(["text/document.ts"]);
    expect(problems(imports)).toEqual([]);
  });

  it("keep inference and heads apart from training, where the optimisers are", () => {
    const reached = new Set(["inference"]);
    for (const folder of reached) for (const each of mayImport[folder]!) reached.add(each);
    expect(reached.has("training")).toBe(false);
    expect(reached.has("heads")).toBe(true);
  });

  it.each(["inputs", "web"])("%s runs in a browser: nothing that it loads is of Node or the engine", (folder) => {
    const reached = [...reachedFrom(folder, importsAtRunTime())];
    expect(reached).toContain("text/tokenise.ts");
    const packages = reached.filter((file) => !file.endsWith(".ts"));
    expect(packages).toEqual(["@huggingface/tokenizers"]);
  });

  it("see what is loaded: the folder that opens model directories reaches Node", () => {
    const reached = reachedFrom("inference", importsAtRunTime());
    expect(reached.has("node:fs/promises")).toBe(true);
    expect(reached.has("inference/decode.ts")).toBe(true);
  });

  const base: [string, string[]][] = [
    ["text/a.ts", []],
    ["util/u.ts", []],
  ];

  it.each([
    [
      "a wrong import",
      ["text/b.ts", ["formats/f.ts"]],
      ["formats/f.ts", []],
      "text/b.ts: text may not import formats/f.ts",
    ],
    [
      "a neighbour",
      ["lexicon/b.ts", ["formats/f.ts"]],
      ["formats/f.ts", []],
      "lexicon/b.ts: lexicon may not import formats/f.ts",
    ],
    [
      "what is behind a folder's list",
      ["formats/b.ts", ["text/c.ts"]],
      ["text/c.ts", []],
      "formats/b.ts: imports text/c.ts past text/index.ts",
    ],
    [
      "a public list from inside",
      ["text/b.ts", ["index.ts"]],
      ["index.ts", []],
      "text/b.ts: text may not import index.ts",
    ],
    [
      "a cycle",
      ["text/b.ts", ["text/c.ts"]],
      ["text/c.ts", ["text/b.ts"]],
      "import cycle: text/b.ts → text/c.ts → text/b.ts",
    ],
    ["an unknown folder", ["misc/b.ts", []], ["text/c.ts", []], "misc/b.ts: its folder is not in the table of layers"],
    ["a stray file", ["helpers.ts", []], ["text/c.ts", []], "helpers.ts: it is not in the table of layers"],
    [
      "the engine outside its home",
      ["nn/b.ts", ["onnxruntime-node"]],
      ["tensor/runtime/session.ts", ["onnxruntime-node"]],
      "nn/b.ts: only tensor/runtime may import onnxruntime-node",
    ],
  ] as [string, [string, string[]], [string, string[]], string][])(
    "do not let pass %s",
    (_, first, second, problem) => {
      expect(problems(new Map([...base, first, second]))).toEqual([problem]);
    },
  );
});
