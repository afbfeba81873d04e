// How good the picture is while something moves: as good as the line can bring it in time.

// noVNC's levels of quality and of compression, the best first. With quality 9, nothing would be refreshed at rest.
const STEPS = [[8, 2], [6, 3], [4, 4], [2, 5]];
// If pictures are drawn so much later than the line makes them, twice in a row, they get worse.
const LATE_MS = 150;
const TWICE = 2;
// If they are drawn as soon as this, and so often, they get better again.
const SOON_MS = 60;
const OFTEN = 10;
// So many pieces between two questions are a movement; less says nothing about the line.
const MOVEMENT = 5;

export class Quality {
    constructor() {
        this.step = 0;
        this.late = 0;
        this.soon = 0;
        this.received = 0;
    }

    // How late pictures were at an answer of the page, and how many pieces of them have arrived so far.
    hear(lateMs, received) {
        const moves = received - this.received >= MOVEMENT;
        this.received = received;
        if (!moves) {
            return;
        }
        this.late = lateMs > LATE_MS ? this.late + 1 : 0;
        this.soon += lateMs < SOON_MS ? 1 : 0;
        if (this.late === TWICE) {
            this.change(1);
        } else if (this.soon === OFTEN) {
            this.change(-1);
        }
    }

    change(steps) {
        this.step = Math.max(0, Math.min(STEPS.length - 1, this.step + steps));
        this.late = 0;
        this.soon = 0;
    }

    apply(viewer) {
        [viewer.qualityLevel, viewer.compressionLevel] = STEPS[this.step];
    }
}
