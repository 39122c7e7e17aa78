import { describe, expect, it } from "vitest";
import { InputError } from "../util/errors.ts";
import { collect, memorySource } from "./documents.suite.ts";
import { formats, type ReadOptions } from "./index.ts";

/** Format, content, options, and the line that names file, line, rule and value. */
type Case = readonly [rule: string, format: string, content: string | Buffer, options: ReadOptions, message: string];

const invalid = (before: string) => Buffer.concat([Buffer.from(before), Buffer.from([0x61, 0xff, 0x0a])]);
const overlapping = '{"text":"New York City","entities":[[0,8,"LOC"],[4,13,"ORG"]]}';
const twoTypes = (key: string) => `{"text":"Japan","${key}":[[0,5,"LOC"],[0,5,"ORG"]]}`;
const studio = (result: string) => `[{"data":{"text":"a👍 Japan"},"annotations":[{"result":[${result}]}]}]`;
const region = (start: number, end: number, text: string, labels = '"LOC"') =>
  `{"type":"labels","value":{"start":${start},"end":${end},"text":"${text}","labels":[${labels}]}}`;

const replaced = Buffer.concat([Buffer.from("\ufffd\ufffd x O\n\ufffdy"), Buffer.from([0xe9, 0x20, 0x4f, 0x0a])]);

const cases: readonly Case[] = [
  [
    "wrong bytes after a replacement character that is really there",
    "conll",
    replaced,
    {},
    "memory:2: the line is not valid UTF-8: byte 0xe9 at position 5",
  ],
  [
    "a wrong number of columns",
    "conll",
    "a O\nb x O\n",
    {},
    'memory:2: conll: expected 2 columns, got 3 columns: "b x O"',
  ],
  ["a missing column", "conll", "a\tX\tO\nb\tO\n", {}, 'memory:2: conll: expected 3 columns, got 2 columns: "b\\tO"'],
  ["no tag", "conll", "\nword\n", {}, 'memory:2: conll: expected a token and a tag, got 1 column: "word"'],
  [
    "a space where tabs separate",
    "conll",
    "a\tO\nb O\n",
    {},
    'memory:2: conll: expected 2 columns, got 1 column: "b O"',
  ],
  ["an empty token", "conll", "a\tO\n\tO\n", {}, 'memory:2: conll: the token is empty: "\\tO"'],
  [
    "an unknown tag",
    "conll",
    "a O\nb Q-PER\n",
    {},
    'memory:2: conll: unknown tag "Q-PER" (known: O, a letter of B I M E L S U',
  ],
  ["an empty label", "conll", "a\tB-\n", {}, 'memory:1: conll: the tag "B-" has an empty label'],
  [
    "I after O in strict mode",
    "conll",
    "a O\nb I-PER\nc B-X\n",
    { strict: true },
    "memory:2: conll: I-PER must follow a tag inside an entity of the same type in IOB2, got it after O",
  ],
  [
    "I after O in a declared scheme",
    "conll",
    "a O\nb I-PER\n",
    { strict: true, scheme: "IOB2" },
    "memory:2: conll: I-PER must follow",
  ],
  [
    "bytes that are not UTF-8",
    "conll",
    invalid("a O\n"),
    {},
    "memory:2: the line is not valid UTF-8: byte 0xff at position 2",
  ],
  [
    "bytes that are not UTF-8",
    "spacy",
    Buffer.concat([Buffer.from('{"text":"a"}\n{"text":"'), Buffer.from([0xc3, 0x22, 0x7d])]),
    {},
    "memory:2: the line is not valid UTF-8: byte 0xc3 at position 10",
  ],
  [
    "a span past the end",
    "spacy",
    '{"text":"Japan"}\n{"text":"Japan","entities":[[0,6,"LOC"]]}',
    {},
    "memory:2: spacy: the code-point offset 6 is outside the text (0 to 5)",
  ],
  [
    "a span past the end",
    "doccano",
    '{"text":"Japan","label":[[0,9,"LOC"]]}',
    {},
    "memory:1: doccano: the utf-16 offset 9 is outside the text (0 to 5)",
  ],
  [
    "a span inside a character",
    "doccano",
    '{"text":"👍","label":[[0,1,"X"]]}',
    {},
    "memory:1: doccano: the utf-16 offset 1 is inside a character",
  ],
  [
    "a negative offset",
    "prodigy",
    '{"text":"a","spans":[{"start":-1,"end":1,"label":"X"}]}',
    {},
    "memory:1: prodigy: the code-point offset -1 is outside the text (0 to 1)",
  ],
  [
    "an offset that is no integer",
    "spacy",
    '{"text":"a","entities":[["0",1,"X"]]}',
    {},
    'memory:1: spacy: the start of a span must be an integer, got "0"',
  ],
  [
    "a span without extent",
    "doccano",
    '{"text":"abc","label":[[1,1,"X"]]}',
    {},
    "memory:1: doccano: a span must end after its start, got [1, 1)",
  ],
  [
    "a span of white space",
    "spacy",
    '{"text":"a  b","entities":[[1,3,"X"]]}',
    {},
    "memory:1: spacy: the span [1, 3) holds white space only",
  ],
  [
    "a span with white space at its end in strict mode",
    "spacy",
    '{"text":"a b","entities":[[0,2,"X"]]}',
    { strict: true },
    'memory:1: spacy: the span [0, 2) begins or ends with white space: "a "',
  ],
  [
    "overlapping flat entities",
    "spacy",
    overlapping,
    {},
    "memory:1: spacy: entities must not overlap: LOC [0, 8) and ORG [4, 13)",
  ],
  [
    "overlapping entities where the caller wants none",
    "doccano",
    overlapping.replace("entities", "label"),
    { flat: true },
    "memory:1: doccano: entities must not overlap: LOC [0, 8) and ORG [4, 13)",
  ],
  [
    "two types on a span",
    "spacy",
    twoTypes("entities"),
    {},
    "memory:1: spacy: one span has two types: LOC [0, 5) and ORG [0, 5)",
  ],
  [
    "two types on a span",
    "doccano",
    twoTypes("label"),
    {},
    "memory:1: doccano: one span has two types: LOC [0, 5) and ORG [0, 5)",
  ],
  [
    "an entity that stands twice, in strict mode",
    "doccano",
    '{"text":"a","label":[[0,1,"X"],[0,1,"X"]]}',
    { strict: true },
    "memory:1: doccano: an entity stands twice: X [0, 1)",
  ],
  ["an empty label", "spacy", '{"text":"Japan","entities":[[0,5,""]]}', {}, "memory:1: spacy: a label is empty"],
  [
    "an empty label",
    "negsampling",
    `[{"sentence":"['a']","labeled entities":"[(0, 0, '')]"}]`,
    {},
    "memory:1: negsampling: a label is empty",
  ],
  ["a missing text", "spacy", '{"txt":"a"}', {}, "memory:1: spacy: text must be a string, got undefined"],
  [
    "an entity of the wrong shape",
    "spacy",
    '{"text":"a","entities":[[0,1]]}',
    {},
    "memory:1: spacy: an entity must be [start, end, label], got [0,1]",
  ],
  ["a record that is none", "doccano", '["a",{}]', {}, 'memory:1: doccano: a record must be an object, got ["a",{}]'],
  [
    "an unknown answer",
    "prodigy",
    '{"text":"a","answer":"maybe"}',
    {},
    'memory:1: prodigy: the answer must be accept, reject or ignore, got "maybe"',
  ],
  [
    "an accepted span without a label",
    "prodigy",
    '{"text":"a","spans":[{"start":0,"end":1}]}',
    {},
    "memory:1: prodigy: a label must be a string, got undefined",
  ],
  [
    "tokens out of order",
    "prodigy",
    '{"text":"ab","tokens":[{"start":1,"end":2},{"start":0,"end":1}],"spans":[]}',
    {},
    "memory:1: prodigy: tokens must follow one another, got [0, 1) out of order",
  ],
  [
    "offsets that cover another text",
    "label-studio",
    studio(region(0, 5, "Japan")),
    {},
    'memory:1: label-studio: the result [0, 5) does not cover its text "Japan"',
  ],
  [
    "a region without labels",
    "label-studio",
    studio(region(3, 8, "Japan", "")),
    {},
    "memory:1: label-studio: a result has no label",
  ],
  [
    "a task without text",
    "label-studio",
    '[\n{"data":{"image":"x"}}]',
    {},
    'memory:2: label-studio: data has no "text"; name the key that holds the text with --text-key (strings: "image")',
  ],
  [
    "more tags than tokens",
    "huggingface",
    '{"tokens":["a"],"ner_tags":["O","O"]}',
    {},
    "memory:1: huggingface: expected as many tags as tokens, got 2 for 1",
  ],
  [
    "an unknown tag",
    "huggingface",
    '{"tokens":["a"],"ner_tags":["Q"]}',
    {},
    'memory:1: huggingface: token 0: unknown tag "Q"',
  ],
  [
    "numbers without labels",
    "huggingface",
    '{"tokens":["a"],"ner_tags":[3]}',
    {},
    "memory:1: huggingface: the tag 3 is a place in a list of labels: give their names in order with --labels",
  ],
  [
    "a number beyond the labels",
    "huggingface",
    '{"tokens":["a"],"ner_tags":[3]}',
    { labels: ["O"] },
    "memory:1: huggingface: the tag 3 is not in the list of 1 labels",
  ],
  [
    "I after O in strict mode",
    "huggingface",
    '{"tokens":["a","b"],"ner_tags":["O","I-X"]}',
    { strict: true, scheme: "IOB2" },
    "memory:1: huggingface: token 1: I-X must follow",
  ],
  [
    "a row without tags",
    "huggingface",
    '{"tokens":["a"]}',
    {},
    "memory:1: huggingface: a row has no tags (known keys: ner_tags, tags, labels, ner)",
  ],
  [
    "an entity past the last token",
    "negsampling",
    `[{"sentence":"['a']","labeled entities":"[(0, 1, 'X')]"}]`,
    {},
    'memory:1: negsampling: the entity [0,1,"X"] does not lie within the tokens 0 to 0 of its sentence',
  ],
  [
    "code instead of a literal",
    "negsampling",
    `[{"sentence":"__import__('os')","labeled entities":"[]"}]`,
    {},
    `memory:1: negsampling: sentence: expected a string, a number, a list or a tuple at character 1 of a Python literal, got "__import__('os')"`,
  ],
  [
    "an entity of another sentence",
    "pure",
    '{"doc_key":"d","sentences":[["a"],["b"]],"ner":[[],[[0,0,"X"]]]}',
    {},
    'memory:1: pure: the entity [0,0,"X"] does not lie within the tokens 1 to 1 of its sentence',
  ],
  [
    "entities for other sentences",
    "pure",
    '{"sentences":[["a"]],"ner":[]}',
    {},
    "memory:1: pure: expected a list of entities for each sentence, got 0 for 1",
  ],
  [
    "an entity of the wrong shape",
    "ds-ner",
    '[{"tokens":["a"],"entities":[[0,"X"]]}]',
    {},
    'memory:1: ds-ner: an entity must be [first token, last token, label], got [0,"X"]',
  ],
  [
    "another version",
    "lacuna",
    '{"lacuna":2,"text":"","sentences":[]}',
    {},
    'memory:1: lacuna: expected version 1 of the format ("lacuna": 1), got 2',
  ],
  [
    "a token past the end",
    "lacuna",
    '{"lacuna":1,"text":"a","sentences":[{"tokens":[0,2]}]}',
    {},
    "memory:1: lacuna: the utf-16 offset 2 is outside the text (0 to 1)",
  ],
  [
    "half a token",
    "lacuna",
    '{"lacuna":1,"text":"a","sentences":[{"tokens":[0]}]}',
    {},
    "memory:1: lacuna: tokens must be pairs of a start and an end, got 1 numbers",
  ],
  [
    "tokens out of order",
    "lacuna",
    '{"lacuna":1,"text":"ab","sentences":[{"tokens":[1,2,0,1]}]}',
    {},
    "memory:1: lacuna: tokens must follow one another, got 0 after 2",
  ],
  [
    "a span past the last token",
    "lacuna",
    '{"lacuna":1,"text":"a","sentences":[{"tokens":[0,1],"unsure":[{"start":0,"end":2}]}]}',
    {},
    "memory:1: lacuna: unsure: the span [0, 2) does not lie within the 1 tokens of its sentence",
  ],
  [
    "unknown offsets",
    "lacuna",
    '{"lacuna":1,"text":"a","offsets":"utf-32","sentences":[]}',
    {},
    'memory:1: lacuna: unknown offsets "utf-32" (known: utf-16, code-point, byte)',
  ],
  ["broken JSON", "spacy", '{"text":"a"}\n{"text":"a",}\n', {}, "memory:2: not valid JSON:"],
  [
    "a record that goes on into the next",
    "spacy",
    '{"text":"a"\n{"text":"b"}\n',
    {},
    "memory:1: not valid JSON: the value does not end before the next one begins",
  ],
  [
    "a record cut off",
    "spacy",
    '{"text":"a"}\n{"text":"a',
    {},
    "memory:2: not valid JSON: the file ends inside the value",
  ],
  [
    "a list cut off",
    "ds-ner",
    '[{"tokens":[],"entities":[]},\n',
    {},
    "memory:2: not valid JSON: the file ends inside its list",
  ],
  ["more after a list", "ds-ner", "[]\n{}", {}, "memory:2: not valid JSON: there is more after the end of the list"],
  [
    "something else than records",
    "spacy",
    "hello\n",
    {},
    'memory:1: not valid JSON: expected an object or a list, got "h"',
  ],
  [
    "a line break in a string",
    "spacy",
    '{"text":"a\nb"}',
    {},
    "memory:1: not valid JSON: a line break inside a string",
  ],
];

describe("bad input", () => {
  it.each(cases)("%s in %s is one line with place, rule and value", async (_, name, content, options, message) => {
    const format = formats.find((each) => each.name === name)!;
    const reading = collect(format.read(memorySource(content), options));
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message.slice(0, message.length)).toBe(message);
    expect((error as InputError).message).not.toContain("\n");
  });
});
