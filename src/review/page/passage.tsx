import { useRef } from "preact/hooks";
import type { Card } from "../calls.ts";
import type { Mark } from "../model.ts";
import { snapped } from "./boundaries.ts";
import { hueOf } from "./hue.ts";
import { type Segment, type Shown, segmentsOf } from "./segments.ts";
import { isChanged } from "./words.ts";

interface Props {
  readonly card: Card;
  readonly draft: Mark;
  readonly types: readonly string[];
  readonly onSpan: (span: { readonly start: number; readonly end: number }) => void;
}

/** The sentence with its annotations. Text that is selected with the mouse becomes the span. */
export function PassageView({ card, draft, types, onSpan }: Props) {
  const root = useRef<HTMLParagraphElement>(null);
  const { passage } = card;
  const { offset, text, tokens } = passage;
  const select = (): void => {
    const selection = getSelection();
    if (root.current === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
    const range = selection.getRangeAt(0);
    if (!root.current.contains(range.commonAncestorContainer)) return;
    const span = snapped(tokens, {
      start: offset + lengthBefore(root.current, range.startContainer, range.startOffset),
      end: offset + lengthBefore(root.current, range.endContainer, range.endOffset),
    });
    selection.removeAllRanges();
    if (span !== undefined) onSpan(span);
  };
  const [first, last] = [tokens[0] ?? offset, tokens.at(-1) ?? offset];
  const pieces = segmentsOf(offset, offset + text.length, shownMarks(card, draft));
  return (
    <p ref={root} class="passage" dir="auto" onMouseUp={select}>
      {passage.cutBefore && <span class="cut">… </span>}
      {pieces.flatMap((piece) =>
        parts(piece, first, last).map(([start, end, isContext]) => (
          <Piece
            key={start}
            segment={piece}
            text={text.slice(start - offset, end - offset)}
            isContext={isContext}
            isLast={end === piece.end}
            kind={card.kind}
            types={types}
          />
        )),
      )}
      {passage.cutAfter && <span class="cut"> …</span>}
    </p>
  );
}

/** What stands around, what is given, and what is put forward. */
function shownMarks(card: Card, draft: Mark): Shown[] {
  const shown: Shown[] = card.passage.entities.map((mark) => ({ ...mark, role: "other" }));
  if (card.given !== null) shown.push({ ...card.given, role: "given" });
  // What is called wrong stands there already.
  if (card.kind !== "wrong" || isChanged(card, draft)) shown.push({ ...draft, role: "draft" });
  return shown;
}

/** A segment in parts before, within and after the sentence. */
function parts({ start, end }: Segment, first: number, last: number): [start: number, end: number, context: boolean][] {
  const cuts = [start, Math.min(Math.max(first, start), end), Math.min(Math.max(last, start), end), end];
  const found: [number, number, boolean][] = [
    [cuts[0]!, cuts[1]!, true],
    [cuts[1]!, cuts[2]!, false],
    [cuts[2]!, cuts[3]!, true],
  ];
  return found.filter(([from, to]) => from < to);
}

interface PieceProps {
  readonly segment: Segment;
  readonly text: string;
  readonly isContext: boolean;
  readonly isLast: boolean;
  readonly kind: Card["kind"];
  readonly types: readonly string[];
}

function Piece({ segment, text, isContext, isLast, kind, types }: PieceProps) {
  const top = segment.marks.at(-1);
  const ends = `${segment.isFirst ? " first" : ""}${segment.isLast ? " last" : ""}`;
  const look = top === undefined ? "" : ` mark ${lookOf(top, kind)} hue-${hueOf(types, top.type)}${ends}`;
  const under = segment.marks.find(({ role }) => role === "given");
  const also = under !== undefined && under !== top ? " over-given" : "";
  return (
    <>
      <span data-text="" class={`piece${isContext ? " context" : ""}${look}${also}`}>
        {text}
      </span>
      {isLast &&
        segment.ending.map((mark) => <Tag key={`${mark.role}${mark.type}`} mark={mark} kind={kind} types={types} />)}
    </>
  );
}

const saidRoles = { other: "labelled", given: "labelled now", draft: "suggested" } as const;

function Tag({
  mark,
  kind,
  types,
}: {
  readonly mark: Shown;
  readonly kind: Card["kind"];
  readonly types: readonly string[];
}) {
  return (
    <span class={`tag ${lookOf(mark, kind)} hue-${hueOf(types, mark.type)}`}>
      <span class="said">({saidRoles[mark.role]} </span>
      <bdi>{mark.type}</bdi>
      <span class="said">)</span>
    </span>
  );
}

function lookOf({ role }: Shown, kind: Card["kind"]): string {
  return role === "given" && kind === "wrong" ? "doubted" : role;
}

/** Characters of the passage before a point in it, without those of tags. */
function lengthBefore(root: Element, node: Node, offset: number): number {
  const range = document.createRange();
  range.setStart(root, 0);
  range.setEnd(node, offset);
  let length = 0;
  for (const piece of range.cloneContents().querySelectorAll("[data-text]")) length += piece.textContent.length;
  return length;
}
