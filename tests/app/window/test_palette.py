"""The command palette finds commands and subtasks by a few letters."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.window.palette import CommandPalette, rank


@pytest.mark.slow
def test_the_palette_finds_commands_and_subtasks_by_a_few_letters(window, qtbot):
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.field.setText("two seg 5")
    assert palette.list.item(0).text().startswith("Open Two segments 5")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.workspace is not None)


@pytest.mark.parametrize(
    ("typed", "opened"), [("two segments 1", "Two segments 1:"), ("pipe loop 10", "Pipe loop 10:")]
)
def test_a_number_in_the_palette_is_the_subtask(window, typed, opened):
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.field.setText(typed)
    assert palette.list.item(0).text().startswith(f"Open {opened}")
    palette.close()


def test_subtasks_that_fit_alike_stand_in_the_order_of_their_numbers(window):
    window.show_palette()
    palette = window.findChild(CommandPalette)
    palette.field.setText("open two segments 1")
    texts = [palette.list.item(row).text() for row in range(palette.list.count())]
    numbers = [int(text.split()[3].rstrip(":")) for text in texts if text.startswith("Open Two segments")]
    palette.close()
    assert numbers[0] == 1
    assert numbers[1:] == sorted(numbers[1:])


def test_words_fit_better_than_their_beginnings_and_these_better_than_scattered_letters():
    texts = ["Task: Clear answer", "Clearance", "Edit: Close a new bar"]
    assert sorted(texts, key=lambda text: rank("clear", text) or 10**9) == texts
    assert rank("7", "Open Maze 7", 7) < rank("7", "Open Maze 3: 7 rows", 3)


def test_letters_at_the_start_of_words_fit_better():
    assert rank("lr", "Load reference") < rank("lr", "Solver")
    assert rank("zz", "Load reference") is None
