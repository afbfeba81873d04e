// JPEG loses a little, even at its best. Where it was drawn, the picture is asked for again without it, once nothing
// moves: at rest, the page shows each pixel of the window as it is.
import Display from "/novnc/core/display.js";

const REST_MS = 250;
// After so long without a further piece, what was asked for is taken to have come.
const COME_MS = 60;
// So many bands of at least so many pixels are asked for, so that whoever moves on does not wait for the rest.
const BANDS = 10;
const LEAST_PIXELS = 1 << 17;
const ENCODINGS = 2;
const REQUEST = 3;
const QUALITIES = [-32, -23];

let present = null;
const drawImage = Display.prototype.imageRect;
// noVNC draws nothing but JPEG in this way.
Display.prototype.imageRect = function (x, y, width, height, ...image) {
    present?.lose(x, y, x + width, y + height);
    drawImage.call(this, x, y, width, height, ...image);
};

function withoutQuality(message) {
    const asked = new DataView(message.buffer);
    const places = Array.from({ length: asked.getUint16(2) }, (_, i) => 4 + 4 * i);
    const kept = places.map((place) => asked.getInt32(place)).filter((value) => value < QUALITIES[0] || value > QUALITIES[1]);
    const told = new DataView(new ArrayBuffer(4 + 4 * kept.length));
    told.setUint8(0, ENCODINGS);
    told.setUint16(2, kept.length);
    kept.forEach((value, i) => told.setInt32(4 + 4 * i, value));
    return told.buffer;
}

function request([left, top, right, bottom]) {
    const told = new DataView(new ArrayBuffer(10));
    told.setUint8(0, REQUEST);
    [left, top, right - left, bottom - top].forEach((value, i) => told.setUint16(2 + 2 * i, value));
    return told.buffer;
}

function bands([left, top, right, bottom]) {
    const rows = Math.ceil(Math.max(LEAST_PIXELS / (right - left), (bottom - top) / BANDS));
    const tops = Array.from({ length: Math.ceil((bottom - top) / rows) }, (_, i) => top + i * rows);
    return tops.map((start) => [left, start, right, Math.min(start + rows, bottom)]);
}

// Asks on a WebSocket of noVNC, between its messages, for what was lost.
export class ExactPicture {
    constructor(socket) {
        present = this;
        this.lost = null;
        this.waiting = [];
        this.isAsking = false;
        this.send = socket.send.bind(socket);
        socket.send = (message) => {
            if (message[0] === ENCODINGS) {
                this.encodings = message.slice();
            }
            this.send(message);
        };
        socket.addEventListener("message", () => this.take());
        socket.addEventListener("close", () => clearTimeout(this.timer));
    }

    // JPEG was drawn in a rectangle.
    lose(left, top, right, bottom) {
        const [a, b, c, d] = this.lost ?? [left, top, right, bottom];
        this.lost = [Math.min(a, left), Math.min(b, top), Math.max(c, right), Math.max(d, bottom)];
        this.wait();
    }

    // Somebody does something: what moves comes first.
    wait() {
        if (this.lost) {
            this.stopAsking();
            this.timer = setTimeout(() => this.begin(), REST_MS);
        }
    }

    begin() {
        this.isAsking = true;
        this.waiting = bands(this.lost);
        this.send(withoutQuality(this.encodings));
        this.ask();
    }

    ask() {
        if (this.waiting.length) {
            this.send(request(this.waiting.shift()));
        } else {
            this.lost = null;
            this.stopAsking();
        }
    }

    take() {
        if (this.isAsking) {
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.ask(), COME_MS);
        }
    }

    stopAsking() {
        clearTimeout(this.timer);
        if (this.isAsking) {
            this.isAsking = false;
            this.send(this.encodings);
        }
    }
}
