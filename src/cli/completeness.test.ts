import { expect, it } from "vitest";
import { declarationOf } from "./completeness.ts";

const files = [
  { given: "a.txt=conll", path: "a.txt" },
  { given: "b.conll", path: "b.conll" },
  { given: "x=y.conll", path: "x=y.conll" },
];

it("declares a whole file, or some types of it", () => {
  expect(declarationOf("b.conll", files)).toEqual({ file: "b.conll" });
  expect(declarationOf("b.conll=PER, LOC", files)).toEqual({ file: "b.conll", types: ["PER", "LOC"] });
});

it("knows a file by its path, and also as --train named it, with its format", () => {
  expect(declarationOf("a.txt", files)).toEqual({ file: "a.txt" });
  expect(declarationOf("a.txt=conll", files)).toEqual({ file: "a.txt" });
  expect(declarationOf("a.txt=PER", files)).toEqual({ file: "a.txt", types: ["PER"] });
  expect(declarationOf("a.txt=conll=PER", files)).toEqual({ file: "a.txt", types: ["PER"] });
});

it("takes a name with an equals sign for itself", () => {
  expect(declarationOf("x=y.conll", files)).toEqual({ file: "x=y.conll" });
  expect(declarationOf("x=y.conll=LOC", files)).toEqual({ file: "x=y.conll", types: ["LOC"] });
});

it("refuses files that are not trained on, and types that are missing", () => {
  expect(() => declarationOf("c.conll=PER", files)).toThrow(
    '--complete: expected a file given by --train (a.txt, b.conll, x=y.conll), or FILE=TYPE,TYPE, got "c.conll=PER"',
  );
  expect(() => declarationOf("b.conll=PER,", files)).toThrow("--complete b.conll: expected types separated by commas");
});
