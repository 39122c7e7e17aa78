import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Not the cache of whoever runs the tests.
    env: { LACUNA_CACHE: join(tmpdir(), "lacuna-test-cache") },
    reporters: ["default", "./test/support/closing-line.ts"],
  },
});
