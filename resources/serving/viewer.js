// Shows the participant's window, which runs on the server, and sends the keys and the pointer there.
import RFB from "/novnc/core/rfb.js";
import { ExactPicture } from "/parts/exact.js";
import { sendCommandAsControl } from "/parts/keys.js";
import { PictureLine } from "/parts/picture.js";
import { Quality } from "/parts/quality.js";
import { showTexts } from "/parts/texts.js";
import { showField, typeInPage } from "/parts/typing.js";

const AGAIN_MS = 2_000;
const screen = document.getElementById("screen");
const notice = document.getElementById("notice");
const server = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
let presence = null;
let viewer = null;
let line = null;
let exact = null;
const quality = new Quality();
let goesOnElsewhere = false;
let isOver = false;

function say(text) {
    notice.firstElementChild.textContent = text;
    notice.hidden = false;
}

// The engine and its major version; nothing else of the user agent leaves the browser.
function engine() {
    const [, name, version] = navigator.userAgent.match(/(Firefox|Edg|Chrome|Version)\/(\d+)/) ?? [];
    return name ? `${name === "Version" ? "Safari" : name} ${version}` : "other 0";
}

function tryAgain(connect) {
    if (!goesOnElsewhere) {
        setTimeout(connect, AGAIN_MS);
    }
}

// Says that the page is there, and whether somebody looks at it; hears what the window tells.
function connectPresence() {
    presence = new WebSocket(`${server}/take-part/presence`);
    presence.addEventListener("open", () => {
        const viewport = [innerWidth, innerHeight];
        presence.send(JSON.stringify({ browser: engine(), viewport, ratio: devicePixelRatio }));
    });
    presence.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        if (message.way_out) {
            isOver = true;
            location.replace(message.way_out);
        } else if (message.phrase) {
            showPhrase(message.phrase);
        } else if (message.elsewhere) {
            goesOnElsewhere = true;
            say(notice.dataset.elsewhere);
        } else if (message.ask) {
            presence.send(JSON.stringify({
                answer: message.ask,
                visible: document.visibilityState === "visible",
                focus: document.hasFocus(),
                connection: line.name,
                drawn: line.drawn,
            }));
            quality.hear(message.late_ms, line.received);
            quality.apply(viewer);
        } else if (message.news) {
            isOver = message.news.over;
            showTexts(message.news, () => viewer?.focus());
            showField(message.news);
        }
    });
    presence.addEventListener("close", () => tryAgain(connectPresence));
}

// The phrase that proves who somebody is, once, over the window.
function showPhrase({ text, phrase, button }) {
    const dialog = document.getElementById("phrase");
    const [words, code, done] = dialog.children;
    words.textContent = text;
    code.textContent = phrase;
    done.textContent = button;
    done.addEventListener("click", () => {
        dialog.hidden = true;
        viewer?.focus();
    }, { once: true });
    dialog.hidden = false;
    done.focus();
}

function connectPicture() {
    line = new PictureLine(`${server}/take-part/picture`);
    exact = new ExactPicture(line.socket);
    viewer = new RFB(screen, line.socket, { shared: false });
    viewer.resizeSession = true;
    viewer.scaleViewport = true;
    viewer.background = "var(--window)";
    quality.apply(viewer);
    viewer.addEventListener("connect", () => {
        notice.hidden = true;
        if (document.getElementById("phrase").hidden) {
            viewer.focus();
        }
    });
    viewer.addEventListener("disconnect", () => {
        say(goesOnElsewhere ? notice.dataset.elsewhere : notice.dataset.lost);
        tryAgain(connectPicture);
    });
}

// The screen has several pixels for one of the page, if the window was opened where pixels are so small; it cannot be
// larger than this, in pixels of the page.
function limitSize() {
    const [width, height] = screen.dataset.most.split(" ");
    screen.style.maxWidth = `${width}px`;
    screen.style.maxHeight = `${height}px`;
}

// Whoever leaves the page by mistake, such as with a key of the browser, is asked first.
addEventListener("beforeunload", (event) => {
    if (!isOver && !goesOnElsewhere) {
        event.preventDefault();
    }
});
for (const kind of ["pointermove", "pointerdown", "pointerup", "wheel", "keydown"]) {
    screen.addEventListener(kind, () => exact.wait(), { capture: true, passive: true });
}
sendCommandAsControl(screen);
typeInPage(screen, {
    send: (typed) => presence.send(JSON.stringify({ typed })),
    press: (keysym, code, isDown) => viewer?.sendKey(keysym, code, isDown),
    goBack: () => viewer?.focus(),
});
limitSize();
connectPicture();
connectPresence();
