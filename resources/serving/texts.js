// A bar with links to texts that can be saved or printed. The window has a button that asks for it.
const bar = document.getElementById("texts");
const list = bar.querySelector("ul");
let timesWanted = null;
let back = () => {};

function linkTo([name, title]) {
    const link = document.createElement("a");
    link.href = `/take-part/texts/${name}`;
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = title;
    const item = document.createElement("li");
    item.append(link);
    return item;
}

function close() {
    bar.hidden = true;
    back();
}

// Shows the bar once the person asks for it; goBack gives the keyboard back to the window.
export function showTexts({ texts, wanted }, goBack) {
    back = goBack;
    list.replaceChildren(...texts.map(linkTo));
    if (timesWanted !== null && wanted > timesWanted && texts.length > 0) {
        bar.hidden = false;
        list.querySelector("a").focus();
    }
    timesWanted = wanted;
}

bar.querySelector("button").addEventListener("click", close);
bar.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
        close();
    }
});
