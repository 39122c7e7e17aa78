import { InputError, unknownName } from "../../util/errors.ts";
import { own } from "../../util/own.ts";

/** What usual names of types stand for. */
const nouns: Readonly<Record<string, string>> = {
  per: "person",
  loc: "location",
  org: "organisation",
  gpe: "country, region or city",
  fac: "building or facility",
  prod: "product",
  misc: "other name",
};

/** A query for every type: the given one, or one made of the type's name. */
export function queriesOf(
  types: readonly string[],
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  for (const name of Object.keys(given))
    if (!types.includes(name)) throw new InputError(`head.queries: unknown type ${unknownName(name, types)}`);
  return Object.fromEntries(types.map((type) => [type, own(given, type) ?? defaultQuery(type)]));
}

/** `creative_work` → "Find every creative work in the text." */
function defaultQuery(type: string): string {
  const name = type.replaceAll(/[_-]+/g, " ").trim().toLowerCase();
  return `Find every ${own(nouns, name) ?? name} in the text.`;
}
