"""What a person sees in a browser is the window as at a desk."""

import asyncio
import base64
import io

import numpy as np
import pytest
from PIL import Image

from tests.app.serving.browser import PROGRAM, browser
from tests.app.serving.rfb_client import framebuffer
from tests.app.serving.test_taking_part import PARTS, Served, agree, begin
from tests.studies.sittings import main_item

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]

REST_S = 2
STILL = {"pauses": {"kind": "none"}}
"""Without a limit, no clock moves."""


async def canvas(tab):
    """The colours that the page shows, rows x columns x 3."""
    address = await tab.value("document.querySelector('#screen canvas').toDataURL('image/png')")
    picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    return np.array(picture.convert("RGB"))


async def assert_same_picture(tab, served, code, pointer):
    """At rest, the page shows each pixel of the window's screen as it is.

    pointer: where it is on the screen.
    """
    await asyncio.sleep(REST_S)
    seen = await canvas(tab)
    drawn = await framebuffer(served.server.gate.seats.host_of(code).screen.rfb_socket, pointer)
    assert seen.shape == drawn.shape
    places = np.nonzero((seen != drawn).any(axis=2))
    found = [range(found.min(), found.max() + 1) for found in places if len(found)]
    assert found == [], f"{len(places[0])} pixels differ in these rows and columns"


async def orbit(tab, x, y):
    """Turns a 3D view with the right button, and says where the pointer is then."""
    held = {"button": "right", "clickCount": 1}
    await tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    await tab.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, **held)
    for _ in range(20):
        x += 4
        await tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="right", buttons=2)
        await asyncio.sleep(0.03)
    await tab.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, **held)
    return x, y


@pytest.mark.parametrize("address", ["shikaku:0", "lego_hemisphere:0"])
def test_at_rest_the_browser_shows_each_pixel_of_the_window(tmp_path, address):
    async def look():
        served = Served(tmp_path, items=[main_item(0, address=address)], limits=STILL)
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await assert_same_picture(tab, served, "P001H", await orbit(tab, 900, 400))

    asyncio.run(look())


def test_at_rest_a_slow_line_shows_each_pixel_too(tmp_path):
    async def look():
        served = Served(tmp_path, items=[main_item(0, address="lego_hemisphere:0")], limits=STILL)
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await tab.value(
                "import('/parts/quality.js').then(({ Quality }) => {"
                " Quality.prototype.apply = (viewer) => { viewer.qualityLevel = 1; window.isLow = true; }; })"
            )
            await tab.until("window.isLow")
            await assert_same_picture(tab, served, "P001H", await orbit(tab, 900, 400))

    asyncio.run(look())


def test_pictures_that_come_late_get_worse_and_better_again_when_they_come_in_time(tmp_path):
    async def levels_after(tab, *answers):
        """The level of quality after answers of the page: how late the picture was, and how many pieces had come."""
        return await tab.value(
            "import('/parts/quality.js').then(({ Quality }) => { const quality = new Quality(); const viewer = {};"
            f" for (const [late, received] of {list(map(list, answers))}) {{ quality.hear(late, received); }}"
            " quality.apply(viewer); return viewer.qualityLevel; })"
        )

    async def look():
        served = Served(tmp_path)
        async with served.running(), browser() as tab:
            await tab.open(served.link_of("P001H"))
            late = [(400, 50 * second) for second in range(1, 30)]
            soon = [(10, 2000 + 50 * second) for second in range(1, 30)]
            assert await levels_after(tab) == 8
            assert await levels_after(tab, late[0]) == 8
            assert await levels_after(tab, *late[:2]) == 6
            assert await levels_after(tab, *late) == 2
            assert await levels_after(tab, *late[:2], *soon[:9]) == 6
            assert await levels_after(tab, *late[:2], *soon[:10]) == 8
            assert await levels_after(tab, *late[:2], *soon) == 8
            still = [(400, 2)] * 5
            assert await levels_after(tab, *still) == 8

    asyncio.run(look())
