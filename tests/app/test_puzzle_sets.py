"""Puzzles of sets that a person added, where instances are chosen."""

import shutil

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.frame.added import added, list_added
from spatial_workbench.app.frame.choosing import TaskTree
from spatial_workbench.app.window.palette import CommandPalette
from spatial_workbench.app.window.palette_commands import palette_commands
from spatial_workbench.engine.core import task
from spatial_workbench.engine.puzzles.sets import known_sets
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save


@pytest.fixture
def hunt(tmp_path, monkeypatch):
    """A set "hunt" with two puzzles."""
    monkeypatch.setattr(known_sets, "_file", lambda: tmp_path / "puzzle_sets.json")
    chosen = PuzzleSet(tmp_path / "set")
    chosen.path.mkdir()
    for puzzle in originals()[:2]:
        save(chosen, puzzle.folder, Change(writes=puzzle.files()))
    known_sets.add_set(chosen.path, "hunt")
    added().take(list_added())
    yield chosen
    added().take({})


def card_of(window):
    return next(card for card in window.catalogue._cards if card.task.id == "puzzle_hunt")


def test_the_card_offers_a_set_as_a_menu(hunt, window):
    menu = card_of(window).menu()
    inner = next(action.menu() for action in menu.actions() if action.menu() is not None)
    assert inner.title() == "hunt  (2)"
    assert [action.text() for action in inner.actions()] == ["Harbour Clocks", "Supper Without a Lamp"]


def test_a_long_set_is_a_list_with_a_search_field(hunt, window, qtbot, monkeypatch):
    monkeypatch.setattr("spatial_workbench.app.window.catalogue.subtask_menu.MOST_IN_MENU", 1)
    card = card_of(window)
    offered = next(action for action in card.menu().actions() if action.text().endswith("…"))
    offered.trigger()
    palette = window.findChild(CommandPalette)
    qtbot.keyClicks(palette.field, "lamp")
    with qtbot.waitSignal(card.instance_chosen) as chosen:
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert chosen.args == ["puzzle_hunt:hunt/Supper_Without_a_Lamp"]


def test_a_puzzle_of_a_set_is_found_in_the_palette(hunt, window):
    texts = [command.text for command in palette_commands(window)]
    assert "Open Puzzle hunt hunt: Harbour Clocks" in texts


def test_a_set_is_a_branch_of_the_new_batch_s_tree(hunt, qtbot):
    tree = TaskTree()
    qtbot.addWidget(tree)
    tree.choose({"puzzle_hunt:hunt/Harbour_Clocks"})
    assert tree.addresses() == ["puzzle_hunt:hunt/Harbour_Clocks"]


@pytest.mark.slow
def test_a_puzzle_of_a_set_opens(hunt, window, qtbot):
    window.open_instance("puzzle_hunt:hunt/Harbour_Clocks")
    qtbot.waitUntil(lambda: window.workspace is not None)
    assert window.workspace.editor.pad.pages.names == ("content.png",)


def test_a_set_that_is_gone_is_said_in_a_sentence(hunt, window, qtbot):
    shutil.rmtree(hunt.path)
    window.open_instance("puzzle_hunt:hunt/Harbour_Clocks")
    qtbot.waitUntil(lambda: "is not there any more" in window.statusBar().currentMessage())
    assert task("puzzle_hunt").named() == ()


def test_a_set_added_while_the_catalogue_is_in_front_is_offered_when_one_comes_back(hunt, window, qtbot):
    known_sets.forget_set("hunt")
    with qtbot.waitSignal(added().changed):
        window.pages.changed.emit()
    assert not [action for action in card_of(window).menu().actions() if action.menu() is not None]


def test_puzzles_are_not_offered_to_be_generated(window):
    assert "Generate a new one…" not in [action.text() for action in card_of(window).menu().actions()]
