import { writeAtomically, writeTextAtomically } from "../util/atomic.ts";
import { findRasteriser } from "./png.ts";

/** Writes a figure as SVG, and as PNG beside it where a rasteriser is installed; returns the names of the files. */
export async function writeFigure(path: string, svg: string): Promise<string[]> {
  await writeTextAtomically(path, svg);
  const rasterise = findRasteriser();
  if (rasterise === undefined) return [path];
  const picture = path.replace(/\.svg$/i, ".png");
  await writeAtomically(picture, async (file) => void (await file.writeFile(rasterise(svg))));
  return [path, picture];
}
