import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { InputError } from "../../util/errors.ts";
import { engine, load } from "./engine.ts";

it("is loaded once", () => {
  expect(engine()).toBe(engine());
  expect(engine().InferenceSession.create).toBeTypeOf("function");
});

it("says what to do when it is not installed, in the version that the package asks for", () => {
  const missing = (): never => {
    throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
  };
  expect(() => load(missing)).toThrow(InputError);
  const { optionalDependencies } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(() => load(missing)).toThrow(
    `onnxruntime-node is not installed; npm leaves it out when its install script cannot fetch files for GPUs, as behind a proxy; ` +
      `install it without them: npm install --ignore-scripts onnxruntime-node@${optionalDependencies["onnxruntime-node"]}`,
  );
});

it("says why it cannot be loaded", () => {
  const broken = (): never => {
    throw Object.assign(new Error("libstdc++ is too old"), { code: "ERR_DLOPEN_FAILED" });
  };
  expect(() => load(broken)).toThrow("the engine onnxruntime-node cannot be loaded (libstdc++ is too old); ");
});
