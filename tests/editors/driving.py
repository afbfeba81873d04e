"""Helpers for tests of editors: where things are in the view, and a runner that does background work at once."""

import numpy as np
from PySide6.QtCore import QPoint

from spatial_workbench.engine.core import Aid, silent

HANDS = frozenset({Aid.VIEWING, Aid.EDITING})
"""The aids of a person who solves by hand."""


class SynchronousRunner:
    """Does the work at once, in this process."""

    def __init__(self):
        self.labels = []

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        self.labels.append(label)
        done(function(*arguments, progress=silent))


def at(editor, point):
    """Where a point of the scene is in the view."""
    x, y = editor.view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def steps(editor):
    """How many steps the history has."""
    return editor.document.undo_stack.count()
