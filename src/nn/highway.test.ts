import { expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, runLayer } from "../../test/support/layers.ts";
import { highway } from "./highway.ts";

it("a highway layer has the gradient that differences give", async () => {
  await checkLayer((params, x) => highway(params, "h", x), [operand([3, 4])]);
});

it("a highway layer lets through what its gate says", async () => {
  const closed = await runLayer(
    (params, x) => {
      const declare = params.declare.bind(params);
      params.declare = (name, shape) =>
        declare(name, shape, (target) => target.fill(name === "h.gate.bias" ? -50 : 0.3));
      return highway(params, "h", x);
    },
    [floats([1, 2], [0.5, -2])],
  );
  expect([...closed[0]!.data]).toEqual([0.5, -2]);
});
