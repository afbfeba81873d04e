"""Before somebody begins, the page of a link tries window, keyboard, pointer and connection."""

import asyncio
import json

import pytest

from tests.app.serving.browser import CTRL, META, PROGRAM, browser
from tests.app.serving.test_taking_part import PARTS, Served, agree, begin, begin_here, pass_check

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]
MAY_BEGIN = "!document.querySelector('#begin button').disabled"


async def is_done(tab, trial):
    return await tab.value(f"document.getElementById('{trial}').classList.contains('done')")


def on_the_page(folder, act, size=(1280, 800)):
    """Does something on the page of a link."""

    async def visit():
        served = Served(folder)
        async with served.running(), browser(size) as tab:
            await tab.open(served.link_of("P001H"))
            await act(tab, served)

    asyncio.run(visit())


def test_who_passes_the_check_begins_and_the_session_knows_the_round_trips(tmp_path):
    async def act(tab, served):
        assert not await tab.value(MAY_BEGIN)
        await pass_check(tab)
        for trial in ("window", "keyboard", "pointer", "connection"):
            assert await is_done(tab, trial)
        assert "Everything works" in await tab.value("document.getElementById('todo').textContent")
        await begin(tab, served, "P001H")
        await agree(tab, served, "P001H")
        entry = await served.event("P001H", "entry")
        assert entry["keys_only"] is False
        assert 0 <= entry["round_trips"]["median_ms"] <= entry["round_trips"]["p95_ms"] < 10_000

    on_the_page(tmp_path, act)


def test_who_uses_keys_alone_skips_the_pointer_and_that_is_stored(tmp_path):
    async def act(tab, served):
        await tab.key("Tab")
        await tab.key(" ", "Space", " ")
        assert await is_done(tab, "pointer")
        await tab.key("Tab")
        for letter in "abc":
            await tab.key(letter, text=letter)
        await tab.key("z", "KeyZ", modifiers=CTRL)
        await tab.until(MAY_BEGIN)
        await tab.key("Tab")
        await tab.key("Enter", text="\r")
        await tab.until("document.querySelector('#screen canvas') && document.getElementById('notice').hidden")
        await agree(tab, served, "P001H")
        assert (await served.event("P001H", "entry"))["keys_only"] is True

    on_the_page(tmp_path, act)


def test_command_counts_as_control(tmp_path):
    async def act(tab, _):
        await tab.value("document.getElementById('try').focus()")
        await tab.key("z", "KeyZ", modifiers=META)
        assert not await is_done(tab, "keyboard")
        for letter in "abc":
            await tab.key(letter, text=letter)
        await tab.key("z", "KeyZ", modifiers=META)
        assert await is_done(tab, "keyboard")

    on_the_page(tmp_path, act)


def test_dragging_beside_the_ring_is_not_enough(tmp_path):
    async def act(tab, _):
        disc = await tab.centre("#disc")
        await tab.drag(disc, {"x": disc["x"] + 60, "y": disc["y"]})
        assert await tab.value("document.getElementById('disc').offsetLeft") > 60
        assert "Drag the disc" in await tab.value("document.getElementById('drag').textContent")

    on_the_page(tmp_path, act)


def test_a_finger_drags_nothing(tmp_path):
    async def act(tab, served):
        await tab.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=1)
        await tab.open(served.link_of("P001H"))
        disc = await tab.centre("#disc")
        await tab.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[disc])
        await tab.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[await tab.centre("#ring")])
        await tab.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        assert "touch screen alone is not enough" in await tab.value("document.getElementById('drag').textContent")
        assert not await is_done(tab, "pointer")

    on_the_page(tmp_path, act)


def test_who_cannot_pass_leaves_and_only_the_reason_is_counted(tmp_path):
    async def act(tab, served):
        assert not await is_done(tab, "window")
        await tab.value("document.querySelector('#incompatible button').click()")
        await tab.until("document.body.innerText.includes('does not fit')")
        assert json.loads((served.study.folder / "incompatible.json").read_text()) == {"window": 1}
        assert not served.study.has_begun("P001H")

    on_the_page(tmp_path, act, (1000, 600))


def test_a_page_that_is_made_smaller_does_not_pass(tmp_path):
    async def act(tab, _):
        await tab.value("void Object.defineProperty(window, 'outerWidth', { value: innerWidth * 0.8 })")
        await tab.value("dispatchEvent(new Event('resize'))")
        assert "at about 80 %" in await tab.value("document.getElementById('window').innerText")
        assert not await is_done(tab, "window")

    on_the_page(tmp_path, act)


def test_somebody_who_goes_on_is_not_checked_again(tmp_path):
    async def act(tab, served):
        await begin(tab, served, "P001H")
        await agree(tab, served, "P001H")
        await tab.open(served.link_of("P001H"))
        await tab.until(MAY_BEGIN)
        assert await tab.value("document.getElementById('keyboard') === null")

    on_the_page(tmp_path, act)


def test_size_of_text_contrast_and_motion_are_chosen_before_and_recorded(tmp_path):
    async def act(tab, served):
        await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
        await tab.open(served.link_of("P001H"))
        await tab.value("document.querySelector('[value=\"150\"]').click()")
        await tab.value("document.querySelector('[name=high_contrast]').click()")
        await begin_here(tab)
        await agree(tab, served, "P001H")
        entry = await served.event("P001H", "entry")
        chosen = {name: entry[name] for name in ("type_scale", "high_contrast", "reduced_motion")}
        assert chosen == {"type_scale": 1.5, "high_contrast": True, "reduced_motion": True}
        assert (await served.event("P001H", "view"))["type_scale"] == 1.5

    on_the_page(tmp_path, act)


def test_a_screen_reader_finds_landmark_headings_and_a_name_for_every_control(tmp_path):
    async def act(tab, _):
        await tab.call("Accessibility.enable")
        nodes = (await tab.call("Accessibility.getFullAXTree"))["nodes"]
        shown = [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n["ignored"]]
        roles = [role for role, _ in shown]
        assert (roles.count("main"), roles.count("status"), roles.count("radiogroup")) == (1, 1, 1)
        assert [name for role, name in shown if role == "heading"] == [
            "Two mazes",
            "Check of this computer",
            "Window",
            "Keyboard",
            "Mouse or touchpad",
            "Connection",
        ]
        controls = [name for role, name in shown if role in ("textbox", "checkbox", "radio", "button", "radiogroup")]
        assert len(controls) == 12
        assert all(controls)

    on_the_page(tmp_path, act)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_at_320_pixels_nothing_is_scrolled_sideways_and_focus_is_visible(tmp_path, scheme):
    async def act(tab, _):
        await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        await tab.resize(320, 640)
        assert await tab.value("document.documentElement.scrollWidth") <= 320
        await tab.key("Tab")
        assert await tab.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"

    on_the_page(tmp_path, act)
