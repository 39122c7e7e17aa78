import { createRequire } from "node:module";
import { resolve } from "node:path";
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
 * Makes PNG files of figures, where the rasteriser is installed beside Lacuna, since it is nothing that everybody needs.
 * One in the working folder is code of whoever wrote that folder, and used only where `LACUNA_RASTERISER` names it.
 * Letters are drawn with the fonts of the system.
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
  const asked = process.env.LACUNA_RASTERISER;
  try {
    return createRequire(import.meta.url)(asked ? resolve(asked) : packageName) as Rasteriser;
  } catch (error) {
    if (!asked && (error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw new InputError(`${asked ?? packageName}: the rasteriser cannot be used: ${messageOf(error)}`);
  }
}
