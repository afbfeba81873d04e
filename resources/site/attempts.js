// The list of attempts: filters, order and pages. The filters are in the address, so that a list can be linked to.
"use strict";

const AT_ONCE = 100;
const data = JSON.parse(document.getElementById("rows").textContent);
const form = document.getElementById("filters");
const body = document.querySelector("#list tbody");
const NAMES = ["task", "run", "outcome", "q", "order"];
const ORDERS = {
  best: (a, b) => known(b[4]) - known(a[4]),
  worst: (a, b) => (a[4] ?? 2) - (b[4] ?? 2),
  slow: (a, b) => known(b[6]) - known(a[6]),
  long: (a, b) => known(b[7]) - known(a[7]),
};
let shown = [];
let first = 0;

function known(value) {
  return value ?? -1;
}

function addressOf(row) {
  return data.tasks[row[1]][0] + row[2];
}

function outcomeOf(row) {
  return row[4] === null ? "none" : row[5] ? "passed" : "failed";
}

function matches(row, wanted) {
  const outcome = outcomeOf(row);
  return (
    (!wanted.task || data.tasks[row[1]][0] === wanted.task) &&
    (!wanted.run || data.runs[row[3]][0] === wanted.run) &&
    (!wanted.outcome || outcome === wanted.outcome || (wanted.outcome === "partly" && outcome === "failed" && row[4] > 0)) &&
    (!wanted.q || addressOf(row).toLowerCase().includes(wanted.q.toLowerCase().trim()))
  );
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function lineOf(row) {
  const [number, , , run, score, , seconds, tokens] = row;
  const outcome = outcomeOf(row);
  const words = { passed: "✓ passed", failed: "✗ failed", none: "– not judged" };
  const line = document.createElement("tr");
  const name = element("th", "", { scope: "row" });
  name.append(element("a", addressOf(row), { href: `attempts/${number}.html` }));
  const task = element("td", "", { class: "words" });
  task.append(element("a", data.tasks[row[1]][1], { href: `tasks/${data.tasks[row[1]][0]}.html` }));
  const by = element("td", "", { class: "words" });
  by.append(element("a", data.runs[run][1], { href: `runs/${data.runs[run][0]}.html` }));
  const state = element("td", "", { class: "words" });
  state.append(element("span", words[outcome], { class: `state ${outcome}` }));
  const time = seconds === null ? "–" : seconds.toLocaleString("en", { maximumFractionDigits: 1 });
  line.append(name, task, by, element("td", score === null ? "–" : score.toFixed(2)), state);
  line.append(element("td", time), element("td", tokens === null ? "–" : tokens.toLocaleString("en")));
  return line;
}

function wantedNow() {
  return Object.fromEntries(NAMES.map((name) => [name, form.elements[name].value]));
}

function show() {
  const page = shown.slice(first, first + AT_ONCE);
  body.replaceChildren(...page.map(lineOf));
  const last = first + page.length;
  const range = page.length < shown.length ? `, ${first + 1} to ${last} shown` : "";
  document.getElementById("count").textContent =
    shown.length === 0
      ? "No attempt fits. Choose “All” somewhere."
      : `${shown.length.toLocaleString("en")} of ${data.rows.length.toLocaleString("en")} attempts${range}`;
  document.getElementById("before").hidden = first === 0;
  document.getElementById("more").hidden = last >= shown.length;
}

function filter() {
  const wanted = wantedNow();
  shown = data.rows.filter((row) => matches(row, wanted));
  if (ORDERS[wanted.order]) shown.sort(ORDERS[wanted.order]);
  first = 0;
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  show();
}

function turn(by) {
  first = Math.max(0, first + by);
  show();
  document.getElementById("count").scrollIntoView();
}

for (const [name, value] of new URLSearchParams(location.search)) {
  if (NAMES.includes(name)) form.elements[name].value = value;
}
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
document.getElementById("before").addEventListener("click", () => turn(-AT_ONCE));
document.getElementById("more").addEventListener("click", () => turn(AT_ONCE));
filter();
