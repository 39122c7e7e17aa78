// Builds the pages that run in a browser into dist/, each as one script and one style sheet beside the code that serves it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** A page a line: the entry, the folder and the name of what is made of it, and the packages that become part of it. */
const pages = [{ entry: "src/review/page/main.tsx", folder: "dist/review/page", name: "review", packages: ["preact"] }];

const root = fileURLToPath(new URL("..", import.meta.url));
for (const { entry, folder, name, packages } of pages) {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      target: "es2022",
      cssCodeSplit: false,
      modulePreload: false,
      rollupOptions: {
        input: { [name]: entry },
        output: { format: "es", entryFileNames: "[name].js", assetFileNames: `${name}[extname]` },
      },
    },
  });
  const script = join(root, folder, `${name}.js`);
  writeFileSync(script, `${packages.map(licenceOf).join("")}${readFileSync(script, "utf8")}`);
}

/** The licence of a package, which goes wherever its code goes. */
function licenceOf(name) {
  const text = readFileSync(join(root, "node_modules", name, "LICENSE"), "utf8");
  return `/*! Contains ${name}.\n\n${text.trim().replaceAll("*/", "* /")}\n*/\n`;
}
