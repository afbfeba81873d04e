// Compares any two runs in pairs, on the subtasks that both have a score for. The form of the data is described in
// engine/reporting/site/run_scores.py. The runs that were chosen are in the address, so that a comparison can be linked to.
"use strict";

const DRAWS = 10000, EXCHANGES = 10000, LEAST_CLUSTERS = 3, MOST_FLIPS = 200;
const data = JSON.parse(document.getElementById("scores").textContent);
const form = document.getElementById("choice");

function random(seed) {
  // Mulberry32: the same numbers for everybody.
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

function pairsOf(first, second) {
  const others = new Map(second.scores.map((row) => [row[0], row]));
  return first.scores.filter(([place]) => others.has(place)).map((one) => ({ place: one[0], one, other: others.get(one[0]) }));
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function clustersOf(pairs) {
  // The sum of the differences in each cluster of subtasks, and how many subtasks it has.
  const found = new Map();
  for (const { place, one, other } of pairs) {
    const cluster = data.subtasks[place][2], [sum, count] = found.get(cluster) ?? [0, 0];
    found.set(cluster, [sum + one[1] - other[1], count + 1]);
  }
  return [...found.values()];
}

function interval(clusters) {
  const draw = random(1), means = [];
  for (let k = 0; k < DRAWS; k++) {
    let sum = 0, count = 0;
    for (let i = 0; i < clusters.length; i++) {
      const [part, size] = clusters[Math.floor(draw() * clusters.length)];
      sum += part;
      count += size;
    }
    means.push(sum / count);
  }
  means.sort((a, b) => a - b);
  return [means[Math.floor(0.025 * DRAWS)], means[Math.ceil(0.975 * DRAWS) - 1]];
}

function exchanged(clusters) {
  // How probable a difference as large as this one is, if the runs were exchanged at random.
  const sums = clusters.map(([sum]) => sum).filter((sum) => Math.abs(sum) > 1e-9);
  if (!sums.length) return 1;
  const draw = random(2), observed = Math.abs(sums.reduce((all, sum) => all + sum, 0)) - 1e-9;
  let hits = 0;
  for (let k = 0; k < EXCHANGES; k++) {
    const sum = sums.reduce((all, part) => all + (draw() < 0.5 ? part : -part), 0);
    if (Math.abs(sum) >= observed) hits += 1;
  }
  return (hits + 1) / (EXCHANGES + 1);
}

function points(value) {
  const text = (100 * Math.abs(value)).toFixed(1);
  return `${Number(text) === 0 ? "" : value > 0 ? "+" : "−"}${text}`;
}

function percent(value) {
  return `${(100 * value).toFixed(1)} %`;
}

function cell(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function linked(tag, text, href, attributes = {}) {
  const made = cell(tag, "", attributes);
  made.append(cell("a", text, { href }));
  return made;
}

function taskLines(pairs) {
  return data.tasks.flatMap(([id, title], task) => {
    const own = pairs.filter(({ place }) => data.subtasks[place][0] === task);
    if (!own.length) return [];
    const [first, second] = [mean(own.map(({ one }) => one[1])), mean(own.map(({ other }) => other[1]))];
    const line = document.createElement("tr");
    line.append(linked("th", title, `tasks/${id}.html`, { scope: "row" }), cell("td", String(own.length)));
    line.append(cell("td", percent(first)), cell("td", percent(second)), cell("td", points(first - second)));
    return [line];
  });
}

function flipLine({ place, one, other }, names) {
  const [task, rest] = data.subtasks[place], line = document.createElement("tr");
  line.append(cell("th", data.tasks[task][0] + rest, { scope: "row" }), cell("td", one[2] ? names[0] : names[1], { class: "words" }));
  for (const [, score, , number] of [one, other]) line.append(linked("td", percent(score), `attempts/${number}.html`));
  return line;
}

function show() {
  const [first, second] = ["first", "second"].map((name) => data.runs[form.elements[name].selectedIndex]);
  const pairs = pairsOf(first, second), clusters = clustersOf(pairs);
  const names = [first.title, second.title];
  document.getElementById("verdict").textContent = `${names[0]} and ${names[1]}`;
  for (const heading of document.querySelectorAll("#compared th[data-run]")) heading.textContent = names[heading.dataset.run];
  const about = document.getElementById("about"), whole = document.getElementById("whole");
  const flips = pairs.filter(({ one, other }) => one[2] !== other[2]);
  for (const id of ["tasks", "flipping", "flips"]) document.getElementById(id).hidden = !pairs.length;
  document.getElementById("flipped").hidden = !flips.length;
  whole.textContent = "";
  if (!pairs.length) about.textContent = "They have no subtask in common that both have a score for.";
  else {
    const left = first.scores.length + second.scores.length - 2 * pairs.length;
    const [one, other] = [mean(pairs.map(({ one: row }) => row[1])), mean(pairs.map(({ other: row }) => row[1]))];
    about.textContent = `${pairs.length.toLocaleString("en")} subtasks that both have a score for.`;
    if (left) about.textContent += ` ${left.toLocaleString("en")} that only one has are left out.`;
    const said = `${percent(one)} and ${percent(other)}: a difference of ${points(one - other)} points`;
    if (clusters.length < LEAST_CLUSTERS) whole.textContent = `${said}. That is too little for an interval.`;
    else {
      const [low, high] = interval(clusters), p = exchanged(clusters);
      whole.textContent = `${said}, 95 % interval ${points(low)} to ${points(high)}, p ${p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`}.`;
    }
  }
  const counts = [1, 0].map((wanted) => flips.filter(({ one }) => one[2] === wanted).length);
  document.getElementById("flips").textContent = `${counts[0]} passed by ${names[0]} alone, ${counts[1]} by ${names[1]} alone.`;
  document.querySelector("#tasks tbody").replaceChildren(...taskLines(pairs));
  document.querySelector("#flipped tbody").replaceChildren(...flips.slice(0, MOST_FLIPS).map((pair) => flipLine(pair, names)));
  document.getElementById("compared").hidden = false;
  history.replaceState(null, "", `?${new URLSearchParams({ first: first.slug, second: second.slug })}`);
}

const linkedTo = new URLSearchParams(location.search);
["first", "second"].forEach((name, place) => {
  const select = form.elements[name];
  data.runs.forEach(({ slug, title }) => select.add(new Option(title, slug)));
  const wanted = data.runs.findIndex(({ slug }) => slug === linkedTo.get(name));
  select.selectedIndex = wanted >= 0 ? wanted : Math.min(place, data.runs.length - 1);
});
document.getElementById("exchange").addEventListener("click", () => {
  const { first, second } = form.elements;
  [first.selectedIndex, second.selectedIndex] = [second.selectedIndex, first.selectedIndex];
  show();
});
form.hidden = false;
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
show();
