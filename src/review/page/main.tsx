import "./styles/base.css";
import "./styles/page.css";
import "./styles/queue.css";
import "./styles/suspicion.css";
import "./styles/decisions.css";
import "./styles/help.css";
import "./styles/types.css";
import "./styles/widths.css";
import { render } from "preact";
import type { Calls } from "../calls.ts";
import type { Content } from "../model.ts";
import { App } from "./app.tsx";
import { diskCalls } from "./disk-calls.ts";
import { httpCalls } from "./http-calls.ts";
import { createStore } from "./store.ts";

/** Milliseconds between two looks at what other tabs did. */
const interval = 1500;

const root = document.querySelector("#app")!;
const content = document.querySelector("#content")?.textContent;
const isFromDisk = content !== undefined && content !== null;

try {
  const calls: Calls = isFromDisk ? diskCalls(JSON.parse(content) as Content) : httpCalls();
  const client = tabName();
  const store = createStore(calls, client, await calls.start({ client }));
  render(<App store={store} isFromDisk={isFromDisk} />, root);
  if (!isFromDisk) {
    const look = (): void => {
      if (document.visibilityState === "visible") store.refresh();
    };
    setInterval(look, interval);
    addEventListener("visibilitychange", look);
  }
} catch (error) {
  render(
    <main class="finished">
      <p class="trouble" role="alert">
        {`The review cannot be shown: ${error instanceof Error ? error.message : String(error)}`}
      </p>
    </main>,
    root,
  );
}

/** A name that stays with this tab, also when the page is loaded again: what the tab decided can be taken back then too. */
function tabName(): string {
  const name = [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  try {
    const known = sessionStorage.getItem("lacuna-review-tab") ?? name;
    sessionStorage.setItem("lacuna-review-tab", known);
    return known;
  } catch {
    return name;
  }
}
