import { judge } from "./judge.ts";
import type { Target } from "./target.ts";

/** Time for making an input small; what is left then is small enough. */
const patience = 15_000;

/** The smallest input found that fails in the same way: parts are left out as long as it does. */
export async function minimised(
  target: Target,
  input: Buffer,
  scratch: string,
  variant: number,
  signature: string,
): Promise<Buffer> {
  const deadline = Date.now() + patience;
  const fails = async (bytes: Buffer): Promise<boolean> => {
    const verdict = await judge(target, bytes, scratch, variant);
    return verdict.kind === "defect" && verdict.signature === signature;
  };
  let smallest = input;
  for (let size = Math.ceil(input.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && Date.now() < deadline; ) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      if (await fails(shorter)) smallest = shorter;
      else at += size;
    }
  }
  return smallest;
}
