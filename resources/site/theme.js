// Sets the theme before anything is drawn, so that the page does not flash.
"use strict";
try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch (error) {
  // Without storage, the system's theme is shown.
}
