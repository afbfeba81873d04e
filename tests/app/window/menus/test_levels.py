"""Levels of people's own are opened from files, or refused with the place."""

import json

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from spatial_workbench.engine.machines.levels.library import levels_folder
from tests.machines.levels.test_level_files import CANYON


@pytest.fixture
def file(tmp_path):
    yield tmp_path / "canyon.level.json"
    for level in levels_folder().glob("*"):
        level.unlink()


@pytest.mark.slow
def test_a_level_is_opened_from_its_file(window, qtbot, file):
    file.write_text(json.dumps(CANYON))
    window.levels.open_file(str(file))
    qtbot.waitUntil(lambda: window.pages.workspace is not None)
    workspace = window.pages.workspace
    assert workspace.title == "Machines: throw · Canyon"
    assert workspace.document.instance.address.startswith("machine_throw:levels/canyon-")


@pytest.mark.slow
def test_a_file_that_is_no_level_is_refused_with_the_place(window, qtbot, file):
    file.write_text(json.dumps(CANYON | {"wind_m_s": "strong"}))
    window.levels.open_file(str(file))
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert "“canyon.level.json” is no level. wind_m_s: " in box.text()
    box.close()


@pytest.mark.slow
def test_the_level_in_front_can_be_changed_if_it_is_ones_own(window, qtbot, file):
    file.write_text(json.dumps(CANYON))
    window.levels.open_file(str(file))
    qtbot.waitUntil(lambda: window.pages.workspace is not None)
    assert window.actions_registry["level.change"].isEnabled()
    window.actions_registry["level.change"].trigger()
    qtbot.waitUntil(lambda: getattr(window.pages.front, "title", "") == "Level · Canyon")
    page = window.pages.front
    assert page.edited.draft == CANYON
    assert page.edited.path is None
    assert not window.actions_registry["level.change"].isEnabled()


def drop(widget, path):
    """As the system drops a file on a widget of the window; who takes it is found as always."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    at, buttons, keys = QPointF(5, 5), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(at.toPoint(), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(widget, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(at, Qt.DropAction.CopyAction, data, buttons, keys))


@pytest.mark.slow
def test_a_level_that_is_dropped_anywhere_on_the_window_is_opened(window, qtbot, file):
    file.write_text(json.dumps(CANYON))
    drop(window.catalogue, file)
    qtbot.waitUntil(lambda: window.pages.workspace is not None)
    first = window.pages.workspace
    assert first.document.instance.address.startswith("machine_throw:levels/canyon-")
    before = first.document.answer
    file.write_text(json.dumps(CANYON | {"name": "Gorge"}))
    drop(first, file)
    qtbot.waitUntil(lambda: window.pages.workspace is not first)
    qtbot.waitUntil(lambda: window.pages.workspace is not None)
    assert window.pages.workspace.document.instance.address.startswith("machine_throw:levels/gorge-")
    assert first.document.answer == before


def test_a_dropped_file_that_is_no_level_is_refused_with_the_place(window, qtbot, file):
    file.write_text("{}")
    drop(window.catalogue, file)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert "“canyon.level.json” is no level." in box.text()
    box.close()


def test_a_page_that_is_closed_while_its_level_is_saved_does_no_harm(window, qtbot, tmp_path):
    window.levels.begin()
    page = window.pages.front
    page.add("wall")
    path = tmp_path / "wall.level.json"
    page.save_to(path)
    window.pages.close(page)
    qtbot.waitUntil(path.is_file)


def test_the_file_menu_has_an_entry(window):
    assert window.actions_registry["level.open"].text() == "Open &level…"
