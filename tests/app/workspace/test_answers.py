"""Answers come from files and go into files."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMessageBox

from tests.app.conftest import open_instance


def test_an_answer_file_is_loaded_or_refused_with_the_reason(window, workspace, tmp_path):
    (tmp_path / "bad.json").write_text('{"segments": 3}')
    workspace.answers.load_file(str(tmp_path / "bad.json"))
    assert "not loaded" in window.statusBar().currentMessage()
    (tmp_path / "good.json").write_text('{"segments": [[[0, 0], [1, 1]], [[0.8, 0], [0.2, 1]]]}')
    workspace.answers.load_file(str(tmp_path / "good.json"))
    assert workspace.document.answer.segments[0] == ((0.0, 0.0), (1.0, 1.0))


def test_a_huge_answer_file_is_read_in_the_background_and_refused_with_the_place(window, workspace, qtbot, tmp_path):
    points = ", ".join(["[0, 0]"] * 200_000)
    (tmp_path / "huge.json").write_text(f'{{"segments": [[{points}]]}}')
    workspace.answers.load_file(str(tmp_path / "huge.json"))
    qtbot.waitUntil(lambda: "not loaded" in window.statusBar().currentMessage())
    assert "two segments of two points" in window.statusBar().currentMessage()


@pytest.mark.slow
def test_a_file_beyond_the_limit_is_refused_without_being_read_whole(window, workspace, qtbot, tmp_path):
    with (tmp_path / "vast.json").open("wb") as file:
        file.truncate(500_000_000)
    workspace.answers.load_file(str(tmp_path / "vast.json"))
    qtbot.waitUntil(lambda: "limit is 16 MB" in window.statusBar().currentMessage())


@pytest.mark.slow
def test_an_answer_is_saved_for_another_program_and_opened_from_there(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "pack_prisms:0")
    workspace.answers.load_reference()
    qtbot.waitUntil(lambda: len(workspace.document.answer.boxes) == 7)
    packed = workspace.document.answer
    file = tmp_path / "packing.3mf"
    workspace.answers.save_file(str(file))
    qtbot.waitUntil(file.exists)
    workspace.answers.clear()
    workspace.answers.load_file(str(file))
    qtbot.waitUntil(lambda: workspace.document.answer == packed)


@pytest.mark.slow
def test_a_machine_is_saved_as_global_positions_and_opened_from_there(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "machine_movement:0")
    workspace.answers.load_reference()
    qtbot.waitUntil(lambda: len(workspace.document.answer.blocks) == 7)
    file = tmp_path / "car.positions.json"
    workspace.answers.save_file(str(file))
    qtbot.waitUntil(file.exists)
    assert "Position" in file.read_text()
    workspace.answers.clear()
    workspace.answers.load_file(str(file))
    qtbot.waitUntil(lambda: len(workspace.document.answer.blocks) == 7)


def drop(page, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    at, buttons, keys = QPointF(5, 5), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, data, buttons, keys)
    page.dragEnterEvent(entering)
    assert entering.isAccepted()
    page.dropEvent(QDropEvent(at, Qt.DropAction.CopyAction, data, buttons, keys))


@pytest.mark.slow
def test_a_file_of_the_game_is_saved_and_dropped_on_the_page(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "machine_movement:0")
    workspace.answers.load_reference()
    qtbot.waitUntil(lambda: len(workspace.document.answer.blocks) == 7)
    car = workspace.document.answer
    file = tmp_path / "car.bsg"
    workspace.answers.save_file(str(file))
    qtbot.waitUntil(file.exists)
    workspace.answers.clear()
    drop(workspace, file)
    qtbot.waitUntil(lambda: workspace.document.answer == car)


@pytest.mark.slow
def test_blocks_of_the_game_that_cannot_be_carried_are_listed_in_a_box(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "machine_movement:0")
    (tmp_path / "odd.bsg").write_text('<Machine><Blocks><Block id="43"/><Block id="44"/></Blocks></Machine>')
    drop(workspace, tmp_path / "odd.bsg")
    qtbot.waitUntil(lambda: workspace.findChild(QMessageBox) is not None)
    box = workspace.findChild(QMessageBox)
    assert "odd.bsg” was not loaded" in box.text()
    assert "block 0: type 43" in box.informativeText()
    assert "block 1, Ball Joint: its position" in box.informativeText()
    box.close()


@pytest.mark.slow
def test_a_file_that_cannot_be_represented_is_refused_with_the_reason(window, qtbot, tmp_path):
    workspace = open_instance(window, qtbot, "lego_hemisphere:0")
    (tmp_path / "wrong.ldr").write_text("1 4 0 0 0 1 0 0 0 1 0 0 0 1 3003.dat")
    with qtbot.waitSignal(workspace.message) as blocker:
        workspace.answers.load_file(str(tmp_path / "wrong.ldr"))
    assert "3003.dat" in blocker.args[0]
