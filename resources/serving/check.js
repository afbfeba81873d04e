// Tries the window, the keyboard, the pointer and the connection, and lets nobody begin before they work.
import { scaleWithin } from "/parts/scale.js";

const MEASURE_MS = 10_000;
const PAUSE_MS = 250;
const CHARACTERS = 3;
const NEAR_PX = 14;
const HIGH = 0.95;

const part = (id) => document.getElementById(id);
const begin = part("begin");
const button = begin.querySelector("button");
const trials = { window: false };

// Puts figures into a text, such as "%width" or "%median".
function filled(text, figures) {
    return Object.entries(figures).reduce((words, [name, value]) => words.replaceAll(`%${name}`, value), text);
}

function show(trial, works) {
    trials[trial] = works;
    part(trial).classList.toggle("done", works);
    const lacking = Object.keys(trials).filter((name) => !trials[name]);
    const names = lacking.map((name) => part(name).querySelector("h3").textContent);
    const { todo, ready } = part("todo").dataset;
    const words = lacking.length ? filled(todo, { parts: names.join(", ") }) : ready;
    if (part("todo").textContent !== words) {
        part("todo").textContent = words;
    }
    button.disabled = lacking.length > 0;
    const reason = part("incompatible")?.elements.reason;
    if (reason) {
        reason.value = touchesOnly() && lacking.includes("pointer") ? "touch" : lacking[0] ?? "";
    }
}

// The window ------------------------------------------------------------------------------------------------------

// How much larger than at 100 % the browser shows pages, as far as it tells.
function zoom() {
    return outerWidth > 0 ? outerWidth / innerWidth : 1;
}

function checkWindow() {
    const words = part("window").querySelector("p");
    const [width, height] = words.dataset.least.split(" ").map(Number);
    const fits = innerWidth >= width && innerHeight >= height;
    const isSmaller = zoom() < 0.95;
    const isLarger = zoom() > 1.15;
    const { dataset } = words;
    const text = isSmaller ? dataset.zoomedOut : fits ? dataset.fits : isLarger ? dataset.zoomedIn : dataset.small;
    const figures = { width: innerWidth, height: innerHeight, zoom: Math.round(100 * zoom()) };
    words.textContent = filled(text, figures);
    words.classList.toggle("fault", !fits || isSmaller);
    part("ratio").textContent = filled(part("ratio").dataset.ratio, { ratio: Number(devicePixelRatio.toFixed(2)) });
    show("window", fits && !isSmaller);
}

function scale() {
    return scaleWithin(...part("window").querySelector("p").dataset.most.split(" ").map(Number));
}

// The keyboard ----------------------------------------------------------------------------------------------------

function tryKeyboard() {
    const field = part("try");
    const words = part("typing");
    let isTyped = false;
    trials.keyboard = false;

    function noticeTyping() {
        if (!trials.keyboard && field.value.length >= CHARACTERS) {
            isTyped = true;
            words.textContent = words.dataset.typed;
        }
    }

    field.addEventListener("input", noticeTyping);
    field.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
            event.preventDefault();
        }
        const undoes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
        if (undoes && isTyped) {
            words.textContent = words.dataset.works;
            show("keyboard", true);
        }
    });
    // Somebody may have typed while this script was still on its way.
    noticeTyping();
}

// The pointer -----------------------------------------------------------------------------------------------------

function touchesOnly() {
    return matchMedia("(any-pointer: coarse)").matches && !matchMedia("(any-pointer: fine)").matches;
}

function centre(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
}

function tryPointer() {
    const field = part("field");
    const disc = part("disc");
    const done = { drag: false, wheel: false };
    let grip = null;
    trials.pointer = false;

    function works(what) {
        done[what] = true;
        part(what).textContent = part(what).dataset.works;
        part(what).classList.remove("fault");
        judge();
    }

    function judge() {
        const skips = part("keys-only").checked;
        field.hidden = skips;
        part("wheel").hidden = skips;
        part("drag").textContent = skips ? part("drag").dataset.skipped : dragWords;
        if (done.drag && !skips) {
            part("drag").textContent = part("drag").dataset.works;
        }
        show("pointer", skips || (done.drag && done.wheel));
    }

    const dragWords = part("drag").textContent;

    disc.addEventListener("pointerdown", (event) => {
        if (event.pointerType === "touch") {
            part("drag").textContent = part("drag").dataset.touch;
            part("drag").classList.add("fault");
            return;
        }
        grip = [event.clientX - disc.offsetLeft, event.clientY - disc.offsetTop];
        disc.setPointerCapture(event.pointerId);
    });
    disc.addEventListener("pointermove", (event) => {
        if (grip !== null) {
            const most = [field.clientWidth - disc.offsetWidth, field.clientHeight - disc.offsetHeight];
            const [x, y] = [event.clientX - grip[0], event.clientY - grip[1]];
            disc.style.left = `${Math.max(0, Math.min(most[0], x))}px`;
            disc.style.top = `${Math.max(0, Math.min(most[1], y))}px`;
        }
    });
    disc.addEventListener("pointerup", () => {
        if (grip !== null) {
            grip = null;
            const [[x, y], [ringX, ringY]] = [centre(disc), centre(part("ring"))];
            if (Math.hypot(x - ringX, y - ringY) <= NEAR_PX) {
                works("drag");
            }
        }
    });
    field.addEventListener(
        "wheel",
        (event) => {
            event.preventDefault();
            works("wheel");
        },
        { passive: false },
    );
    part("keys-only").addEventListener("change", judge);
    judge();
    if (touchesOnly()) {
        part("drag").textContent = part("drag").dataset.touch;
        part("drag").classList.add("fault");
    }
}

// The connection --------------------------------------------------------------------------------------------------

function keepFigure(name, value) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    begin.append(field);
}

async function tryConnection() {
    const words = part("connection").querySelector("p");
    const trips = [];
    const end = performance.now() + MEASURE_MS;
    show("connection", false);
    while (performance.now() < end) {
        const start = performance.now();
        try {
            await fetch("/round-trip", { cache: "no-store" });
            trips.push(Math.round(performance.now() - start));
        } catch {
            // An answer that does not come counts below, if there is none at all.
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    if (trips.length === 0) {
        words.textContent = words.dataset.lost;
        words.classList.add("fault");
        return;
    }
    trips.sort((one, other) => one - other);
    const at = (share) => trips[Math.ceil(share * trips.length) - 1];
    const [median, high, worst] = [at(0.5), at(HIGH), at(1)];
    const text = high > Number(part("connection").dataset.flagged) ? words.dataset.slow : words.dataset.good;
    words.textContent = filled(text, { median, worst });
    keepFigure("round_trip_median", median);
    keepFigure("round_trip_p95", high);
    keepFigure("round_trip_worst", worst);
    show("connection", true);
}

// What the system asks for is chosen already.
function takePreferences() {
    for (const box of begin.querySelectorAll("[data-prefers]")) {
        box.checked ||= matchMedia(box.dataset.prefers).matches;
    }
}

if (part("keyboard")) {
    takePreferences();
    tryKeyboard();
    tryPointer();
    tryConnection();
}
begin.addEventListener("submit", () => keepFigure("scale", scale()));
addEventListener("resize", checkWindow);
checkWindow();
