/** A Markdown table; cells are escaped, code stays code. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map(escaped).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function escaped(cell) {
  return cell
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/`[^`]*`/g, unescaped);
}

/** Inside code an entity would be shown as it is written. */
function unescaped(code) {
  return code.replaceAll("&lt;", "<");
}
