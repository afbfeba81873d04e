// Shows the participant's window, which runs on the server, and sends the keys and the pointer there.
import RFB from "/novnc/core/rfb.js";

const notice = document.getElementById("notice");
const server = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
let reason = notice.dataset.lost;

function say(text) {
    notice.firstElementChild.textContent = text;
    notice.hidden = false;
}

const presence = new WebSocket(`${server}/take-part/presence`);
presence.addEventListener("message", (event) => {
    if (JSON.parse(event.data).elsewhere) {
        reason = notice.dataset.elsewhere;
        say(reason);
    }
});

const viewer = new RFB(document.getElementById("screen"), `${server}/take-part/picture`, { shared: false });
viewer.resizeSession = true;
viewer.qualityLevel = 8;
viewer.compressionLevel = 2;
viewer.addEventListener("connect", () => {
    notice.hidden = true;
    viewer.focus();
});
viewer.addEventListener("disconnect", () => say(reason));
