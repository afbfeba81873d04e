"""The controls that editors declare: what each does for a person, and what is left where a class is not allowed."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

import engine
from engine.core import Aid, task
from tests.editors.driving import HANDS, SynchronousRunner, at
from widgets import overlays
from widgets.editing.control_panel import census
from widgets.editing.document import AnswerDocument
from widgets.editors import editor_for

TASKS = engine.all_tasks()
CENSUS = Path(__file__).with_name("controls.txt")
"""Every control of every editor with its class. `UPDATE_CENSUS=1` writes it anew, to be read by a person."""


def opened(qtbot, task, aids=frozenset(Aid)):
    editor = editor_for(task)(AnswerDocument(task, task.instances()[0]), SynchronousRunner(), aids=aids)
    qtbot.addWidget(editor, before_close_func=lambda widget: widget.close_editor())
    qtbot.addWidget(editor.tools)
    return editor


def declares(task):
    return "list_controls" in vars(editor_for(task))


DECLARING = [task for task in TASKS if declares(task)]


def test_every_control_has_the_class_that_the_census_lists(qtbot):
    lines = [
        f"{task.id:24} {aid.value:10} {text}"
        for task in DECLARING
        for text, aid in census(opened(qtbot, task).panel.declared)
    ]
    if os.environ.get("UPDATE_CENSUS"):
        CENSUS.write_text("\n".join(lines) + "\n", "utf-8")
    assert CENSUS.read_text("utf-8").splitlines() == lines


@pytest.mark.parametrize("task", DECLARING, ids=lambda task: task.id)
@pytest.mark.parametrize("aids", [HANDS, frozenset({Aid.VIEWING})], ids=["hands", "eyes"])
def test_a_control_whose_class_is_not_allowed_is_not_built(qtbot, task, aids):
    refused = {text for text, aid in census(opened(qtbot, task).panel.declared) if aid not in aids}
    editor = opened(qtbot, task, aids)
    assert not refused & {action.text() for action in editor.actions()}
    assert not refused & editor.panel.widgets.keys()
    editor.document.edit("Solve", task.solve(editor.instance))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_name_of_an_editor_hides_one_of_qt(qtbot, task):
    ours = {name for name, value in vars(opened(qtbot, task)).items() if not isinstance(value, SignalInstance)}
    ours |= {name for kind in editor_for(task).__mro__ if kind.__module__.startswith("widgets") for name in vars(kind)}
    hidden = {name for name in ours if hasattr(QWidget, name) and not name.startswith("__") and name.islower()}
    assert hidden == set()


@pytest.mark.parametrize(("aids", "is_told"), [(frozenset(Aid), True), (HANDS, False)], ids=["all", "hands"])
def test_what_is_under_the_pointer_is_told_only_to_those_who_may_measure(
    qtbot, show_editor, monkeypatch, aids, is_told
):
    task, told = engine.task("hamiltonian_loop"), []
    monkeypatch.setattr(overlays, "paint_status", lambda *arguments: told.append(arguments))
    editor = show_editor(task, task.instances()[0], aids=aids)
    with qtbot.waitSignal(editor.view.hovered):
        qtbot.mouseMove(editor.view, at(editor, (2, 2)))
    editor.view.grab()
    assert bool(told) == is_told


def test_a_number_that_does_more_than_edit_is_told_once(qtbot):
    editor = opened(qtbot, task("voxel_projection"))
    told = []
    editor.aid_used.connect(lambda name, aid: told.append((name, aid)))
    for seed in (3, 4):
        editor.panel.widgets["Seed"].setValue(seed)
    assert told == [("Seed", Aid.SOLVING)]
