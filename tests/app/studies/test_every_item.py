"""Every task can be an item: it opens with the aids of hands, takes an edit, and is handed in without a verdict.

No prompt has to be scrolled sideways.
"""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from spatial_workbench.app.studies.participant.pages.item_page import EditorPage
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.schema import TrialState
from tests.app.studies.conftest import wait_for_item
from tests.studies.sittings import study
from tests.sweeps import some

TASKS = some([task for task in all_tasks() if len(task.instances())], 12)
ITEMS = [{"id": task.id, "kind": "instance", "phase": "main", "address": f"{task.id}:0"} for task in TASKS]


class Flashes(QObject):
    """Notes windows that are shown: a part that is shown before it has a place flashes, and takes the keyboard."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(type(watched).__name__)
        return False


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_every_task_is_shown_and_handed_in(at_item, qtbot, qapp):
    window = at_item(study(ITEMS))
    said = []
    flashed = Flashes()
    qapp.installEventFilter(flashed)
    for number, task in enumerate(TASKS):
        wait_for_item(qtbot, window)
        assert (window.sitting.state.item.id, window.sitting.state.position) == (task.id, number)
        assert isinstance(window.page, EditorPage)
        window.page.editor.message.connect(said.append)
        assert window.page.document.verdict is None
        assert window.page.prompt.text.horizontalScrollBar().maximum() == 0, task.id
        window.submit()
        if window._asking is not None:
            window._submit_now()
        qtbot.waitUntil(
            lambda k=number: window.sitting.state.position > k or window.sitting.state.page is not StudyPage.ITEM
        )
    assert {trial.state for trial in window.sitting.state.file.trials()} == {TrialState.SUBMITTED}
    assert said == []
    assert flashed.seen == []
