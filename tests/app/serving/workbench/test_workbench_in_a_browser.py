"""The whole workbench in a real browser."""

import asyncio
import os
import signal

import pytest

from tests.app.serving.browser import PROGRAM, browser
from tests.app.serving.workbench.served import PARTS, ServedWorkbench, come_in, control, until_drawn

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


async def until(condition, seconds=60):
    for _ in range(int(seconds / 0.1)):
        if condition():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("it did not come true")


async def type_text(tab, text):
    for letter in text:
        await tab.key(letter, text=letter)


async def run_command(tab, name):
    """Runs a command by its name in the command palette."""
    await asyncio.sleep(1)
    await control(tab, "k", "KeyK")
    await asyncio.sleep(1)
    await type_text(tab, name)
    await asyncio.sleep(1)
    await tab.key("Enter")
    await asyncio.sleep(1)


def test_a_subtask_is_opened_by_keys_and_stays_after_closing_and_opening_again(served):
    async def go():
        async with served.running(), browser() as tab:
            await come_in(tab, served)
            await run_command(tab, "two segments 0")
            await asyncio.sleep(3)
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
            await asyncio.sleep(3)
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
