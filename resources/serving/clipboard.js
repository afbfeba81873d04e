// Connects the clipboards of the window and of this machine, as far as the browser lets a page do so.
const V = 0x76;
const INSERT = 0xff63;
const CONTROL = 0xffe3;

// offer: what is shown where the browser wants a click before it copies. window_: what reaches the window.
export function connectClipboard(offer, { paste, press, isInWindow, goBack }) {
    let last = "";
    let pastes = null;

    // What was copied in the window.
    async function copied(text) {
        last = text;
        try {
            await navigator.clipboard.writeText(text);
            offer.hidden = true;
        } catch {
            offer.hidden = false;
        }
    }

    function send(text) {
        if (text !== last) {
            last = text;
            paste(text);
        }
    }

    // A key that pastes is not sent: the browser says what would be pasted, and then the window gets both.
    function holdBack(event) {
        const isV = (event.ctrlKey || event.metaKey) && event.code === "KeyV";
        const isInsert = event.shiftKey && event.code === "Insert";
        if (!isInWindow() || !(isV || isInsert)) {
            return;
        }
        event.stopImmediatePropagation();
        if (event.type === "keydown") {
            pastes = isV ? [V, "KeyV", event.metaKey] : [INSERT, "Insert", false];
        }
    }

    function pasteInWindow(event) {
        if (pastes === null || !isInWindow()) {
            return;
        }
        event.preventDefault();
        send(event.clipboardData.getData("text/plain"));
        const [keysym, code, isCommand] = pastes;
        pastes = null;
        const keys = isCommand ? [[CONTROL, "ControlLeft"], [keysym, code]] : [[keysym, code]];
        keys.forEach((key) => press(...key, true));
        keys.reverse().forEach((key) => press(...key, false));
    }

    // Menus of the window paste, too: what was copied elsewhere meanwhile is fetched, if the browser need not ask.
    async function fetchSilently() {
        try {
            const { state } = await navigator.permissions.query({ name: "clipboard-read" });
            if (state === "granted") {
                send(await navigator.clipboard.readText());
            }
        } catch {
            // This browser cannot say; keys paste all the same.
        }
    }

    offer.querySelector("button").addEventListener("click", async () => {
        await copied(last);
        goBack();
    });
    addEventListener("keydown", holdBack, true);
    addEventListener("keyup", holdBack, true);
    addEventListener("paste", pasteInWindow, true);
    addEventListener("focus", fetchSilently);
    return { copied };
}
