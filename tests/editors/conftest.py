"""A real editor in a real window."""

import pytest

from spatial_workbench.widgets.editing.document import AnswerDocument
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from spatial_workbench.widgets.editors import editor_for
from tests.dialogs import every_dialog_fits
from tests.editors.driving import KeptHistory, SynchronousRunner

__all__ = ["every_dialog_fits"]


@pytest.fixture
def show_editor(qtbot):
    """Opens the editor of a task on an instance, with an answer if one is given, and gives it the keyboard focus.

    What a test does in it can be told as calls of commands.
    """
    histories = []

    def shown(task, instance, answer=None, size=(800, 680), aids=ALL_AIDS):
        document = AnswerDocument(task, instance, answer)
        histories.append(KeptHistory(document))
        editor = editor_for(task)(document, SynchronousRunner(), aids=aids)
        qtbot.addWidget(editor, before_close_func=lambda w: w.close_editor())
        qtbot.addWidget(editor.tools)
        editor.resize(*size)
        editor.tools.show()
        with qtbot.waitExposed(editor):
            editor.show()
        editor.view.setFocus()
        editor.view.flush()
        return editor

    yield shown
    for history in histories:
        history.check_calls()
