// A connection that brings the picture, and what has been drawn of it.

// A WebSocket for noVNC, which counts the pieces of the picture that arrive.
export class PictureLine {
    constructor(address) {
        // A name of its own, so that nobody takes the count of one connection for that of another.
        this.name = crypto.getRandomValues(new Uint32Array(2)).join("-");
        this.socket = new WebSocket(`${address}?connection=${this.name}`);
        this.received = 0;
        this.shown = 0;
        this.awaitsFrame = false;
        this.socket.addEventListener("message", () => this.take());
    }

    take() {
        this.received += 1;
        if (!this.awaitsFrame) {
            this.awaitsFrame = true;
            requestAnimationFrame(() => {
                this.awaitsFrame = false;
                this.shown = this.received;
            });
        }
    }

    // The number of the piece that was drawn last. A page that is hidden draws, too, but no frame follows.
    get drawn() {
        return document.visibilityState === "visible" ? this.shown : this.received;
    }
}
