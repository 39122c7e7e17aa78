import { createHash } from "node:crypto";
import { script } from "./page-script.ts";
import { style } from "./page-style.ts";

/** The page to try models on: one document without any other file, and the policy that lets it do no more than it must. */
export function page(): { readonly html: string; readonly policy: string } {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html, policy };
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lacuna: named entities</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
  <h1>Lacuna</h1>
  <p>Named entities in your text. Nothing leaves this server, and it keeps nothing.</p>
</header>
<main>
  <form id="form">
    <label for="text">Text</label>
    <textarea id="text" rows="7" spellcheck="false" autofocus placeholder="Paste or type a text of any language the model knows"></textarea>
    <div class="controls">
      <div id="model-field" class="field" hidden>
        <label for="model">Model</label>
        <select id="model"></select>
      </div>
      <div class="field">
        <label for="score">Least score <output id="score-value" for="score">0.00</output></label>
        <input id="score" type="range" min="0" max="1" step="0.01" value="0">
      </div>
      <div class="field">
        <label for="overlap">Overlap</label>
        <select id="overlap">
          <option value="">as trained</option>
          <option value="flat">flat</option>
          <option value="nested">nested</option>
          <option value="all">all</option>
        </select>
      </div>
      <div id="token-field" class="field" hidden>
        <label for="token">Token</label>
        <input id="token" type="password" autocomplete="off">
      </div>
      <button id="tag" type="submit">Find entities <kbd>Ctrl ↵</kbd></button>
    </div>
  </form>
  <p id="status" role="status" aria-live="polite"></p>
  <section id="result" aria-labelledby="result-title" hidden>
    <h2 id="result-title">Entities</h2>
    <ul id="legend" aria-label="Types"></ul>
    <div id="marked" tabindex="0" aria-label="The text with its entities marked"></div>
    <details>
      <summary>As a table</summary>
      <div class="scroll">
        <table>
          <thead><tr><th scope="col">Type</th><th scope="col">Entity</th><th scope="col">Start</th><th scope="col">End</th><th scope="col">Score</th></tr></thead>
          <tbody id="rows"></tbody>
        </table>
      </div>
    </details>
  </section>
</main>
<footer><a href="/openapi.json">OpenAPI</a> · <a href="/health">health</a></footer>
<noscript>This page needs JavaScript; the server itself does not: see /openapi.json.</noscript>
<script>${script}</script>
</body>
</html>
`;
