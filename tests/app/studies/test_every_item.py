"""Every task can be an item: it opens with the aids of hands, takes an edit, and is handed in without a verdict.

No prompt has to be scrolled sideways.
"""

import pytest

import engine
from app.studies.participant.item_page import EditorPage
from engine.studies.pages import Page
from engine.studies.records import TrialState
from tests.app.studies.conftest import wait_for_item
from tests.studies.sittings import study

TASKS = [task for task in engine.all_tasks() if len(task.instances())]
ITEMS = [{"id": task.id, "kind": "instance", "phase": "main", "address": f"{task.id}:0"} for task in TASKS]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_task_is_shown_and_handed_in(at_item, qtbot):
    window = at_item(study(ITEMS))
    said = []
    for number, task in enumerate(TASKS):
        wait_for_item(qtbot, window)
        assert (window.sitting.item.id, window.sitting.position) == (task.id, number)
        assert isinstance(window.page, EditorPage)
        window.page.editor.message.connect(said.append)
        assert window.page.document.verdict is None
        assert window.page.prompt.text.horizontalScrollBar().maximum() == 0, task.id
        window.submit()
        if window._asking is not None:
            window._submit_now()
        qtbot.waitUntil(lambda k=number: window.sitting.position > k or window.sitting.page is not Page.ITEM)
    assert {trial.state for trial in window.sitting.file.trials()} == {TrialState.SUBMITTED}
    assert said == []
