// The parts that every page has: the theme's button, and tables that can be sorted.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : dark.matches;
}

function setUpTheme() {
  const button = document.getElementById("theme");
  const show = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
    document.dispatchEvent(new CustomEvent("theme"));
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch (error) {
      // It is kept for this page only.
    }
    show();
  });
  dark.addEventListener("change", show);
  show();
}

function valueOf(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number(text);
  if (text === "" || text === "None" || text === "–") return null;
  return Number.isNaN(number) ? text.toLowerCase() : number;
}

function compare(first, second) {
  if (typeof first === typeof second) return first < second ? -1 : first > second ? 1 : 0;
  return typeof first === "number" ? -1 : 1;
}

function sortBy(table, heading, column) {
  const ascending = heading.getAttribute("aria-sort") === "descending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: valueOf(row, column) }));
  const known = rows.filter((one) => one.value !== null);
  known.sort((a, b) => (ascending ? 1 : -1) * compare(a.value, b.value));
  // Unknown values come last in either order.
  table.tBodies[0].append(...[...known, ...rows.filter((one) => one.value === null)].map((one) => one.row));
}

function setUpSorting(table) {
  [...table.tHead.rows[0].cells].forEach((heading, column) => {
    if (heading.classList.contains("plain")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sortBy(table, heading, column));
  });
}

setUpTheme();
document.querySelectorAll("table[data-sortable]").forEach(setUpSorting);
const asked = new URLSearchParams(location.search).get("q");
if (asked && document.getElementById("words")) document.getElementById("words").value = asked;
