// Builds every page below pages/ into dist/pages/: a folder with an index.html is a page.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const pages = new URL("../pages/", import.meta.url);
const names = readdirSync(pages).filter((name) => existsSync(new URL(`${name}/index.html`, pages)));
for (const name of names) {
  await build({
    configFile: false,
    root: fileURLToPath(new URL(name, pages)),
    // Pages are opened from any folder of any server.
    base: "./",
    logLevel: "warn",
    build: {
      outDir: fileURLToPath(new URL(`../dist/pages/${name}`, import.meta.url)),
      emptyOutDir: true,
      target: "es2022",
      modulePreload: false,
      // Names without hashes: the files of a page are listed and compared.
      rollupOptions: { output: { entryFileNames: "[name].js", assetFileNames: "[name][extname]" } },
    },
  });
}
