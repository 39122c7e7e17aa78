/** As many colours as the style sheet has; further types share them. */
const hues = 10;

export function hueOf(types: readonly string[], type: string): number {
  const at = types.indexOf(type);
  return at < 0 ? 0 : at % hues;
}
