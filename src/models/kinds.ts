import { z } from "zod";
import type { Encoder } from "../encoders/index.ts";
import { type SpanModel, spanModel, spanModelSettings } from "./span-model.ts";
import { type TokenModel, tokenModel, tokenModelSettings } from "./token-model.ts";

/** A model of any kind. */
export type AnyModel = SpanModel | TokenModel;
export type ModelKind = AnyModel["kind"];

/** The settings of every kind of model: `name` tells which, a span model where it is not given. */
export const modelSettings = z.preprocess(
  (given) => (typeof given === "object" && given !== null ? { name: "span", ...given } : given),
  z.discriminatedUnion("name", [spanModelSettings, tokenModelSettings]),
);
export type ModelSettings = z.output<typeof modelSettings>;

/** What a model directory holds of a model's settings. */
export const savedModelSettings = modelSettings.refine(
  (settings) => settings.name !== "span" || settings.maxWidth !== "auto",
  { path: ["maxWidth"], message: "expected a number" },
);

/** A model by its saved settings, its weights still to be filled in. */
export function modelOf(encoder: Encoder, types: readonly string[], saved: ModelSettings): AnyModel {
  if (saved.name === "span") {
    const { name: _, maxWidth, ...settings } = saved;
    return spanModel(encoder, types, { ...settings, maxWidth: maxWidth as number });
  }
  const { name: _, ...settings } = saved;
  return tokenModel(encoder, types, settings);
}
