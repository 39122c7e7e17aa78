import { z } from "zod";

/** The default of a setting as Markdown, and which values it takes. */
export function describeSetting(schema) {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const given = "default" in json ? `\`${JSON.stringify(json.default).replaceAll('"', "")}\`` : "must be given";
  return { given, range: rangeOf(json) };
}

function rangeOf(json) {
  if (json.const !== undefined) return `\`${json.const}\``;
  if (json.enum) return json.enum.map((value) => `\`${value}\``).join(", ");
  const options = json.anyOf ?? json.oneOf;
  if (options) return options.map(rangeOf).join(", or ");
  if (Array.isArray(json.type)) return json.type.map((type) => rangeOf({ ...json, type })).join(", or ");
  return (ranges[json.type] ?? (() => "any value"))(json);
}

const ranges = {
  integer: (json) => `whole number${limits(json)}`,
  number: (json) => `number${limits(json)}`,
  boolean: () => "`true`, `false`",
  string: ({ pattern }) => (pattern?.startsWith("^(") ? written(pattern) : "text"),
  null: () => "`null`",
  array: ({ items }) => `list of: ${rangeOf(items)}`,
  // Every setting that is a map has the types of the data for its keys.
  object: ({ additionalProperties: each }) => (each ? `${rangeOf(each)} for each type` : "any value"),
};

/** The alternatives of a pattern such as `^(none|top:[1-9]\d*)$`, with N for a number. */
function written(pattern) {
  const alternatives = pattern.replaceAll(/^\^\(|\)\$$/g, "").split("|");
  return alternatives.map((each) => `\`${each.replace("[1-9]\\d*", "N")}\``).join(", ");
}

/** ` from 0, below 1`; bounds that only say what a safe integer is are left out. */
function limits({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }) {
  const low = real(minimum) ? ` from ${minimum}` : real(exclusiveMinimum) ? ` above ${exclusiveMinimum}` : "";
  const high = real(maximum) ? ` to ${maximum}` : real(exclusiveMaximum) ? ` and below ${exclusiveMaximum}` : "";
  return low + high;
}

function real(bound) {
  return bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}
