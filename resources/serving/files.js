// Sends chosen or dropped files to the server, one after the other, and says how far each is.
const drop = document.getElementById("drop");
const chosen = document.getElementById("chosen");
const list = document.getElementById("uploads");
const most = Number(drop.dataset.most);
const UPLOADS = "/workbench/files/put/";
let isBusy = false;

function isThere(name) {
    return [...document.querySelectorAll("a[data-name]")].some((link) => link.dataset.name === name.normalize("NFC"));
}

function send(file, replaces, say) {
    return new Promise((done) => {
        const request = new XMLHttpRequest();
        request.open("POST", `${UPLOADS}${encodeURIComponent(file.name)}${replaces ? "?replace=yes" : ""}`);
        request.upload.addEventListener("progress", ({ loaded, total }) => {
            say(`${Math.floor(100 * loaded / Math.max(total, 1))} %`);
        });
        request.addEventListener("load", () => done({ status: request.status, text: request.responseText }));
        request.addEventListener("error", () => done({ status: 0, text: "The connection was lost." }));
        request.send(file);
    });
}

// Whether the file was stored.
async function upload(file) {
    const line = document.createElement("li");
    list.append(line);
    const say = (text, kind = "") => {
        line.textContent = `${file.name}: ${text}`;
        line.className = kind;
    };
    if (file.size > most) {
        say("It is too large.", "fault");
        return false;
    }
    let replaces = isThere(file.name);
    if (replaces && !confirm(`Replace ${file.name} on the server?`)) {
        say("It was not replaced.");
        return false;
    }
    let answer = await send(file, replaces, say);
    if (answer.status === 409 && !replaces && confirm(`${answer.text} Replace it?`)) {
        replaces = true;
        answer = await send(file, replaces, say);
    }
    say(answer.status === 200 ? "It is on the server." : answer.text, answer.status === 200 ? "" : "fault");
    return answer.status === 200;
}

async function uploadAll(files) {
    if (isBusy || files.length === 0) {
        return;
    }
    isBusy = true;
    list.replaceChildren();
    let areAllStored = true;
    for (const file of files) {
        areAllStored = await upload(file) && areAllStored;
    }
    isBusy = false;
    chosen.value = "";
    if (areAllStored) {
        location.reload();
    }
}

chosen.addEventListener("change", () => uploadAll([...chosen.files]));
drop.addEventListener("dragover", (event) => event.preventDefault());
drop.addEventListener("drop", (event) => {
    event.preventDefault();
    uploadAll([...event.dataTransfer.files]);
});
addEventListener("beforeunload", (event) => {
    if (isBusy) {
        event.preventDefault();
    }
});
