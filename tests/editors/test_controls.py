"""The controls that editors declare: how they work, and which remain if an aid class is not allowed."""

from pathlib import Path

import pytest
from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from spatial_workbench.app.studio.census import aids_page, census_lines, tasks_with_controls
from spatial_workbench.engine.core import Aid, Scene, task
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core import tasks as all_tasks
from spatial_workbench.widgets.editing.control_panel import census
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    Choice,
    CustomPart,
    Numbers,
    Option,
    Section,
    Setting,
    ToolButton,
    Tools,
)
from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editors import editor_for
from spatial_workbench.widgets.scene_views import overlays
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import Tool
from tests.editors.driving import HANDS, SynchronousRunner, at
from tests.sweeps import some_tasks

TASKS = all_tasks()
AIDS_PAGE = Path(__file__).parents[2] / "docs" / "aids.md"
CENSUS = Path(__file__).with_name("controls.txt")
"""Every control of every editor with its class. `spatial-workbench controls --write` writes it again, for review."""


class SampleEditor(Editor):
    """An editor with controls of every kind."""

    def prepare(self):
        self.runs = Setting(False, self.refresh)
        self.order = Setting(2, self.refresh)
        self.second = Tool()

    def make_view(self):
        return Canvas2D()

    def make_scene(self):
        return Scene(items=())

    def list_controls(self):
        yield Bars(CustomPart("Progress", QLabel, aid=Aid.MEASURING))
        yield Section(
            "Sample",
            Tools(self.view, ToolButton("Look", self.view.tool, "V"), ToolButton("Draw", self.second, "D")),
            Buttons(Action("Relax", lambda: self.runs.put(True), says=lambda: "Stop" if self.runs.value else "Relax")),
            Choice("Order", ["size", Option("score", Aid.JUDGING), "name"], self.order.get, self.order.put),
            Numbers("Range", "ab", lambda: None, print, (0, 9), bounds_each=[(0, 9), (-3, 3)]),
        )


@pytest.fixture
def sample(qtbot):
    def opened(aids=frozenset(Aid)):
        job = task("shikaku")
        editor = SampleEditor(AnswerDocument(job, job.instances()[0]), SynchronousRunner(), aids=aids)
        qtbot.addWidget(editor, before_close_func=lambda widget: widget.close_editor())
        qtbot.addWidget(editor.tools)
        return editor

    return opened


def test_the_button_of_the_tool_in_hand_is_down(sample):
    editor = sample()
    editor.panel.actions["Draw"].trigger()
    assert editor.view.tool is editor.second
    assert [editor.panel.actions[name].isChecked() for name in ("Look", "Draw")] == [False, True]


def test_a_button_says_what_it_does_now(sample):
    editor = sample()
    editor.panel.actions["Relax"].trigger()
    assert editor.panel.actions["Relax"].text() == "Stop"
    assert [button.accessibleName() for button in editor.tools.findChildren(QToolButton)][-1] == "Stop"


def test_an_option_that_is_not_allowed_is_not_offered_and_the_others_keep_their_places(sample):
    editor = sample(HANDS)
    order = editor.panel.widgets["Order"]
    assert [order.itemText(i) for i in range(order.count())] == ["size", "name"]
    assert order.currentText() == "name"
    order.setCurrentIndex(0)
    assert editor.order.value == 0


def test_the_census_lists_bars_and_options_too(sample):
    lines = census(sample().panel.declared)
    assert lines[0] == ("Progress", Aid.MEASURING)
    assert ("Order: score", Aid.JUDGING) in lines


def test_a_bar_stands_above_the_views_where_it_is_allowed(sample):
    editor = sample()
    assert editor.layout().indexOf(editor.panel.widgets["Progress"]) < editor.layout().indexOf(editor.view)
    assert "Progress" not in sample(HANDS).panel.widgets


def test_each_field_may_have_bounds_of_its_own(sample):
    assert [field.minimum() for field in sample().panel.widgets["Range"].fields] == [0, -3]


def opened(qtbot, task, aids=frozenset(Aid)):
    editor = editor_for(task)(AnswerDocument(task, task.instances()[0]), SynchronousRunner(), aids=aids)
    qtbot.addWidget(editor, before_close_func=lambda widget: widget.close_editor())
    qtbot.addWidget(editor.tools)
    return editor


WITHOUT_ONE = [frozenset(Aid) - {aid} for aid in (Aid.MEASURING, Aid.JUDGING, Aid.SOLVING)]
NOT = ["not measuring", "not judging", "not solving"]
DECLARING = tasks_with_controls()


@pytest.mark.slow
def test_every_control_has_the_class_that_the_census_lists(qtbot):
    assert CENSUS.read_text("utf-8").splitlines() == list(census_lines(DECLARING))


def test_the_page_on_aids_lists_what_the_census_lists():
    page = AIDS_PAGE.read_text("utf-8")
    assert aids_page(page, CENSUS.read_text("utf-8").splitlines()) == page


@pytest.mark.parametrize("task", some_tasks(DECLARING, 8), ids=lambda task: task.id)
@pytest.mark.parametrize("aids", [HANDS, frozenset({Aid.VIEWING}), *WITHOUT_ONE], ids=["hands", "eyes", *NOT])
def test_a_control_whose_class_is_not_allowed_is_not_built(qtbot, task, aids):
    declared, keys = everything_of(qtbot, task)
    refused = {text for text, aid in declared if aid not in aids}
    editor = opened(qtbot, task, aids)
    assert not refused & {action.text() for action in editor.actions()}
    assert not refused & editor.panel.widgets.keys()
    shown = [label.text() for label in editor.tools.findChildren(QLabel) if label.objectName() != "caption"]
    assert not [text for text in (*shown, editor.status()) if text in refused]
    kept = {key for text, used in keys.items() if text not in refused for key in used}
    assert {key for used in keys_of(editor).values() for key in used} <= kept
    editor.document.edit("Solve", task.solve(editor.instance))


EVERYTHING = {}


def everything_of(qtbot, task):
    """What an editor declares if all is allowed, and the keys of its actions by their texts."""
    if task.id not in EVERYTHING:
        editor = opened(qtbot, task)
        EVERYTHING[task.id] = census(editor.panel.declared), keys_of(editor)
    return EVERYTHING[task.id]


def keys_of(editor):
    """The keys of an editor's actions, by the actions' texts."""
    return {action.text(): {key.toString() for key in action.shortcuts()} for action in editor.actions()}


@pytest.mark.parametrize("task", DECLARING, ids=lambda task: task.id)
def test_no_hint_speaks_of_a_control_that_is_not_there(qtbot, task):
    everything = opened(qtbot, task)
    by_hand = opened(qtbot, task, HANDS)
    refused = {text for text, aid in census(everything.panel.declared) if aid not in HANDS}
    actions = [action for action in everything.actions() if action.text() in refused]
    words = {word for action in actions for word in (action.text(), action.shortcut().toString())}
    spoken = getattr(by_hand.view, "_hint", "").lower()
    assert not [word for word in words if len(word) > 1 and word.lower() in spoken]


@pytest.mark.parametrize("task", DECLARING, ids=lambda task: task.id)
def test_no_first_hint_leads_to_a_solving_aid(qtbot, task):
    everything = opened(qtbot, task)
    by_hand = opened(qtbot, task, frozenset(Aid) - {Aid.SOLVING})
    assert getattr(everything.view, "_hint", "") == getattr(by_hand.view, "_hint", "")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_name_of_an_editor_hides_one_of_qt(qtbot, task):
    ours = {name for name, value in vars(opened(qtbot, task)).items() if not isinstance(value, SignalInstance)}
    ours |= {
        name
        for kind in editor_for(task).__mro__
        if kind.__module__.startswith("spatial_workbench.")
        for name in vars(kind)
    }
    hidden = {name for name in ours if hasattr(QWidget, name) and not name.startswith("__") and name.islower()}
    assert hidden == set()


@pytest.mark.parametrize(("aids", "is_told"), [(frozenset(Aid), True), (HANDS, False)], ids=["all", "hands"])
def test_what_is_under_the_pointer_is_told_only_to_those_who_may_measure(
    qtbot, show_editor, monkeypatch, aids, is_told
):
    task = task_of("hamiltonian_loop")
    painted = []
    monkeypatch.setattr(overlays, "paint_status", lambda *arguments: painted.append(arguments))
    editor = show_editor(task, task.instances()[0], aids=aids)
    with qtbot.waitSignal(editor.view.hovered):
        qtbot.mouseMove(editor.view, at(editor, (2, 2)))
    editor.view.grab()
    assert bool(painted) == is_told


def test_a_number_that_does_more_than_edit_is_told_once(qtbot):
    editor = opened(qtbot, task("voxel_projection"))
    used = []
    editor.aid_used.connect(lambda name, aid: used.append((name, aid)))
    for seed in (3, 4):
        editor.panel.widgets["Seed"].setValue(seed)
    assert used == [("Seed", Aid.SOLVING)]
