// Tells the server whether this browser likes dark pages, so that the window opens in the same colours.
for (const form of document.forms) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "scheme";
    field.value = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    form.append(field);
}
