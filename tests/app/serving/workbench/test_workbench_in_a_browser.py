"""The whole workbench in a real browser."""

import asyncio
import os
import signal
import ssl
from urllib.request import urlopen

import pytest
import trustme

from tests.app.serving.browser import CTRL, PROGRAM, browser
from tests.app.serving.workbench.served import (
    PARTS,
    ServedWorkbench,
    come_in,
    control,
    pixels,
    rests,
    seen,
    type_text,
    until,
    until_drawn,
)

ALT = 1
"""A modifier of keys."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]


@pytest.fixture
def served(tmp_path):
    return ServedWorkbench(tmp_path)


def run(coroutine):
    return asyncio.run(coroutine)


async def run_command(tab, name):
    """Runs a command by its name in the command palette."""
    await rests(tab)
    await seen(tab, control(tab, "k", "KeyK"))
    await seen(tab, type_text(tab, name))
    await seen(tab, tab.key("Enter"))


def test_a_subtask_is_opened_by_keys_and_stays_after_closing_and_opening_again(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await run_command(tab, "two segments 0")
            await until(lambda: served.people() == ["Ada"])
            await control(tab, "q", "KeyQ")
            await tab.until("document.querySelector('h1')?.textContent === 'The window is closed'")
            await tab.value("document.querySelector('button').click()")
            await tab.until("document.getElementById('notice')?.hidden")
            await until_drawn(tab)
        assert served.people() == ["Ada"]

    run(go())


def test_the_window_follows_the_size_of_the_browser(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await tab.resize(1500, 1000)
            await tab.until("document.querySelector('canvas').width === 1500")
            await tab.until("document.querySelector('canvas').height === 960")
            await until_drawn(tab)

    run(go())


def test_stopping_the_server_closes_the_window_as_its_menu_does(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await run_command(tab, "two segments 0")
            await until(lambda: served.people() == ["Ada"])
            window = served.window
        assert window.returncode == 0
        assert served.people() == ["Ada"]

    run(go())


def test_another_browser_takes_over_and_the_first_is_told(served):
    async def go():
        async with served.running(), browser() as first, browser() as second:
            await come_in(first, served)
            await come_in(second, served)
            await first.until("document.getElementById('notice').innerText.includes('another tab or browser')")
            await asyncio.sleep(3)
            assert await second.value("document.getElementById('notice').hidden")

    run(go())


def test_a_window_that_is_killed_says_so_and_can_be_opened_again(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            os.kill(served.window.pid, signal.SIGKILL)
            await tab.until("document.querySelector('h1')?.textContent === 'The window ended by itself'")

    run(go())


async def paste(tab):
    """Presses Ctrl+V, with what the browser does upon it."""
    await control(tab, "v", "KeyV", commands=["paste"])


async def may_use_clipboard(tab, url):
    kinds = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    await tab.call("Browser.grantPermissions", origin=url, permissions=kinds)


TEXT = "Würfel × 3 ≤ 12 → “fertig”"


def test_text_is_copied_out_of_the_window_and_pasted_into_it(served):
    async def go():
        async with served.running(), browser() as tab:
            await may_use_clipboard(tab, served.link.rpartition("/open/")[0])
            await come_in(tab, served)
            await tab.value(f"navigator.clipboard.writeText({TEXT!r})")
            await asyncio.sleep(1)
            await seen(tab, control(tab, "k", "KeyK"))
            await seen(tab, paste(tab))
            await type_text(tab, "!")
            await control(tab, "a", "KeyA")
            await control(tab, "c", "KeyC")
            await tab.until(f"navigator.clipboard.readText().then((text) => text === {TEXT + '!'!r})")

    run(go())


def test_where_the_browser_wants_a_click_before_it_copies_a_button_copies(served):
    async def go():
        async with served.running(), browser() as tab:
            origin = served.link.rpartition("/open/")[0]
            denied = {"name": "clipboard-write", "allowWithoutSanitization": False}
            await tab.call("Browser.setPermission", permission=denied, setting="denied", origin=origin)
            await come_in(tab, served)
            await rests(tab)
            await seen(tab, control(tab, "k", "KeyK"))
            await seen(tab, type_text(tab, "Würfel"))
            await control(tab, "a", "KeyA")
            await control(tab, "c", "KeyC")
            await tab.until("!document.getElementById('copied').hidden")
            await may_use_clipboard(tab, origin)
            await tab.click(*(await tab.centre("#copied button")).values())
            await tab.until("document.getElementById('copied').hidden")
            assert await tab.value("navigator.clipboard.readText()") == "Würfel"

    run(go())


def test_the_bar_above_the_window_is_reached_by_keys_and_left_again(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await tab.call("Input.dispatchKeyEvent", type="keyDown", key="b", code="KeyB", modifiers=CTRL | ALT)
            assert await tab.value("document.activeElement.textContent") == "Files"
            await tab.key("Escape")
            assert await tab.value("document.getElementById('screen').contains(document.activeElement)")

    run(go())


def test_files_are_uploaded_replaced_after_a_question_and_deleted(served, tmp_path):
    (tmp_path / "one.json").write_text("1")
    (tmp_path / "two.json").write_text("2")

    async def choose(tab, *paths):
        await tab.until("document.getElementById('chosen') !== null")
        root = await tab.call("DOM.getDocument")
        chosen = await tab.call("DOM.querySelector", nodeId=root["root"]["nodeId"], selector="#chosen")
        await tab.call("DOM.setFileInputFiles", nodeId=chosen["nodeId"], files=[str(path) for path in paths])

    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await tab.open(served.link.rpartition("/open/")[0] + "/workbench/files")
            await choose(tab, tmp_path / "one.json", tmp_path / "two.json")
            await tab.until("document.querySelectorAll('[data-name]').length === 2")
            (tmp_path / "one.json").write_text("changed")
            await choose(tab, tmp_path / "one.json")
            await until(lambda: (served.files / "one.json").read_text() == "changed")
            await tab.until("document.getElementById('uploads').children.length === 0")
            await tab.value("document.querySelector('[aria-label=\"Delete two.json\"]').click()")
            await tab.until("document.querySelector('h1')?.textContent === 'Delete two.json?'")
            await tab.value("document.querySelector('button').click()")
            await tab.until("document.querySelectorAll('[data-name]').length === 1")
        assert [path.name for path in served.files.iterdir()] == ["one.json"]

    run(go())


def test_the_keyboard_goes_to_a_dialog_and_back_to_the_window(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await rests(tab)
            await seen(tab, control(tab, "o", "KeyO"))
            await seen(tab, type_text(tab, "nothing"))
            await seen(tab, tab.key("Escape"))
            await run_command(tab, "two segments 0")
            await until(lambda: served.people() == ["Ada"])

    run(go())


def test_a_dialog_that_is_open_does_not_keep_the_window_from_closing(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await rests(tab)
            await seen(tab, control(tab, "o", "KeyO"))
            window = served.window
        assert window.returncode == 0

    run(go())


def test_where_the_browser_likes_dark_pages_the_window_is_dark(served):
    async def go():
        async with served.running(), browser() as tab:
            await tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
            await come_in(tab, served)
            shown = await pixels(tab)
            assert sum(map(sum, shown)) / len(shown) < 3 * 100

    run(go())


def test_on_a_screen_with_small_pixels_the_window_has_as_many_of_them(served):
    async def go():
        async with served.running(), browser((1280, 760), 1.5) as tab:
            await come_in(tab, served)
            await tab.until("document.querySelector('canvas').width === 1920")
            await tab.until("document.querySelector('canvas').getBoundingClientRect().width === 1280")
            await run_command(tab, "two segments 0")
            await until(lambda: served.people() == ["Ada"])

    run(go())


def test_the_server_encrypts_with_a_certificate(served, tmp_path):
    authority = trustme.CA()
    pair = authority.issue_cert("127.0.0.1")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    pair.cert_chain_pems[0].write_to_path(certificate)
    pair.private_key_pem.write_to_path(key)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)

    async def go():
        async with served.running("https://127.0.0.1:{port}", certificate, key):
            return await asyncio.to_thread(opened, served.link)

    def opened(link):
        assert link.startswith("https:")
        with urlopen(link, context=trusting) as answer:
            return answer.read().decode()

    assert "work.workbench, as Ada." in run(go())
