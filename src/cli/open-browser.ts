import { spawn } from "node:child_process";

/** What opens an address, by platform. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // The first argument of `start` that stands in quotes would be the title of a window.
  win32: ["cmd", "/c", "start", ""],
};

/** Opens an address in the browser of whoever runs the command, if there is one; the address was printed in any case. */
export function openBrowser(address: string): void {
  const [program, ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program!, [...args, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
