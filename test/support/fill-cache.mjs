// Fills the feature cache in a process of its own: FROM COUNT [kill | SENTENCES_WIDE]. Says "whole" when all values are right.
import { FeatureStore } from "../../dist/encoders/features/store.js";
import { makeSentence, tokenTexts } from "../../dist/text/index.js";

const [from, count, mode] = process.argv.slice(2);
const sentences = Array.from({ length: Number(count) }, (_, i) => {
  const text = `word number ${Number(from) + i}`;
  return makeSentence(text, Int32Array.of(0, 4, 5, 11, 12, text.length));
});
const wide = mode === "wide" ? 50_000 : 1;
const valuesOf = (sentence) =>
  Uint16Array.from({ length: 6 * wide }, (_, i) => (i % 2 ? i >> 1 : (tokenTexts(sentence)[i >> 1] ?? "").length));

let groups = 0;
const store = new FeatureStore({
  name: "counting",
  id: "one",
  *groups(all) {
    for (let at = 0; at < all.length; at += 5) yield all.slice(at, at + 5);
  },
  open: async () => ({
    async extract(group) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (mode === "kill" && ++groups === 20) process.kill(process.pid, "SIGKILL");
      return group.map(valuesOf);
    },
    async dispose() {},
  }),
});
try {
  // In parts, so that files of several sizes come and go.
  for (let at = 0; at < sentences.length; at += 60) await store.prepare(sentences.slice(at, at + 60), { keep: true });
  const right = sentences.every((sentence) => String(store.values(sentence)) === String(valuesOf(sentence)));
  console.log(right ? "whole" : "broken");
} catch (error) {
  console.log(error.message);
}
