import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A browser that came with the packages, or why there is none: it is built for Linux on one kind of processor. */
export async function openBrowser(): Promise<Browser | string> {
  try {
    // Not the arguments that come with the package: they switch off what keeps pages apart.
    const args = ["--no-sandbox", "--disable-gpu"];
    return await playwright.launch({ executablePath: await chromium.executablePath(), args });
  } catch (error) {
    return `no browser could be started here: ${String(error).split("\n")[0]}`;
  }
}
