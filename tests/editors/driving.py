"""Helpers for tests of editors: where things are in the view, and a runner that does background work at once."""

import numpy as np
from PySide6.QtCore import QPoint

from spatial_workbench.engine.core import Aid, silent
from spatial_workbench.engine.core.acting.retelling import can_retell, retold

HANDS = frozenset({Aid.VIEWING, Aid.EDITING})
"""The aids of a person who solves by hand."""


class SynchronousRunner:
    """Does the work at once, in this process."""

    def __init__(self):
        self.labels = []

    def run(self, label, function, *arguments, done, failed=None, quiet=False):
        self.labels.append(label)
        done(function(*arguments, progress=silent))


TYPED = {"Shorten", "full", "type", "Typed", "Type the machine"}
"""Edits that put in what no command would build, such as blocks that overlap."""


class KeptHistory:
    """The answers of a document, from its first one."""

    def __init__(self, document):
        self.task = document.task
        self.instance = document.instance
        self.answers = [document.answer]
        self.labels = [""]
        document.edited.connect(self._keep)

    def check_calls(self):
        """Makes sure that calls lead to the same answers, unless the first or a typed one cannot be built."""
        if len(self.answers) < 2 or not can_retell(self.task):
            return
        edits = list(retold(self.task, self.instance, self.answers))
        untold = [label for label, edit in zip(self.labels, edits, strict=True) if not edit.is_exact]
        assert not edits[0].is_exact or set(untold) <= TYPED

    def _keep(self, label, before, after):
        self.labels.append(label)
        self.answers.append(after)


def at(editor, point):
    """Where a point of the scene is in the view."""
    x, y = editor.view.project(np.array([point], float))[0]
    return QPoint(round(x), round(y))


def steps(editor):
    """How many steps the history has."""
    return editor.document.undo_stack.count()
