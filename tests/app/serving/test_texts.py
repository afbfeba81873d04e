"""In a browser, texts are pages that can be saved or printed."""

import asyncio

import pytest

from tests.app.serving.browser import PROGRAM, browser
from tests.app.serving.test_taking_part import PARTS, Served, begin, finish

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]
BAR_IS_OPEN = "!document.getElementById('texts').hidden"


def test_by_keys_the_consent_text_and_the_debriefing_are_opened_as_pages(tmp_path):
    async def take_part():
        served = Served(tmp_path, debriefing="The mazes were **made** for this study.")
        async with served.running(), browser() as tab:
            await begin(tab, served, "P001H")
            await served.until_page("P001H", "consent")
            await tab.key("Tab")
            await tab.key("Tab")
            await tab.key(" ", "Space", " ")
            await tab.until(BAR_IS_OPEN)
            assert await tab.value("document.activeElement.textContent") == "Consent"
            text = await tab.value("fetch(document.activeElement.href).then((answer) => answer.text())")
            assert "<h1>Consent</h1>" in text
            await tab.key("Escape")
            assert not await tab.value(BAR_IS_OPEN)
            assert await tab.value("document.activeElement.tagName") == "CANVAS"
            await tab.value("fetch('/take-part/texts/debriefing').then((answer) => window.early = answer.status)")
            assert await tab.value("window.early") == 404
            await tab.call("Input.dispatchKeyEvent", type="keyDown", key="Shift", code="ShiftLeft")
            await tab.key("Tab")
            await tab.call("Input.dispatchKeyEvent", type="keyUp", key="Shift", code="ShiftLeft")
            await tab.key(" ", "Space", " ")
            await tab.key("Enter", text="\r")
            await served.until_page("P001H", "instructions")
            await tab.key("Enter", text="\r")
            await finish(tab, served, "P001H")
            await served.until_page("P001H", "end")
            await tab.key("Tab")
            await tab.key(" ", "Space", " ")
            await tab.until(BAR_IS_OPEN)
            assert await tab.value("[...document.querySelectorAll('#texts a')].map((link) => link.textContent)") == [
                "Consent",
                "Debriefing",
            ]
            await tab.open(f"{served.study.url}/take-part/texts/debriefing")
            assert "were made for" in await tab.value("document.querySelector('article').innerText")

    asyncio.run(take_part())
