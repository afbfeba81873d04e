"""The annotation of a puzzle in a window, and what its tests share."""

import json

import pytest
from PySide6.QtCore import Qt

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
