"""Measures what a person in a browser feels of a line: run as a program, it prints a table.

    python -m tests.app.serving.figures_of_lines [ROUND_TRIP_MS MBIT_PER_S LOSS_PERCENT RATIO]

Latency is the time from a movement of the pointer until the ghost of a brick is drawn in the page. Updates of the
picture are counted while a view in three dimensions is turned by hand.
"""

import asyncio
import statistics
import sys
import tempfile
from pathlib import Path

from spatial_workbench.app.serving.consumption import present_processes
from spatial_workbench.app.serving.load.taken_share import Taker, own_memory
from tests.app.serving.browser import browser
from tests.app.serving.slow_line import SlowLine
from tests.app.serving.test_taking_part import Served, agree, begin
from tests.ports import free_port
from tests.studies.sittings import main_item

LINES = [(20, 5, 0), (20, 5, 1), (80, 5, 0), (80, 5, 1), (200, 5, 0), (200, 5, 1)]
MOVES = 20
TURN_S = 6
FUNCTIONS = """
window.drawn = 0;
import('/novnc/core/display.js').then(({ default: Display }) => {
    const flip = Display.prototype.flip;
    Display.prototype.flip = function (...queued) {
        const { left, right } = this._damageBounds;
        window.drawn += (queued[0] || !this.pending()) && right > left;
        flip.apply(this, queued);
    };
});
import('/parts/quality.js').then(({ Quality }) => {
    const apply = Quality.prototype.apply;
    Quality.prototype.apply = function (viewer) { apply.call(this, viewer); window.quality = viewer.qualityLevel; };
});
window.latency = (x, y) => new Promise((resolve) => {
    const canvas = document.querySelector('#screen canvas');
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const near = [x - 10, y - 10, 20, 20].map((length) => length * scale);
    const region = () => canvas.getContext('2d').getImageData(...near).data.join();
    const before = region();
    const start = performance.now();
    const told = { clientX: x, clientY: y, bubbles: true, cancelable: true };
    canvas.dispatchEvent(new MouseEvent('mousemove', told));
    const look = () => {
        const ms = performance.now() - start;
        if (region() !== before || ms > 5000) { resolve(ms); } else { requestAnimationFrame(look); }
    };
    requestAnimationFrame(look);
});
"""


async def latencies(tab):
    """How long the ghost takes to be seen at another place, in milliseconds, for each move."""
    found = []
    for move in range(MOVES):
        x, y = 860 + 12 * (move % 7), 330 + 10 * (move % 5)
        found.append(await tab.value(f"window.latency({x}, {y})"))
        await asyncio.sleep(0.7)
    return found


async def turn(tab):
    """Updates of the picture a second while a view is turned, and the level of quality at the end."""
    x, y = 950, 380
    held = {"button": "right", "clickCount": 1}
    await tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    await tab.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **held)
    loop = asyncio.get_running_loop()
    await tab.value("window.drawn = 0")
    begin_s = loop.time()
    steps = 0
    while loop.time() - begin_s < TURN_S:
        steps += 1
        at = x + 60 - 3 * abs(steps % 80 - 40)
        await tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=at, y=y, button="right", buttons=2)
        await asyncio.sleep(0.02)
    drawn = await tab.value("window.drawn")
    seconds = loop.time() - begin_s
    level = await tab.value("window.quality")
    await tab.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, **held)
    return drawn / seconds, level


def megabytes(host):
    """The memory that the processes of a session have written themselves."""
    processes = present_processes().family_of([*host.screen.processes, host._window.pid])
    return own_memory(dict.fromkeys(processes, Taker.WINDOW))[Taker.WINDOW] / 1e6


async def figures(round_trip_ms, mbit, loss_percent, ratio=1):
    """What is felt of a line: latencies in milliseconds, updates and quality of each turn, megabytes of a session."""
    line = SlowLine(round_trip_ms / 1000, mbit * 1e6 / 8, loss_percent / 100)
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        served = Served(
            Path(folder),
            url=f"http://127.0.0.1:{port}",
            items=[main_item(0, address="lego_hemisphere:0")],
            limits={"pauses": {"kind": "none"}},
        )
        async with served.running(), line.leading(port, served.address[1]), browser((1280, 720), ratio) as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await asyncio.sleep(3)
            await tab.value(FUNCTIONS)
            await asyncio.sleep(0.5)
            late = await latencies(tab)
            pictures = [await turn(tab) for _ in range(2)]
            await asyncio.sleep(2)
            return late, pictures, megabytes(served.server.gate.seats.host_of("P001H"))


def main():
    given = [float(word) for word in sys.argv[1:]]
    for line in [given] if given else LINES:
        late, pictures, memory = asyncio.run(figures(*line))
        print(
            *line,
            f"median {statistics.median(late):.0f} ms, worst {max(late):.0f} ms;",
            ", ".join(f"{rate:.1f} updates a second with quality {level}" for rate, level in pictures),
            f"{memory:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
