"""A field of the page takes texts where a picture cannot: from input methods, dictation and screen readers."""

import asyncio

import pytest

from tests.app.serving.browser import PROGRAM, browser
from tests.app.serving.test_taking_part import PARTS, Served, agree, begin_here, hand_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PARTS is None or PROGRAM is None, reason="needs Xvnc, noVNC and a browser"),
]


def test_who_chose_it_types_answers_in_a_field_of_the_page(tmp_path):
    async def take_part():
        served = Served(tmp_path, conditions={"only": {"aids": [], "answer": "text", "format_check": False}})
        async with served.running(), browser() as tab:
            await tab.open(served.link_of("P001H"))
            await tab.value("document.querySelector('[name=page_field]').click()")
            await begin_here(tab)
            await agree(tab, served, "P001H")
            await tab.until("!document.getElementById('typing').hidden")
            assert await tab.value("document.querySelector('#typing label').textContent") == "Answer"
            assert await tab.value("document.activeElement.tagName") == "TEXTAREA"
            await tab.call("Input.imeSetComposition", text="にほ", selectionStart=2, selectionEnd=2)
            await tab.call("Input.insertText", text="日本")
            edit = await served.event("P001H", "edit")
            assert edit["trial"] == 0
            assert (await served.event("P001H", "page_field"))["trial"] == 0
            await hand_in(tab, served, "P001H", 0)
            await served.until_item("P001H", 1)
            await tab.until("!document.getElementById('typing').hidden")
            await tab.key("Escape")
            assert await tab.value("document.activeElement.tagName") == "CANVAS"
            await hand_in(tab, served, "P001H", 1)
            await served.until_page("P001H", "end")
            return await served.merged_sessions(1)

    (session,) = asyncio.run(take_part())
    assert [len(trial.submissions) for trial in session.trials] == [1, 1]
