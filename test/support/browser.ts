import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A browser that came with the packages, or why there is none: it is built for Linux on one kind of processor. */
export async function openBrowser(): Promise<Browser | string> {
  try {
    return await playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
  } catch (error) {
    return `no browser could be started here: ${String(error).split("\n")[0]}`;
  }
}
