// How many pixels of the browser's screen a pixel of the page takes, as far as a picture may be so large.
const LARGEST_SCALE = 2;

// width, height: of the largest picture.
export function scaleWithin(width, height) {
    const most = Math.min(LARGEST_SCALE, width / innerWidth, height / innerHeight);
    return Math.floor(1000 * Math.max(1, Math.min(devicePixelRatio, most))) / 1000;
}
