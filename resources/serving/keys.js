// On Apple's computers, the window gets the command key as the control key: ⌘Z undoes there, too.
const isApple = /mac|iphone|ipad/i.test(navigator.platform);

function replace(event, type, names) {
    event.target.dispatchEvent(new KeyboardEvent(type, { ...names, bubbles: true, cancelable: true }));
}

function translate(event) {
    if (!event.isTrusted) {
        return;
    }
    if (event.key === "Meta") {
        event.preventDefault();
        event.stopImmediatePropagation();
        const isRight = event.code === "MetaRight";
        const code = isRight ? "ControlRight" : "ControlLeft";
        replace(event, event.type, { key: "Control", code, location: isRight ? 2 : 1 });
    } else if (event.metaKey && event.type === "keydown") {
        // Browsers do not tell when such a key is released.
        event.preventDefault();
        event.stopImmediatePropagation();
        const { key, code, location, shiftKey } = event;
        replace(event, "keydown", { key, code, location, shiftKey });
        replace(event, "keyup", { key, code, location, shiftKey });
    }
}

export function sendCommandAsControl(screen) {
    if (isApple) {
        screen.addEventListener("keydown", translate, true);
        screen.addEventListener("keyup", translate, true);
    }
}
