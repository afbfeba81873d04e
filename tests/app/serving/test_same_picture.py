"""What a person sees in a browser is the window as at a desk."""

import asyncio
import base64
import io

import numpy as np
import pytest
from PIL import Image

from tests.app.serving.browser import PROGRAM, browser
from tests.app.serving.rfb_client import framebuffer
from tests.app.serving.test_taking_part import PARTS, Served, agree, begin, click_until_page, finish
from tests.studies.sittings import main_item

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]

REST = 3
STILL = {"pauses": {"kind": "none"}}
"""Without a limit, no clock moves."""


async def canvas(tab):
    """The colours that the page shows, rows x columns x 3."""
    address = await tab.value("document.querySelector('#screen canvas').toDataURL('image/png')")
    picture = Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))
    return np.array(picture.convert("RGB"))


async def canvas_at_rest(tab):
    """What the page shows, once it has not changed for so many looks; a busy machine may take long to draw."""
    seen = await canvas(tab)
    looks = 0
    while looks < REST:
        await asyncio.sleep(1)
        again = await canvas(tab)
        looks = looks + 1 if np.array_equal(again, seen) else 0
        seen = again
    return seen


async def assert_same_picture(tab, served, code, pointer):
    """At rest, the page shows each pixel of the window's screen as it is.

    pointer: where it is on the screen.
    """
    seen = await canvas_at_rest(tab)
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


@pytest.mark.parametrize(
    ("ratio", "size", "canvas_size"),
    [(2, (1280, 720), (2560, 1440)), (1.5, (1300, 740), (1950, 1110)), (2, (1600, 900), (2560, 1440))],
)
def test_on_a_screen_with_small_pixels_the_picture_has_as_many_of_them_as_it_may(tmp_path, ratio, size, canvas_size):
    async def look():
        served = Served(tmp_path, items=[main_item(0, address="lego_hemisphere:0")], limits=STILL)
        async with served.running(), browser(size, ratio) as tab:
            await begin(tab, served, "P001H")
            await agree(tab, served, "P001H")
            await tab.until(f"document.querySelector('#screen canvas').width === {canvas_size[0]}")
            assert await tab.value("document.querySelector('#screen canvas').height") == canvas_size[1]
            assert await tab.centre("#screen canvas") == {"x": size[0] / 2, "y": size[1] / 2}
            x, y = await orbit(tab, 900, 400)
            scale = canvas_size[0] / size[0]
            await assert_same_picture(tab, served, "P001H", (int(x * scale), int(y * scale)))
            await tab.until("!document.getElementById('notice').hidden")
            await tab.until("document.getElementById('notice').hidden")
            submit = size[0] - 75, 23
            await click_until_page(tab, served, "P001H", submit, "end")

    asyncio.run(look())


def test_a_browser_with_larger_pixels_shows_the_same_window_smaller_or_larger(tmp_path):
    async def look():
        served = Served(tmp_path, limits=STILL)
        async with served.running():
            async with browser((1280, 720), 2) as tab:
                await begin(tab, served, "P001H")
                await agree(tab, served, "P001H")
            async with browser((1400, 900)) as tab:
                await begin(tab, served, "P001H")
                await tab.until("document.querySelector('#screen canvas').width === 2560")
                assert await tab.centre("#screen canvas") == {"x": 700, "y": 450}
                box = "document.querySelector('#screen canvas').getBoundingClientRect()"
                assert await tab.value(f"{box}.width") == 1280
                await finish(tab, served, "P001H")

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
