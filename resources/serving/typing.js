// A field of the page in place of the text field that has the focus in the window: for screen readers, dictation and
// input methods, which a picture cannot take. The window is told what stands in it, and tells what became of it.
const bar = document.getElementById("typing");
const label = bar.querySelector("label");
const line = bar.querySelector("input");
const area = bar.querySelector("textarea");
// Keys that belong to the window, by their keysyms: it goes on to the next field, or hands in the answer.
const KEYS = { Enter: 0xff0d, Tab: 0xff09, F9: 0xffc6 };
const SHIFT = 0xffe1;
const WAIT_MS = 1_000;

let field = null;
let own = line;
let sent = 0;
let isLeft = 0;
let isComposing = false;
let heardAll = () => {};
let window_ = null;

function close() {
    if (!bar.hidden) {
        bar.hidden = true;
        window_.goBack();
    }
}

function open() {
    own = field.lines ? area : line;
    area.hidden = !field.lines;
    line.hidden = field.lines;
    own.id = "typed";
    (field.lines ? line : area).removeAttribute("id");
    label.htmlFor = "typed";
    label.textContent = field.label;
    own.maxLength = field.most;
    bar.classList.toggle("above", field.low);
    bar.hidden = false;
    take();
    own.focus();
}

// What stands in the window's field, unless what was typed here is still on its way.
function take() {
    if (!isComposing && field.heard >= sent && own.value !== field.text) {
        own.value = field.text;
        own.setSelectionRange(Math.min(...field.cursor), Math.max(...field.cursor));
    }
    if (field.heard >= sent) {
        heardAll();
    }
}

function tell() {
    if (field && !isComposing) {
        sent += 1;
        const cursor = [own.selectionStart, own.selectionEnd];
        window_.send({ number: field.number, heard: sent, text: own.value, cursor });
    }
}

// Presses a key in the window, once it has heard of everything that was typed.
async function press(event) {
    event.preventDefault();
    const { key, code, shiftKey } = event;
    if (field.heard < sent) {
        await new Promise((resolve) => {
            heardAll = resolve;
            setTimeout(resolve, WAIT_MS);
        });
    }
    if (shiftKey) {
        window_.press(SHIFT, "ShiftLeft", true);
    }
    window_.press(KEYS[key], code);
    if (shiftKey) {
        window_.press(SHIFT, "ShiftLeft", false);
    }
}

// Shows the field that has the focus in the window, if the person types here.
export function showField(news) {
    const isOther = news.field?.number !== field?.number;
    field = news.field;
    if (isOther) {
        sent = 0;
        isComposing = false;
    }
    if (field === null) {
        close();
    } else if (isOther && news.types && isLeft !== field.number) {
        open();
    } else if (isOther) {
        close();
    } else if (!bar.hidden) {
        take();
    }
}

// Connects the field with the window: send tells what was typed, press a key, goBack gives the keyboard to the picture.
export function typeInPage(screen, connection) {
    window_ = connection;
    for (const part of [line, area]) {
        part.addEventListener("input", tell);
        part.addEventListener("compositionstart", () => { isComposing = true; });
        part.addEventListener("compositionend", () => {
            isComposing = false;
            tell();
        });
        part.addEventListener("keydown", (event) => {
            if (event.isComposing) {
                return;
            }
            if (event.key === "Escape") {
                isLeft = field.number;
                close();
            } else if (event.key in KEYS && !(event.key === "Enter" && field.lines)) {
                press(event);
            }
        });
    }
    bar.addEventListener("submit", (event) => event.preventDefault());
    bar.querySelector("button").addEventListener("click", () => {
        isLeft = field.number;
        close();
    });
    // An input method that begins over the picture goes on in the field.
    screen.addEventListener("keydown", (event) => {
        if (field !== null && bar.hidden && (event.isComposing || event.key === "Process")) {
            open();
        }
    }, true);
}
