// Tells the server whether this browser likes dark pages, and how small its pixels are: the window opens accordingly.
import { scaleWithin } from "/parts/scale.js";

for (const form of document.forms) {
    const told = {
        scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        scale: scaleWithin(...form.dataset.most.split(" ").map(Number)),
    };
    for (const [name, value] of Object.entries(told)) {
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name, value });
        form.append(field);
    }
}
