/**
 * Strings that spaCy numbers instead of hashing, as runs of names from a number on: attributes, parts of speech,
 * dependencies, entity types. The numbers are a part of the file format, as version 3 of spaCy writes it.
 */
const runs: readonly (readonly [first: number, names: string])[] = [
  [
    1,
    "IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL LIKE_NUM LIKE_EMAIL IS_STOP " +
      "IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT IS_RIGHT_PUNCT IS_CURRENCY",
  ],
  [
    64,
    "ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD SENT_START " +
      "SPACY PROB LANG ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL " +
      "SPACE",
  ],
  [
    380,
    "PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY " +
      "ORDINAL CARDINAL acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj " +
      "csubjpass dep det dobj expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num " +
      "number oprd obj obl parataxis partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod " +
      "root xcomp acl ENT_KB_ID MORPH ENT_ID IDX _",
  ],
];

/** Their numbers by name. */
export const spacySymbols: ReadonlyMap<string, bigint> = new Map(
  runs.flatMap(([first, names]) => names.split(" ").map((name, i): [string, bigint] => [name, BigInt(first + i)])),
);
