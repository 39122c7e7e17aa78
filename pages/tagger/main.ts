import { type ExportedRecogniser, loadRecogniser, type OnnxRuntime, type TaggedEntity } from "../../src/web/index.ts";

/** How many colours the style sheet has for types. */
const colours = 6;

const element = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;
const text = element<HTMLTextAreaElement>("text");
const least = element<HTMLInputElement>("least");

async function start(): Promise<void> {
  // Copied beside the page with the model, so that the runtime is the one its files belong to.
  const runtime = new URL("ort.wasm.min.mjs", location.href).href;
  const ort = (await import(/* @vite-ignore */ runtime)) as OnnxRuntime & {
    readonly env: { readonly wasm: { wasmPaths: string; numThreads: number } };
  };
  ort.env.wasm.wasmPaths = new URL("./", location.href).href;
  ort.env.wasm.numThreads = 1;
  const recogniser = await loadRecogniser(new URL("model/", location.href), {
    ort,
    onProgress: ({ file, loaded, total }) => say(`Loading ${file}: ${Math.floor((100 * loaded) / total)} %`),
  });
  // For the console of the browser: await lacuna.tag("…")
  Object.assign(globalThis, { lacuna: recogniser });
  say(`Ready: ${recogniser.types.join(", ")}`);
  const update = latestOnly(() => show(recogniser));
  text.addEventListener("input", update);
  least.addEventListener("input", update);
  update();
}

/** Runs work again when it was asked for while it ran, and never twice at once. */
function latestOnly(work: () => Promise<void>): () => void {
  let running = false;
  let asked = false;
  const run = async (): Promise<void> => {
    if (running) {
      asked = true;
      return;
    }
    running = true;
    try {
      do {
        asked = false;
        await work();
      } while (asked);
    } catch (error) {
      fail(error);
    } finally {
      running = false;
    }
  };
  return () => void run();
}

async function show(recogniser: ExportedRecogniser): Promise<void> {
  const minScore = Number(least.value) / 100;
  element("shown").textContent = `${least.value} %`;
  const { value } = text;
  const before = performance.now();
  const entities = await recogniser.tag(value, { minScore });
  const milliseconds = Math.round(performance.now() - before);
  element("marked").replaceChildren(...marked(value, entities, recogniser.types));
  element("rows").replaceChildren(...entities.map(row));
  element("table").hidden = entities.length === 0;
  if (value !== "") say(`${entities.length} entities in ${milliseconds} ms`);
}

/** The text with its entities marked; of entities that overlap the first is shown here, and all in the table. */
function marked(value: string, entities: readonly TaggedEntity[], types: readonly string[]): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const entity of entities) {
    if (entity.start < at) continue;
    nodes.push(document.createTextNode(value.slice(at, entity.start)));
    const mark = document.createElement("mark");
    mark.className = `type-${types.indexOf(entity.type) % colours}`;
    mark.textContent = entity.text;
    const type = document.createElement("small");
    type.textContent = entity.type;
    mark.append(type);
    nodes.push(mark);
    at = entity.end;
  }
  nodes.push(document.createTextNode(value.slice(at)));
  return nodes;
}

function row(entity: TaggedEntity): HTMLTableRowElement {
  const line = document.createElement("tr");
  const cells = [entity.text, entity.type, `${(100 * entity.score).toFixed(1)} %`, entity.start, entity.end];
  line.append(
    ...cells.map((content) => {
      const cell = document.createElement("td");
      cell.textContent = String(content);
      return cell;
    }),
  );
  return line;
}

function say(message: string): void {
  element("status").textContent = message;
}

function fail(error: unknown): void {
  say(error instanceof Error ? error.message : String(error));
}

start().catch(fail);
