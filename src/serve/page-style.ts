/** The look of the page, for light and dark screens; colours of types are made from `--hue`. */
export const style = `
:root {
  --ground: #fbfaf7; --panel: #ffffff; --ink: #1c1d20; --soft: #5c5f66; --line: #dcdad3; --accent: #24557a; --on-accent: #ffffff;
  --alarm: #a3231f; --mark-light: 90%; --mark-chroma: 0.07; --tag-light: 38%;
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181c; --panel: #1e2127; --ink: #e9e7e1; --soft: #a3a7b0; --line: #363a43; --accent: #8fc1ea; --on-accent: #10202e;
    --alarm: #ff9b93; --mark-light: 34%; --mark-chroma: 0.08; --tag-light: 86%;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 2rem 1.25rem 3rem; background: var(--ground); color: var(--ink); }
header h1 { margin: 0; font-size: 1.75rem; font-weight: 650; letter-spacing: -0.02em; }
header p { margin: 0.15rem 0 1.5rem; color: var(--soft); }
h2 { font-size: 1.05rem; margin: 0 0 0.6rem; }
label { display: block; font-size: 0.85rem; color: var(--soft); margin-bottom: 0.3rem; }
textarea, select, input[type=password] {
  width: 100%; font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.6rem 0.75rem;
}
textarea { resize: vertical; line-height: 1.6; }
input[type=range] { display: block; width: 100%; accent-color: var(--accent); height: 2.6rem; margin: 0; }
.controls { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)); gap: 0.9rem; align-items: end; margin-top: 0.9rem; }
button {
  font: inherit; font-weight: 600; border: 0; border-radius: 0.5rem; padding: 0.65rem 1rem; background: var(--accent); color: var(--on-accent); cursor: pointer;
}
button:disabled { opacity: 0.6; cursor: progress; }
kbd { font: inherit; font-size: 0.75rem; font-weight: 400; opacity: 0.8; margin-left: 0.35rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#status { min-height: 1.55em; margin: 0.9rem 0; color: var(--soft); }
#status.alarm { color: var(--alarm); }
#result { border-top: 1px solid var(--line); padding-top: 1.1rem; }
#legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem; padding: 0; margin: 0 0 0.8rem; }
#legend button { font-size: 0.85rem; font-weight: 500; padding: 0.2rem 0.65rem; border-radius: 1rem; color: var(--ink); background: oklch(var(--mark-light) var(--mark-chroma) var(--hue)); }
#legend button[aria-pressed=false] { background: transparent; box-shadow: inset 0 0 0 1px var(--line); color: var(--soft); text-decoration: line-through; }
#marked { background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 2; }
mark { color: inherit; border-radius: 0.3rem; padding: 0.12em 0.2em; background: oklch(var(--mark-light) var(--mark-chroma) var(--hue)); -webkit-box-decoration-break: clone; box-decoration-break: clone; }
mark mark { box-shadow: 0 0 0 1.5px oklch(var(--tag-light) 0.09 var(--hue)); }
mark .type { font-size: 0.66em; font-weight: 700; letter-spacing: 0.04em; margin-left: 0.4em; color: oklch(var(--tag-light) 0.09 var(--hue)); user-select: none; }
details { margin-top: 1rem; }
summary { cursor: pointer; color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; margin-top: 0.5rem; }
th, td { text-align: left; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: 500; }
footer { margin-top: 2.5rem; font-size: 0.85rem; color: var(--soft); }
a { color: var(--accent); }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: no-preference) { button { transition: opacity 0.15s; } }
@media (forced-colors: active) { mark { outline: 1px solid; } }
`;
