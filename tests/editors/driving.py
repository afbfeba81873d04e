"""Where things are in an editor's view, for tests that press there."""

import numpy as np
from PySide6.QtCore import QPoint


def at(editor, point):
    """The place in the view of a point of the scene."""
    x, y = editor.view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def steps(editor):
    """How many steps the history has."""
    return editor.document.undo_stack.count()
