"""The replay of an attempt begins where the two verifiers part."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from spatial_workbench.app.attempts.explanations import parting_edit
from spatial_workbench.app.workspace.history import HistoryPage
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.evaluation.edit_histories import EditHistory
from spatial_workbench.engine.store import Actor, Edit

TASK, INSTANCE = resolve("hide_and_seek:0")
CROWD = [(-6, -6), (-8, -8), (-9, -9), (-6.4, -6.4)]
"""The last one overlaps the first at a corner, which only the default verifier sees."""


def people(count):
    return {"people": [{"xy": list(place)} for place in CROWD[:count]]}


def edits_of(states):
    return tuple(
        Edit(number=k, label=f"Place person {k}", patch=diff(before, after), at=datetime(2026, 1, 1, tzinfo=UTC))
        for k, (before, after) in enumerate(pairwise(states), 1)
    )


HISTORY = EditHistory(INSTANCE.address, people(0), edits_of([people(k) for k in range(5)]))


def test_the_edit_after_which_two_verifiers_part_is_found():
    assert parting_edit(HISTORY, "default", "published") == 4


def test_verifiers_that_never_part_and_those_of_others_have_no_such_edit():
    assert parting_edit(HISTORY, "default", "crosscheck") is None
    assert parting_edit(HISTORY, "default", "theirs") is None


@pytest.fixture
def page(window, qtbot):
    def fill(project):
        verdicts = tuple(TASK.verify(INSTANCE, people(4), name) for name in ("default", "published"))
        project.drafts.begin(INSTANCE, people(0), "Ada")
        for edit in HISTORY.edits:
            project.drafts.add_edit(INSTANCE.address, edit.label, edit.patch, "Ada")
        answer = TASK.parse(people(4)).model_dump_json()
        project.attempts.add(INSTANCE, answer, Actor.PERSON, "Ada", verdicts=verdicts)

    window.project.tell(fill, announce=True)
    window.project.flush()
    window.actions_registry["runs.disagreements"].trigger()
    page = window.tabs.currentWidget()
    page.filters.known.setChecked(True)
    qtbot.waitUntil(lambda: page.is_idle and page.contrast.replay.isEnabled())
    return page


@pytest.mark.slow
def test_replay_opens_at_that_edit(window, page, qtbot):
    page.contrast.replay.click()
    qtbot.waitUntil(lambda: isinstance(window.tabs.currentWidget(), HistoryPage))
    history = window.tabs.currentWidget()
    assert history.steps.currentRow() == 4
    qtbot.waitUntil(lambda: history.words.text().endswith("After this edit, default and published part."))
    history.steps.setCurrentRow(3)
    qtbot.waitUntil(lambda: history.words.text().startswith("Edit 3 of 4"))
    assert "part" not in history.words.text()


@pytest.mark.slow
def test_a_run_without_edits_says_so(window, qtbot, page):
    messages = []
    page.contrast.message.connect(messages.append)

    def strip(project):
        verdicts = tuple(TASK.verify(INSTANCE, people(4), name) for name in ("default", "published"))
        project.attempts.add(INSTANCE, TASK.parse(people(4)).model_dump_json(), Actor.MODEL, "birch", verdicts=verdicts)

    window.project.tell(strip, announce=True)
    window.project.flush()
    qtbot.waitUntil(lambda: len(page._all) == 2)
    (other,) = (each for each in page._all if each.attempt == 2)
    page.contrast.show_difference(other)
    page.contrast.replay.click()
    qtbot.waitUntil(lambda: bool(messages))
    assert messages == ["Attempt 2 has no run that could be replayed."]
