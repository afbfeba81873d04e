// Shows the participant's window, which runs on the server, and sends the keys and the pointer there.
import RFB from "/novnc/core/rfb.js";

const AGAIN_MS = 2_000;
const notice = document.getElementById("notice");
const server = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
let goesOnElsewhere = false;

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

// Says that the page is there, and whether somebody looks at it.
function connectPresence() {
    const presence = new WebSocket(`${server}/take-part/presence`);
    presence.addEventListener("open", () => {
        const viewport = [innerWidth, innerHeight];
        presence.send(JSON.stringify({ browser: engine(), viewport, ratio: devicePixelRatio }));
    });
    presence.addEventListener("message", (event) => {
        const message = JSON.parse(event.data);
        if (message.elsewhere) {
            goesOnElsewhere = true;
            say(notice.dataset.elsewhere);
        } else if (message.ask) {
            const visible = document.visibilityState === "visible";
            presence.send(JSON.stringify({ answer: message.ask, visible, focus: document.hasFocus() }));
        }
    });
    presence.addEventListener("close", () => tryAgain(connectPresence));
}

function connectPicture() {
    const viewer = new RFB(document.getElementById("screen"), `${server}/take-part/picture`, { shared: false });
    viewer.resizeSession = true;
    viewer.qualityLevel = 8;
    viewer.compressionLevel = 2;
    viewer.addEventListener("connect", () => {
        notice.hidden = true;
        viewer.focus();
    });
    viewer.addEventListener("disconnect", () => {
        say(goesOnElsewhere ? notice.dataset.elsewhere : notice.dataset.lost);
        tryAgain(connectPicture);
    });
}

connectPresence();
connectPicture();
