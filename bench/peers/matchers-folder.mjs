import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the packages for comparison are installed. */
export const folder = process.env.LACUNA_BENCH_PEERS ?? join(tmpdir(), "lacuna-bench-peers");
