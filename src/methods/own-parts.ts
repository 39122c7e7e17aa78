import { z } from "zod";
import type { EncoderKind } from "../encoders/index.ts";
import type { Head } from "../heads/index.ts";
import type { Objective } from "../objectives/index.ts";
import type { Sampler } from "../samplers/index.ts";
import type { SettingsInput } from "../training/index.ts";
import { builtInRecipes, type Recipes } from "./complete.ts";
import type { Method } from "./method.ts";

/** Settings in which every part has a name, and the tables in which these names stand. */
export interface NamedParts {
  readonly settings: SettingsInput;
  readonly recipes: Recipes;
}

/** Puts parts that were given as objects into the tables, and their names into the settings. */
export function nameOwnParts(given: SettingsInput): NamedParts {
  const { method, encoder, sampler, objective, head } = given;
  const recipes = {
    samplers: isSampler(sampler) ? extended(builtInRecipes.samplers, fixed(sampler)) : builtInRecipes.samplers,
    objectives: isObjective(objective)
      ? extended(builtInRecipes.objectives, fixed(objective))
      : builtInRecipes.objectives,
    heads: isHead(head) ? extended(builtInRecipes.heads, head) : builtInRecipes.heads,
    encoders: isEncoder(encoder) ? extended(builtInRecipes.encoders, encoder) : builtInRecipes.encoders,
    methods: isMethod(method) ? extended(builtInRecipes.methods, method) : builtInRecipes.methods,
  };
  const own = { method, encoder, sampler, objective, head };
  const named = Object.entries(own).flatMap(([key, part]) => (isOwn(part) ? [[key, part.name] as const] : []));
  if (named.length === 0) return { settings: given, recipes: builtInRecipes };
  return { settings: { ...given, ...Object.fromEntries(named) }, recipes };
}

type Own = Sampler | Objective | Head | EncoderKind | Method;

function isOwn(part: unknown): part is Own {
  return isSampler(part) || isObjective(part) || isHead(part) || isEncoder(part) || isMethod(part);
}

function isSampler(part: unknown): part is Sampler {
  return has(part, "kind", "string") && has(part, "name", "string");
}

function isObjective(part: unknown): part is Objective {
  return has(part, "loss", "function");
}

function isHead(part: unknown): part is Head {
  return has(part, "train", "function") && has(part, "open", "function");
}

function isEncoder(part: unknown): part is EncoderKind {
  return has(part, "restore", "function") && has(part, "open", "function");
}

function isMethod(part: unknown): part is Method {
  return has(part, "description", "string") && has(part, "settings", "object") && !isHead(part) && !isEncoder(part);
}

function has(part: unknown, key: string, type: string): boolean {
  return typeof part === "object" && part !== null && typeof (part as Record<string, unknown>)[key] === type;
}

function extended<T>(
  table: Readonly<Record<string, T>>,
  part: T & { readonly name: string },
): Readonly<Record<string, T>> {
  return { ...table, [part.name]: part };
}

/** A part that was made with its options as a kind that has none. */
function fixed<P extends { readonly name: string }>(part: P) {
  return { name: part.name, description: part.name, settings: z.strictObject({}), make: () => part };
}
