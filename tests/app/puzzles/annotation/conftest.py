"""The annotation of a puzzle in a window, and what its tests share."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QUndoStack

from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.app.puzzles.annotation.work import Opened
from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.puzzles.annotation.annotating import Annotation
from spatial_workbench.engine.puzzles.annotation.validation import Files
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.side_files import drop

NAME = "Harbour_Clocks"
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def open_note(window, page, puzzles, qtbot):
    """Opens the annotation of a puzzle and waits for it."""

    def open_(folder=NAME):
        note = window.puzzle_pages.annotate(page.entry, folder)
        qtbot.waitUntil(lambda: note.is_idle)
        return note

    yield open_
    drop(puzzles.path, NAME)


@pytest.fixture
def note(open_note):
    return open_note()


def metadata(puzzles, folder=NAME):
    return json.loads(puzzles.folder(folder).bytes_of("metadata.json"))


def saved(note, qtbot):
    note.saving.save()
    qtbot.waitUntil(lambda: note.is_idle)


def texts(note):
    return [step.explanation for step in note.edited.annotation.puzzle.reasoning]


def draw(note, *shapes):
    """Replaces the sketch of the page in front."""
    desk = note.pad.desk
    desk.put("draw", desk.current.model_copy(update={"shapes": shapes}))


def put_cursor(note, index, place):
    cursor = note.side.steps.cards[index].text.textCursor()
    cursor.setPosition(place)
    note.side.steps.cards[index].text.setTextCursor(cursor)


@dataclass
class HeldJob:
    """A job that waits until a test calls `done` or `failed`."""

    function: Any
    done: Any
    failed: Any


class HeldLane:
    """A lane of jobs that a test ends."""

    def __init__(self):
        self.jobs = []

    @property
    def is_idle(self):
        return not self.jobs

    def run(self, label, function, *arguments, done, failed=None):
        self.jobs.append(HeldJob(function, done, failed))


@pytest.fixture
def lane():
    return HeldLane()


@pytest.fixture
def edited(qapp, tmp_path):
    """A puzzle that is open, without a page around it."""
    edited = EditedPuzzle(SetEntry("hunt", tmp_path), "Dials", QUndoStack(), dict)
    edited.take_opened(Opened(Annotation(Puzzle("Dials")), (), Files("Dials"), {}))
    return edited
