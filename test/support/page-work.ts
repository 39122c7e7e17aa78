import type { Page } from "playwright-core";

/**
 * Milliseconds that the main thread of a page and this process have computed so far. Unlike the time on the wall, a
 * machine that is busy with something else leaves that alone.
 */
export async function computed(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  const { user, system } = process.cpuUsage();
  return 1000 * metrics.find(({ name }) => name === "ThreadTime")!.value + (user + system) / 1000;
}
