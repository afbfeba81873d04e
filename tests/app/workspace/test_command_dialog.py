"""Run command…: the task's commands in a form, each a step of the history."""

import json

import pytest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from spatial_workbench.app.workspace.command_dialog import CommandDialog
from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.acting.commands import commands_of, questions_of
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.core.languages.translation import in_language
from spatial_workbench.engine.core.registry import resolve, tasks
from tests.app.conftest import open_instance, trigger
from tests.sweeps import some
from tests.tasks.acting import after
from tests.tasks.scripts_of_references import SCRIPTS


@pytest.fixture
def dialog_of(open_window, qtbot):
    """Opens an instance, and its dialog by the menu."""

    def open_(address):
        window = open_window()
        workspace = open_instance(window, qtbot, address)
        trigger(window, "task.command")
        return workspace, next(one for one in QApplication.topLevelWidgets() if isinstance(one, CommandDialog))

    return open_


def run(dialog, name, arguments):
    """Fills in the form of a command as a person types it, and runs it."""
    dialog.choose(name)
    for path, value in (arguments or {}).items():
        field = dialog.arguments.fields[path]
        if hasattr(field, "line"):
            field.line.setText(value if isinstance(value, str) else json.dumps(value))
        else:
            field.show_value(value)
    dialog.go.click()


@pytest.mark.slow
@pytest.mark.parametrize("address", some(list(SCRIPTS), 6))
def test_the_calls_of_a_reference_give_the_same_answer_in_the_editor_byte_for_byte(dialog_of, address):
    workspace, dialog = dialog_of(address)
    task, instance = resolve(address)
    calls = SCRIPTS[address](task, instance)
    for name, arguments in calls:
        run(dialog, name, arguments)
    assert packed(task, workspace.document.answer) == packed(task, after(task, instance, *calls))
    assert workspace.document.undo_stack.count() == len(calls)


def test_a_command_is_a_step_that_can_be_undone(dialog_of):
    workspace, dialog = dialog_of("shikaku:0")
    run(dialog, "rectangle", {"corner": [0, 0], "opposite": [1, 1]})
    assert workspace.document.undo_stack.undoText().endswith("Draw rectangle")
    workspace.document.undo_stack.undo()
    assert workspace.document.answer.rectangles == ()


@pytest.mark.slow
def test_what_is_wrong_with_an_argument_stands_at_its_field(dialog_of):
    workspace, dialog = dialog_of("shikaku:0")
    run(dialog, "rectangle", {"corner": [0, 0], "opposite": [0, 99]})
    assert "There is no cell" in dialog.arguments.fields["opposite"].told[0].message
    assert workspace.document.answer.rectangles == ()


@pytest.mark.slow
def test_a_list_that_cannot_be_read_is_told_at_its_field(dialog_of):
    _, dialog = dialog_of("shikaku:0")
    run(dialog, "rectangle", {"corner": "up there", "opposite": [0, 1]})
    assert "A list is expected" in dialog.arguments.fields["corner"].told[0].message


@pytest.mark.slow
def test_what_is_wrong_without_a_field_stands_below_the_form(dialog_of):
    _, dialog = dialog_of("fluid_simulation:0")
    run(dialog, "rock", {"low": [0, 0, 0], "high": [0, 0, 8]})
    assert dialog.trouble.text().startswith("That box cannot be")


@pytest.mark.slow
def test_an_element_that_does_not_exist_is_told_at_the_field_that_names_it(dialog_of):
    _, dialog = dialog_of("lego_hemisphere:0")
    run(dialog, "delete", {"bricks": "7"})
    assert dialog.arguments.fields["bricks"].told[0].message.startswith("There is no brick 7")


def test_a_command_that_changes_nothing_is_no_step(dialog_of):
    workspace, dialog = dialog_of("hyper_snake:0")
    run(dialog, "erase", {"cells": 1})
    assert dialog.note.text() == "Nothing has changed."
    assert workspace.document.undo_stack.count() == 0


@pytest.mark.slow
def test_a_solving_command_runs_in_the_background_and_is_recorded_as_an_aid(dialog_of, qtbot):
    workspace, dialog = dialog_of("voxel_projection:0")
    run(dialog, "latin", {"seed": 3})
    qtbot.waitUntil(lambda: bool(workspace.document.answer.voxels), timeout=20_000)
    assert ("Latin square", Aid.SOLVING) in [(use.name, use.kind) for use in workspace.session.aids]


@pytest.mark.slow
def test_a_command_whose_form_was_closed_meanwhile_changes_nothing(dialog_of, monkeypatch):
    workspace, dialog = dialog_of("voxel_projection:0")
    arrived = []
    monkeypatch.setattr(dialog._runner, "run", lambda *args, done, failed: arrived.append((args[1:], done)))
    run(dialog, "latin", {"seed": 3})
    [((act, *given), done)] = arrived
    dialog.close()
    done(act(*given))
    assert workspace.document.answer.voxels == ()


def test_a_failure_in_the_background_is_told_in_the_form(dialog_of, qtbot):
    _, dialog = dialog_of("maze_3d:0")
    run(dialog, "fill_rest", {"seed": 1})
    qtbot.waitUntil(lambda: "no path from A to B yet" in dialog.trouble.text(), timeout=20_000)
    assert dialog.go.isEnabled()


@pytest.mark.slow
def test_commands_that_the_aids_of_a_person_do_not_allow_are_not_offered(dialog_of):
    workspace, dialog = dialog_of("voxel_projection:0")
    workspace.editor.aids = frozenset({Aid.VIEWING, Aid.EDITING})
    dialog.close()
    limited = CommandDialog(workspace.editor, workspace._jobs)
    names = [limited.choice.itemText(k) for k in range(limited.choice.count())]
    assert not any("latin" in name for name in names)
    assert any("box" in name for name in names)


@pytest.mark.slow
def test_the_form_is_closed_when_its_instance_is_out_of_sight(dialog_of, qtbot):
    workspace, dialog = dialog_of("shikaku:0")
    qtbot.waitUntil(dialog.isVisible)
    open_instance(workspace.window(), qtbot, "two_segments:0")
    qtbot.waitUntil(lambda: not isValid(dialog) or not dialog.isVisible())


def test_a_task_without_commands_offers_none(open_window, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.window.menus.task_entries.commands_of", lambda task: {})
    window = open_window()
    open_instance(window, qtbot, "shikaku:0")
    assert not window.actions_registry["task.command"].isEnabled()


@pytest.mark.parametrize("task", [task for task in tasks() if commands_of(task)], ids=lambda task: task.id)
def test_every_command_of_every_task_has_a_form(task, qtbot):
    from spatial_workbench.widgets.editing.document import AnswerDocument
    from spatial_workbench.widgets.editors import make_editor

    instance = task.instances()[0] if task.instances() else task.generate(1)
    editor = make_editor(AnswerDocument(task, instance), None)
    qtbot.addWidget(editor)
    dialog = CommandDialog(editor, None)
    qtbot.addWidget(dialog)
    for name, command in commands_of(task).items():
        dialog.choose(name)
        assert list(dialog.arguments.fields) == list(command.arguments.model_fields)


@pytest.mark.slow
@pytest.mark.parametrize("task", [task for task in tasks() if questions_of(task)], ids=lambda task: task.id)
def test_the_questions_of_a_task_are_offered_below_its_commands(task, dialog_of):
    _, dialog = dialog_of(f"{task.id}:0")
    names = [dialog.choice.itemText(k).rpartition("(")[2].rstrip(")") for k in range(dialog.choice.count())]
    assert names == [*commands_of(task), *questions_of(task)]


@pytest.mark.slow
def test_a_question_is_answered_in_the_form_and_recorded_as_an_aid(dialog_of, qtbot):
    workspace, dialog = dialog_of("machine_movement:0")
    run(dialog, "simulate", {})
    qtbot.waitUntil(dialog.told.isVisible, timeout=60_000)
    assert dialog.told.toPlainText()
    assert dialog.go.text() == "Ask"
    assert workspace.document.undo_stack.count() == 0
    assert ("Simulate", Aid.JUDGING) in [(use.name, use.kind) for use in workspace.session.aids]
    dialog.choose("add")
    assert not dialog.told.isVisible()


@pytest.mark.slow
def test_a_page_that_is_asked_for_is_shown(dialog_of, qtbot):
    _, dialog = dialog_of("puzzle_hunt:0")
    run(dialog, "zoom", {"left": 0, "top": 0, "right": 0.5, "bottom": 0.5})
    qtbot.waitUntil(dialog.picture.isVisible, timeout=20_000)
    assert not dialog.picture.pixmap.isNull()
    run(dialog, "page", {"page": 99})
    qtbot.waitUntil(lambda: "There is no page 99" in dialog.trouble.text(), timeout=20_000)
    assert not dialog.picture.isVisible()


@pytest.mark.slow
def test_the_names_of_arguments_are_in_the_language_that_is_spoken(dialog_of):
    _, dialog = dialog_of("lego_hemisphere:0")
    with in_language("de"):
        dialog.choose("move")
        labels = [field.control.accessibleName() for field in dialog.arguments.fields.values()]
    assert labels == ["Steine", "X [mm]", "Y [mm]", "Schichten"]


@pytest.mark.slow
def test_a_long_text_has_room_for_its_lines_and_is_empty_at_first(dialog_of):
    workspace, dialog = dialog_of("interlocking_parts:0")
    dialog.choose("place")
    assert dialog.arguments.fields["contents"].value == ""
    source = "// a cube\n" * 5000 + "cube(10);"
    run(dialog, "place", {"contents": source, "file_type": "OpenSCAD"})
    assert workspace.document.answer.parts[0].fileContents == source
