// Says whether the browser's window is large enough, and lets nobody begin in one that is not.
const size = document.getElementById("size");
const button = document.querySelector("button");
const [least_width, least_height] = size.dataset.least.split(" ").map(Number);

function check() {
    const fits = innerWidth >= least_width && innerHeight >= least_height;
    const words = fits ? size.dataset.fits : size.dataset.small;
    size.textContent = words.replace("%width", innerWidth).replace("%height", innerHeight);
    size.classList.toggle("fault", !fits);
    button.disabled = !fits;
}

addEventListener("resize", check);
check();
