import { type Sentence, type Span, surface } from "../text/index.ts";
import type { Candidate } from "./candidates.ts";
import type { Judgement } from "./judge.ts";
import type { Neighbour } from "./neighbours.ts";

export interface ReasonOptions {
  readonly types: readonly string[];
  /** How many models have judged each sentence. */
  readonly models: number;
}

/** Why a place is suspected, in sentences for a person. */
export function reasonsFor(judgement: Judgement, sentence: Sentence, options: ReasonOptions): string[] {
  const { kind, type, suggested } = judgement;
  const number = options.types.indexOf(type);
  return [
    ...modelReason(judgement, sentence, options.types),
    ...surfaceReason(judgement, options.types),
    ...ordinaryReason(judgement),
    ...dictionaryReason(suggested, type, number, kind === "wrong"),
    ...(options.models > 1 && kind !== "wrong"
      ? [`${suggested.votes[number]} of ${options.models} models find it.`]
      : []),
  ];
}

function modelReason(
  { kind, type, given, suggested, doubted }: Judgement,
  sentence: Sentence,
  types: readonly string[],
): string[] {
  const share = (candidate: Candidate | null, name: string): string =>
    (candidate?.probs[types.indexOf(name)] ?? 0).toFixed(2);
  const source = "Models that have not seen the sentence give";
  switch (kind) {
    case "missing":
      return [`${source} ${type} ${share(suggested, type)} here.`];
    case "wrong":
      return [`${source} ${type} only ${share(suggested, type)} here.`];
    case "type":
      return [`${source} ${type} ${share(suggested, type)} here and ${given!.type} ${share(doubted, given!.type)}.`];
    case "boundary":
      return [
        `${source} ${shown(sentence, suggested)} ${share(suggested, type)} and ${shown(sentence, given!)} ${share(doubted, given!.type)}.`,
      ];
  }
}

/** What a place is like, in the eyes of a model. */
export function neighbourReason(neighbours: readonly Neighbour[]): string[] {
  if (neighbours.length === 0) return [];
  const named = neighbours.map(({ text, type }) => `${quoted(text)} (${type})`);
  return [`Of the labelled texts, it is most like ${named.join(", ")}.`];
}

function shown(sentence: Sentence, span: Span): string {
  return quoted(surface(sentence, span).replaceAll(/\s+/gu, " "));
}

function quoted(text: string): string {
  return `“${text}”`;
}

function surfaceReason({ kind, suggested }: Judgement, types: readonly string[]): string[] {
  const { labelled, places } = suggested.elsewhere;
  const counts = types.flatMap((type, i) => (labelled[i]! > 0 ? [`${type} ${labelled[i]}×`] : []));
  if (counts.length > 0)
    return [`In ${places} other ${places === 1 ? "place" : "places"} this text is labelled ${counts.join(", ")}.`];
  return kind === "wrong" && places > 0
    ? [`In ${places} other ${places === 1 ? "place" : "places"} it has no label.`]
    : [];
}

function ordinaryReason({ kind, suggested: { ordinary } }: Judgement): string[] {
  return kind === "wrong" && ordinary.places > 0
    ? [`In ${ordinary.places} places it stands in lower case and has no label.`]
    : [];
}

function dictionaryReason({ dictionary }: Candidate, type: string, number: number, isDoubted: boolean): string[] {
  const file = dictionary[number];
  if (file !== undefined) return [`${file} lists it as ${type}${isDoubted ? " all the same" : ""}.`];
  return [];
}
