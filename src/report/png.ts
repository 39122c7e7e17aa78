import { createRequire } from "node:module";
import { join } from "node:path";
import { InputError, messageOf } from "../util/errors.ts";

/** The part of the rasteriser that is used. */
interface Rasteriser {
  readonly Resvg: new (
    svg: string,
    options: {
      readonly background: string;
      readonly fitTo: { readonly mode: "zoom"; readonly value: number };
      readonly font: { readonly sansSerifFamily: string };
    },
  ) => { render(): { asPng(): Uint8Array } };
}

const packageName = "@resvg/resvg-js";

/**
 * Makes PNG files of figures, where the rasteriser is installed; it is looked for from the working folder and then from
 * here, since it is nothing that everybody needs. Letters are drawn with the fonts of the system.
 */
export function findRasteriser(): ((svg: string) => Uint8Array) | undefined {
  const rasteriser = load();
  if (!rasteriser) return undefined;
  return (svg) => {
    const font = { sansSerifFamily: "DejaVu Sans" };
    const options = { background: "white", fitTo: { mode: "zoom", value: 2 }, font } as const;
    return new rasteriser.Resvg(svg, options).render().asPng();
  };
}

function load(): Rasteriser | undefined {
  for (const origin of [join(process.cwd(), "package.json"), import.meta.url]) {
    const require = createRequire(origin);
    try {
      return require(packageName) as Rasteriser;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") continue;
      throw new InputError(`${packageName} is installed but cannot be used: ${messageOf(error)}`);
    }
  }
  return undefined;
}
