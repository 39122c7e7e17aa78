import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { InputError } from "../util/errors.ts";

/** The page as the build makes it. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** Reads the page from the package; also where the sources run as they are, it is the built one. */
export async function pageFiles(): Promise<PageFiles> {
  const read = async (name: string): Promise<string> => {
    const file = new URL(`../../dist/review/page/${name}`, import.meta.url);
    return readFile(file, "utf8").catch(() => {
      throw new InputError("the page is not built; in a checkout, run `npm run build`");
    });
  };
  const [script, style] = await Promise.all([read("review.js"), read("review.css")]);
  return { script, style };
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%234457d6'/%3E%3Cpath d='M4 4v8h8' fill='none' stroke='white' stroke-width='2.4'/%3E%3C/svg%3E";

function head(rest: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lacuna review</title>
<link rel="icon" href="${icon}">
${rest}`;
}

const body = `<div id="app"></div>
<noscript>This page needs JavaScript.</noscript>
`;

/** The page that the command serves; script and style lie beside it. */
export const servedPage = `${head(`<link rel="stylesheet" href="review.css">
<script type="module" src="review.js"></script>
</head>
<body>
`)}${body}</body>
</html>
`;

/** The page as one file, with all it needs in it. Its policy allows its own script and style by their hashes, and no connection. */
export function* standalonePage(
  { script, style }: PageFiles,
  content: Iterable<string>,
): Generator<string, void, undefined> {
  const ownScript = script.replaceAll("</script", "<\\/script");
  const policy = `default-src 'none'; script-src ${hash(ownScript)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  yield head(`<meta http-equiv="Content-Security-Policy" content="${policy}">
<style>${style}</style>
</head>
<body>
`);
  yield `${body}<script type="application/json" id="content">`;
  // No text can end the element: it has no "<" any more.
  for (const piece of content) yield piece.replaceAll("<", "\\u003c");
  yield `</script>\n<script type="module">${ownScript}</script>\n</body>\n</html>\n`;
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
