"""A plug-in that does something wrong in the window is a message; the window and all other tasks go on."""

import pytest

from spatial_workbench.app.window.palette_commands import palette_commands
from spatial_workbench.widgets.editors.plain import PlainEditor
from tests.app.conftest import open_instance
from tests.app.lending import end_all
from tests.plug_ins import SOUND, misbehaving, misjudging, plug_in  # noqa: F401


@pytest.fixture(autouse=True)
def own_processes():
    """Processes that search for modules where this test does, and none after it that still do."""
    end_all()
    yield
    end_all()


EDITOR = '''
from spatial_workbench.widgets.editing.editor import Editor

class Editing(Editor):
    """An editor."""

    def {method}(self, *arguments):
        {statement}
'''


@pytest.mark.slow
def test_a_task_that_ends_the_program_when_it_is_imported_leaves_the_window_alone(plug_in, open_window, qtbot):  # noqa: F811
    plug_in("import sys; sys.exit(5)")
    window = open_window()
    assert "odd: loading it failed" in window.catalogue._broken.text()
    assert any("Half" in command.text for command in palette_commands(window))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["prompt", "scene", "empty"])
def test_a_task_that_cannot_be_shown_is_a_message_and_no_tab(plug_in, open_window, qtbot, method):  # noqa: F811
    plug_in(misbehaving(method, "raise SystemExit(5)"))
    window = open_window()
    window.open_instance("odd:0")
    qtbot.waitUntil(lambda: f"Task odd: {method} failed" in window.statusBar().currentMessage())
    assert window.workspace is None
    assert open_instance(window, qtbot, "shikaku:0").title


def test_a_verifier_that_fails_is_a_message_and_the_answer_is_safe(plug_in, open_window, qtbot, monkeypatch):  # noqa: F811
    plug_in(misjudging("raise SystemExit(5)"))
    window = open_window()
    window.open_instance("odd:0")
    qtbot.waitUntil(lambda: "The verifier failed" in window.statusBar().currentMessage())
    assert "Task odd: verify failed" in window.statusBar().currentMessage()


@pytest.mark.slow
def test_a_verdict_on_an_earlier_answer_is_not_left_beside_one_that_cannot_be_judged(plug_in, open_window, qtbot):  # noqa: F811
    plug_in(misjudging("1 / (5 - answer.corners); return CountCorners._default(self, instance, answer, progress)"))
    workspace = open_instance(open_window(), qtbot, "odd:0")
    document = workspace.document
    assert document.verdict is not None
    document.replace_data("Type", {"corners": 5})
    qtbot.waitUntil(lambda: document.verdict is None)
    document.undo_stack.undo()
    qtbot.waitUntil(lambda: document.verdict is not None and document.is_verdict_current)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["prepare", "list_controls", "make_view", "make_scene"])
def test_an_editor_that_cannot_be_built_is_replaced(plug_in, open_window, qtbot, method):  # noqa: F811
    plug_in(SOUND, EDITOR.format(method=method, statement="raise SystemExit(5)"))
    assert isinstance(open_instance(open_window(), qtbot, "odd:0").editor, PlainEditor)


def test_an_editor_that_cannot_be_imported_is_replaced(plug_in, open_window, qtbot):  # noqa: F811
    plug_in(SOUND, "raise SystemExit(5)")
    assert isinstance(open_instance(open_window(), qtbot, "odd:0").editor, PlainEditor)
