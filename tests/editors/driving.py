"""What tests of editors need: where things are in the view, and work in the background that is done at once."""

import numpy as np
from PySide6.QtCore import QPoint

from engine.core import Aid, silent

HANDS = frozenset({Aid.VIEWING, Aid.EDITING})
"""What somebody may use who solves by hand."""


class SynchronousRunner:
    """Does the work at once, in this process."""

    def __init__(self):
        self.labels = []

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        self.labels.append(label)
        done(function(*arguments, progress=silent))


def at(editor, point):
    """The place in the view of a point of the scene."""
    x, y = editor.view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def steps(editor):
    """How many steps the history has."""
    return editor.document.undo_stack.count()
