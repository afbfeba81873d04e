// Shows the participant's window, which runs on the server, and sends the keys and the pointer there.
import RFB from "/novnc/core/rfb.js";

const notice = document.getElementById("notice");
const scheme = location.protocol === "https:" ? "wss" : "ws";
const viewer = new RFB(document.getElementById("screen"), `${scheme}://${location.host}/take-part/picture`, { shared: false });
viewer.resizeSession = true;
viewer.qualityLevel = 8;
viewer.compressionLevel = 2;
viewer.addEventListener("connect", () => {
    notice.hidden = true;
    viewer.focus();
});
viewer.addEventListener("disconnect", () => {
    notice.firstElementChild.textContent = notice.dataset.lost;
    notice.hidden = false;
});
