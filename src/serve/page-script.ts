/**
 * The program of the page. Texts and types reach the document as text nodes only. Kept free of backquotes and of the
 * dollar sign before a brace, because it stands in a template.
 */
export const script = `
"use strict";
const byId = (id) => document.getElementById(id);
const [form, text, model, score, overlap, token, button, status, result] =
  ["form", "text", "model", "score", "overlap", "token", "tag", "status", "result"].map(byId);
const hidden = new Set();
let last = { text: "", entities: [] };

function element(name, content, attributes) {
  const made = document.createElement(name);
  if (content !== undefined) made.textContent = content;
  for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
  return made;
}

/** The same type has the same colour in every text: the hue follows from its name. */
function coloured(made, type) {
  let hash = 7;
  for (const character of type) hash = (hash * 31 + character.codePointAt(0)) % 9973;
  made.style.setProperty("--hue", String((hash * 137) % 360));
  return made;
}

function say(message, isAlarm) {
  status.textContent = message;
  status.classList.toggle("alarm", Boolean(isAlarm));
}

function headers() {
  const found = { "Content-Type": "application/json" };
  if (token.value !== "") found.Authorization = "Bearer " + token.value;
  return found;
}

/** The text between the places where entities begin and end, each part in the marks of those that cover it. */
function markedParts(content, entities) {
  const cuts = [...new Set([0, content.length, ...entities.flatMap((each) => [each.start, each.end])])].sort((a, b) => a - b);
  const opened = [...entities].sort((a, b) => a.start - b.start || b.end - a.end);
  const fragment = document.createDocumentFragment();
  const open = [];
  let next = 0;
  const home = () => (open.length > 0 ? open[open.length - 1].mark : fragment);
  cuts.forEach((cut, i) => {
    const reopened = [];
    while (open.some(({ entity }) => entity.end <= cut)) {
      const { entity, mark } = open.pop();
      if (entity.end <= cut) mark.append(element("span", entity.entity_group, { class: "type" }));
      else reopened.unshift(entity);
    }
    const begin = (entity) => {
      const title = entity.entity_group + ", score " + entity.score.toFixed(3);
      const mark = coloured(element("mark", undefined, { title }), entity.entity_group);
      home().append(mark);
      open.push({ entity, mark });
    };
    reopened.forEach(begin);
    while (next < opened.length && opened[next].start === cut) begin(opened[next++]);
    if (i + 1 < cuts.length) home().append(content.slice(cut, cuts[i + 1]));
  });
  return fragment;
}

function show() {
  const counts = new Map();
  for (const { entity_group } of last.entities) counts.set(entity_group, (counts.get(entity_group) || 0) + 1);
  const chips = [...counts].sort().map(([type, count]) => {
    const chip = coloured(element("button", type + " " + count, { type: "button", "aria-pressed": String(!hidden.has(type)) }), type);
    chip.addEventListener("click", () => {
      if (!hidden.delete(type)) hidden.add(type);
      show();
      [...byId("legend").querySelectorAll("button")].find((each) => each.textContent === chip.textContent)?.focus();
    });
    const item = element("li");
    item.append(chip);
    return item;
  });
  byId("legend").replaceChildren(...chips);
  const shown = last.entities.filter(({ entity_group }) => !hidden.has(entity_group));
  byId("marked").replaceChildren(markedParts(last.text, shown));
  byId("rows").replaceChildren(...shown.map((each) => {
    const row = element("tr");
    for (const cell of [each.entity_group, each.word, each.start, each.end, each.score.toFixed(3)]) row.append(element("td", String(cell)));
    return row;
  }));
  result.hidden = false;
}

async function answer(path, options) {
  const response = await fetch(path, options);
  const body = await response.json().catch(() => ({ error: "the answer is not JSON" }));
  if (response.status === 401) byId("token-field").hidden = false;
  if (!response.ok) throw new Error(body.error || "status " + response.status);
  return body;
}

async function tag() {
  const content = text.value;
  const parameters = { minScore: Number(score.value), offsets: "utf-16" };
  if (overlap.value !== "") parameters.overlap = overlap.value;
  const path = model.value === "" ? "/tag" : "/models/" + encodeURIComponent(model.value) + "/tag";
  button.disabled = true;
  say("Reading …");
  const start = performance.now();
  try {
    const entities = await answer(path, { method: "POST", headers: headers(), body: JSON.stringify({ inputs: content, parameters }) });
    last = { text: content, entities };
    const milliseconds = Math.round(performance.now() - start);
    say((entities.length === 1 ? "1 entity" : entities.length + " entities") + " in " + milliseconds + " ms");
    show();
  } catch (error) {
    say("No answer: " + error.message, true);
  } finally {
    button.disabled = false;
  }
}

async function listModels() {
  try {
    const models = await answer("/models", { headers: headers() });
    model.replaceChildren(...models.map(({ name, types }) => element("option", name, { value: name, title: types.join(", ") })));
    byId("model-field").hidden = models.length < 2;
  } catch (error) {
    say("No answer: " + error.message, true);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  tag();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
score.addEventListener("input", () => {
  byId("score-value").textContent = Number(score.value).toFixed(2);
});
token.addEventListener("change", listModels);
listModels();
`;
