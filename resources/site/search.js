// Search without a server: the index is part of the page.
"use strict";

const MOST = 100;
const entries = JSON.parse(document.getElementById("index").textContent);
const words = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);

function found() {
  const scored = [];
  for (const [kind, title, address, more] of entries) {
    const name = title.toLowerCase();
    const text = `${name} ${kind} ${more}`.toLowerCase();
    if (words.every((word) => text.includes(word))) {
      const begins = name.startsWith(words[0]) ? 0 : name.includes(words[0]) ? 1 : 2;
      scored.push({ begins, kind, title, address, more });
    }
  }
  return scored.sort((a, b) => a.begins - b.begins);
}

function lineOf(one) {
  const line = document.createElement("li");
  const link = document.createElement("a");
  link.href = one.address;
  link.textContent = one.title;
  const about = document.createElement("span");
  about.className = "about";
  about.textContent = one.more ? `${one.kind} · ${one.more}` : one.kind;
  line.append(link, about);
  return line;
}

if (words.length) {
  const all = found();
  const shown = all.slice(0, MOST);
  document.getElementById("found").replaceChildren(...shown.map(lineOf));
  const more = all.length > MOST ? `, the first ${MOST} are shown` : "";
  document.getElementById("count").textContent = all.length
    ? `${all.length} found for “${words.join(" ")}”${more}`
    : `Nothing is called “${words.join(" ")}”.`;
}
