import { expect, it } from "vitest";
import { documentTeller } from "./document-teller.ts";

it("tells twice a second at most, and all of them in the end", () => {
  const told: unknown[] = [];
  let time = 0;
  const { seen, finish } = documentTeller(
    (record) => told.push(record),
    () => time,
  );
  for (let documents = 1; documents <= 1234; documents++) {
    time++;
    seen(documents);
  }
  expect(told).toEqual([{ documents: 500 }, { documents: 1000 }]);
  finish();
  finish();
  expect(told.slice(2)).toEqual([{ documents: 1234 }]);
});
