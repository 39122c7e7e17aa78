import { type Sentence, type Span, tokenTexts } from "../../text/index.ts";

/** A place where the tokens of a surface form stand. */
export interface Occurrence extends Span {
  /** Its number in the index. */
  readonly surface: number;
}

/** Surface forms as sequences of tokens, letter case and all, and a search for all of them at once. */
export interface SurfaceIndex {
  readonly size: number;
  /** The number of a form, which is new if the form is. */
  add(tokens: readonly string[]): number;
  /** Every place where one of the forms stands, nested and overlapping ones too, by start and then by end. */
  find(tokens: readonly string[]): Occurrence[];
}

/** A trie over tokens: the cost of a search is that of the tokens and of the matches begun, however many forms there are. */
export function surfaceIndex(): SurfaceIndex {
  const root: Node = { next: new Map() };
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(tokens) {
      let node = root;
      for (const token of tokens) {
        const known = node.next.get(token);
        const child = known ?? { next: new Map() };
        if (known === undefined) node.next.set(token, child);
        node = child;
      }
      node.surface ??= size++;
      return node.surface;
    },
    find(tokens) {
      const found: Occurrence[] = [];
      for (let start = 0; start < tokens.length; start++) {
        let node = root.next.get(tokens[start]!);
        for (let end = start + 1; node !== undefined; end++) {
          if (node.surface !== undefined) found.push({ surface: node.surface, start, end });
          node = end < tokens.length ? node.next.get(tokens[end]!) : undefined;
        }
      }
      return found;
    },
  };
}

interface Node {
  readonly next: Map<string, Node>;
  surface?: number;
}

/** The index of all forms that are labelled somewhere in the sentences. */
export function labelledSurfaces(sentences: readonly Sentence[]): SurfaceIndex {
  const index = surfaceIndex();
  for (const sentence of sentences) {
    const tokens = tokenTexts(sentence);
    for (const { start, end } of sentence.entities) index.add(tokens.slice(start, end));
  }
  return index;
}
