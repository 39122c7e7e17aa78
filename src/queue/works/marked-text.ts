import { characters, type Document } from "../../text/index.ts";

/** Each document as a line in which entities are marked. */
export async function* marked(documents: AsyncIterable<Document>): AsyncGenerator<string, void, undefined> {
  for await (const document of documents) yield `${markEntities(document)}\n`;
}

/** The text with each entity as `[surface](TYPE)`; of nested entities, the inner ones stand inside the outer. */
function markEntities({ text: plain, sentences }: Document): string {
  const marks: { at: number; open: boolean; width: number; text: string }[] = [];
  for (const sentence of sentences) {
    for (const entity of sentence.entities) {
      const { start, end } = characters(sentence, entity);
      marks.push({ at: start, open: true, width: end - start, text: "[" });
      marks.push({ at: end, open: false, width: end - start, text: `](${entity.type})` });
    }
  }
  // At one place what ends comes before what begins; the wider opens first and closes last.
  marks.sort(
    (a, b) => a.at - b.at || Number(a.open) - Number(b.open) || (a.open ? b.width - a.width : a.width - b.width),
  );
  let result = "";
  let done = 0;
  for (const { at, text: mark } of marks) {
    result += plain.slice(done, at) + mark;
    done = at;
  }
  return result + plain.slice(done);
}
