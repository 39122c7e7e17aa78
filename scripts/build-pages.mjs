// Builds the pages that run in a browser into dist/, each as one script and one style sheet beside the code that serves it.
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** A page a line: the entry, and the folder and the name of what is made of it. */
const pages = [{ entry: "src/review/page/main.tsx", folder: "dist/review/page", name: "review" }];

const root = fileURLToPath(new URL("..", import.meta.url));
for (const { entry, folder, name } of pages) {
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
}
