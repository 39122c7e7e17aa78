/** A process that works through inputs of one target, telling before each which one it is. */
import { mkdirSync, rmSync } from "node:fs";
import { inputAt } from "./inputs.ts";
import { judge } from "./judge.ts";
import type { FromWorker, Order } from "./messages.ts";
import { minimised } from "./minimise.ts";
import { targetNamed } from "./targets/index.ts";

const tell = (message: FromWorker): Promise<void> => new Promise((resolve) => process.send!(message, () => resolve()));

process.on("message", (order: Order) => {
  work(order).then(
    () => process.disconnect(),
    async (error) => {
      await tell({ kind: "broken", reason: String((error as Error)?.stack ?? error) });
      process.disconnect();
    },
  );
});

async function work(order: Order): Promise<void> {
  const target = targetNamed(order.target);
  rmSync(order.scratch, { recursive: true, force: true });
  mkdirSync(order.scratch, { recursive: true });
  if (order.kind === "one") {
    await tell({ kind: "begin", number: 0, counts: { accepted: 0, refused: 0 } });
    const verdict = await judge(target, Buffer.from(order.input, "base64"), order.scratch, order.variant);
    await tell({ kind: "verdict", number: 0, verdict });
    return;
  }
  const seeds = await target.seeds(order.scratch);
  if (order.kind === "input") {
    const { bytes, variant } = inputAt(seeds, target, order.seed, order.number);
    await tell({ kind: "input", input: bytes.toString("base64"), variant });
    return;
  }
  if (order.kind === "minimise") {
    const { bytes, variant } = inputAt(seeds, target, order.seed, order.number);
    const small = await minimised(target, bytes, order.scratch, variant, order.signature);
    await tell({ kind: "input", input: small.toString("base64"), variant });
    return;
  }
  const counts = { accepted: 0, refused: 0 };
  const deadline = Date.now() + order.milliseconds;
  let number = order.first;
  for (; number < order.end && Date.now() < deadline; number++) {
    const { bytes, variant } = inputAt(seeds, target, order.seed, number);
    // Not awaited: what is sent is on its way before the work begins.
    process.send!({ kind: "begin", number, counts } satisfies FromWorker);
    const verdict = await judge(target, bytes, order.scratch, variant);
    if (verdict.kind === "defect") await tell({ kind: "verdict", number, verdict });
    else counts[verdict.kind]++;
    if (process.memoryUsage.rss() > order.memory) {
      await tell({ kind: "large", number });
      number++;
      break;
    }
  }
  await tell({ kind: "done", next: number, counts });
}
