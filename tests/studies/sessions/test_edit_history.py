"""The history of a draft, made again from its stored edits."""

import pytest

from spatial_workbench.engine.core.formats.patch import diff
from spatial_workbench.engine.studies.sessions.edit_history import DraftEdit, history_of


def edits(*told):
    """Edits from the states to which they lead, with their labels and where the history stood after them."""
    before = {"n": 0}
    for label, number, step in told:
        after = {"n": number}
        yield DraftEdit(diff(before, after), label, step)
        before = after


def seen(history):
    return [(step.label, step.before["n"], step.after["n"]) for step in history.steps], history.index


@pytest.mark.parametrize(
    ("told", "steps", "index"),
    [
        ([("A", 1, 1), ("B", 2, 2)], [("A", 0, 1), ("B", 1, 2)], 2),
        ([("Drag", 1, 1), ("Drag", 2, 1), ("B", 3, 2)], [("Drag", 0, 2), ("B", 2, 3)], 2),
        ([("A", 1, 1), ("B", 2, 2), ("Undo B", 1, 1)], [("A", 0, 1), ("B", 1, 2)], 1),
        ([("A", 1, 1), ("Undo A", 0, 0)], [("A", 0, 1)], 0),
        ([("A", 1, 1), ("Undo A", 0, 0), ("Redo A", 1, 1)], [("A", 0, 1)], 1),
        ([("A", 1, 1), ("Undo A", 0, 0), ("C", 5, 1)], [("C", 0, 5)], 1),
        # Two steps of one label that were stored in one piece are undone together.
        ([("A", 2, 2), ("B", 3, 3), ("Undo B", 2, 2)], [("A", 0, 2), ("B", 2, 3)], 1),
        ([("Type", 1, None), ("Type", 2, None)], [("Type", 0, 1), ("Type", 1, 2)], 2),
    ],
)
def test_the_history_is_that_of_the_editor(told, steps, index):
    history = history_of({"n": 0}, edits(*told))
    assert seen(history) == (steps, index)
    assert history.draft == {"n": told[-1][1]}


def test_a_draft_without_edits_has_no_history():
    assert history_of({"n": 0}, []).draft == {"n": 0}
