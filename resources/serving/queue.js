// Asks again for a place after a while, as the button does.
const WAIT_MS = 10_000;
setTimeout(() => document.querySelector("form").submit(), WAIT_MS);
