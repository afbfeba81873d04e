// Shows the workbench's window, which runs on the server, and sends the keys, the pointer and the clipboard there.
import RFB from "/novnc/core/rfb.js";
import { connectClipboard } from "/parts/clipboard.js";
import { ExactPicture } from "/parts/exact.js";
import { sendCommandAsControl } from "/parts/keys.js";

const AGAIN_MS = 2_000;
const LOST = "The connection was lost. This page tries to connect again; if the server was stopped, open its new link.";
const ELSEWHERE = "The window was opened in another tab or browser.";
const screen = document.getElementById("screen");
const notice = document.getElementById("notice");
const [words, goOn] = notice.children;
const server = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/workbench`;
let viewer = null;
let exact = null;
let isElsewhere = false;

function say(text) {
    words.textContent = text;
    goOn.hidden = !isElsewhere;
    notice.hidden = false;
}

function tryAgain(connect) {
    if (!isElsewhere) {
        setTimeout(connect, AGAIN_MS);
    }
}

// Hears that the window was closed, or that somebody goes on elsewhere.
function connectNews() {
    const news = new WebSocket(`${server}/news`);
    news.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        if (message.elsewhere) {
            isElsewhere = true;
            viewer?.disconnect();
            say(ELSEWHERE);
        } else if (message.closed) {
            location.reload();
        }
    });
    news.addEventListener("close", () => tryAgain(connectNews));
}

function connectPicture() {
    const socket = new WebSocket(`${server}/picture`);
    exact = new ExactPicture(socket);
    viewer = new RFB(screen, socket, { shared: false });
    viewer.resizeSession = true;
    viewer.scaleViewport = true;
    viewer.qualityLevel = 8;
    viewer.compressionLevel = 2;
    viewer.addEventListener("connect", () => {
        notice.hidden = true;
        viewer.focus();
    });
    viewer.addEventListener("disconnect", () => {
        say(isElsewhere ? ELSEWHERE : LOST);
        tryAgain(connectPicture);
    });
    viewer.addEventListener("clipboard", (event) => clipboard.copied(event.detail.text));
}

const clipboard = connectClipboard(document.getElementById("copied"), {
    paste: (text) => viewer?.clipboardPasteFrom(text),
    press: (keysym, code, isDown) => viewer?.sendKey(keysym, code, isDown),
    isInWindow: () => screen.contains(document.activeElement),
    goBack: () => viewer?.focus(),
});
for (const kind of ["pointermove", "pointerdown", "pointerup", "wheel", "keydown"]) {
    screen.addEventListener(kind, () => exact.wait(), { capture: true, passive: true });
}
// Where pixels are small, the window's screen has several for one of the page, and cannot be larger than this.
const [width, height] = screen.dataset.most.split(" ");
Object.assign(screen.style, { maxWidth: `${width}px`, maxHeight: `${height}px` });
sendCommandAsControl(screen);
// The window takes all keys, Tab included; these lead out of it, and back.
addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.altKey && event.code === "KeyB") {
        event.preventDefault();
        event.stopImmediatePropagation();
        document.querySelector("#top a").focus();
    } else if (event.key === "Escape" && !screen.contains(event.target)) {
        viewer?.focus();
    }
}, true);
document.getElementById("whole").addEventListener("click", async () => {
    await document.documentElement.requestFullscreen();
    // Where the browser can, Escape and its own keys go to the window, too; holding Escape leaves full screen.
    await navigator.keyboard?.lock();
    viewer?.focus();
});
goOn.addEventListener("click", () => location.reload());
connectNews();
connectPicture();
