// Builds what runs in a browser into dist/.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const common = { configFile: false, logLevel: "warn" };
const output = { emptyOutDir: true, target: "es2022", modulePreload: false };

// A folder below pages/ with an index.html is a page, to be opened from any folder of any server.
const pages = join(root, "pages");
for (const name of readdirSync(pages).filter((each) => existsSync(join(pages, each, "index.html")))) {
  await build({
    ...common,
    root: join(pages, name),
    base: "./",
    build: {
      ...output,
      outDir: join(root, "dist", "pages", name),
      // Names without hashes: the files of a page are listed and compared.
      rollupOptions: { output: { entryFileNames: "[name].js", assetFileNames: "[name][extname]" } },
    },
  });
}

/** Pages that a command serves, one script and one style sheet each, with the packages that become part of them. */
const served = [
  { entry: "src/review/page/main.tsx", folder: "dist/review/page", name: "review", packages: ["preact"] },
];
for (const { entry, folder, name, packages } of served) {
  await build({
    ...common,
    root,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      ...output,
      outDir: folder,
      copyPublicDir: false,
      cssCodeSplit: false,
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
