import type { Reporter, TestModule } from "vitest/node";

/** Prints `N passed, N failed` (and skipped) alone on the last line, which scripts can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++;
      if (module.errors().length > 0) count.failed++;
    }
    const skipped = count.skipped + count.pending;
    process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`);
  }
}
