"""The page on which a level is made: every change is drawn and checked at once, can be undone, saved and built on."""

import json

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QUndoStack
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from spatial_workbench.app.levels.choosing import NONE
from spatial_workbench.app.levels.work import list_known
from spatial_workbench.engine.core.scene import Mesh
from spatial_workbench.engine.machines.levels.catalogue import levels
from spatial_workbench.engine.machines.levels.level_files import read_level_file
from spatial_workbench.engine.machines.levels.library import unsaved_levels
from tests.machines.levels.test_level_files import CANYON


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    folder = tmp_path / "data" / "levels"
    monkeypatch.setattr("spatial_workbench.engine.machines.levels.library.levels_folder", lambda: folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return folder


@pytest.fixture
def page(window, qtbot):
    window.levels.begin()
    page = window.pages.front
    page.view.flush()
    return page


def drawn(page):
    return {item.id: item for item in page.view.scene.items if isinstance(item, Mesh)}


def type_into(line, text):
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)


def press(page, key, modifiers=Qt.KeyboardModifier.NoModifier):
    page.view.setFocus()
    QTest.keyClick(page.view, key, modifiers)


@pytest.mark.slow
def test_a_new_level_can_be_built_on_at_once(page, window):
    assert page.build_button.isEnabled()
    assert window.tabs.tabText(window.tabs.currentIndex()) == "Level · New level"


@pytest.mark.slow
def test_what_is_added_is_drawn_selected_and_can_be_taken_back(page, window):
    page.add("wall")
    assert set(drawn(page)) == {"obstacles[0]"}
    assert page.edited.selection == page.view.selection == ("obstacles[0]",)
    window.undo_group.undo()
    assert drawn(page) == {}
    assert page.edited.selection == ()
    window.undo_group.redo()
    assert set(drawn(page)) == {"obstacles[0]"}


def test_the_drawing_follows_each_letter(page):
    page.add("box")
    type_into(page.fields.fields["size"].lines[1], "7")
    assert drawn(page)["obstacles[0]"].vertices[:, 2].max() == 7
    type_into(page.fields.fields["at"].lines[1], "30")
    assert page.edited.draft["obstacles"][0]["at"] == [0, 30]


def test_typing_a_number_is_one_step(page, window):
    page.add("box")
    steps = page.undo_stack.count()
    type_into(page.fields.fields["at"].lines[1], "30")
    assert page.undo_stack.count() == steps + 1
    assert isinstance(page.undo_stack, QUndoStack)
    window.undo_group.undo()
    assert page.fields.fields["at"].lines[1].text() == "12"


def test_up_and_down_in_a_field_are_steps_of_half_a_metre(page):
    page.add("box")
    line = page.fields.fields["at"].lines[0]
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Up)
    assert page.edited.draft["obstacles"][0]["at"] == [0.5, 12]


def test_a_thing_in_the_way_is_told_at_its_entry_and_nothing_is_built(page, qtbot):
    page.add("box")
    type_into(page.fields.fields["at"].lines[1], "0")
    assert not page.build_button.isEnabled()
    told = page.faults.problems[0].message
    assert told.startswith("Box 1, obstacles[0]: “box 1” stands where machines are placed")
    assert not page.outline._items["obstacles[0]"].icon(0).isNull()
    with qtbot.waitSignal(page.message) as said:
        page.build()
    assert "obstacles[0]" in said.args[0]


def test_a_value_out_of_range_is_told_at_its_field(page):
    page.add("cone")
    type_into(page.fields.fields["radius"].line, "-1")
    assert "greater than" in page.fields.fields["radius"].told[0].message
    type_into(page.fields.fields["radius"].line, "x")
    assert page.fields.fields["radius"].told[0].message == "“x” is not a number"


def test_wind_ground_goal_and_start_have_fields(page):
    for section, path, texts in (
        ("air and ground", "wind_m_s", ["3", "0", "-2"]),
        ("machines", "size_limits", ["10", "5", "12"]),
    ):
        page.outline.section_chosen.emit(section)
        for line, text in zip(page.fields.fields[path].lines, texts, strict=True):
            type_into(line, text)
    assert page.edited.examined.level.wind == (3, 0, -2)
    assert page.edited.examined.level.size_limits == (10, 5, 12)
    page.outline.section_chosen.emit("air and ground")
    type_into(page.fields.fields["ground.friction"].line, "0.4")
    assert not page.edited.examined.level.has_plane
    page.add("goal")
    assert page.edited.examined.level.goal is not None


def test_another_task_brings_what_it_needs(page):
    page.outline.section_chosen.emit("level")
    field = page.fields.fields["task"]
    field.box.setCurrentIndex(field.box.findData("pick"))
    field.box.activated.emit(field.box.currentIndex())
    assert page.edited.is_sound
    assert page.edited.examined.level.task == "pick"


def test_parameters_and_blocks_that_are_not_meant_are_left_out(page):
    page.outline.section_chosen.emit("machines")
    page.fields.fields["parameters"].boxes["speed"].click()
    page.fields.fields["types"].boxes[63].click()
    assert "speed" not in page.edited.examined.level.parameters
    assert page.edited.examined.level.types == {0, 63}
    page.fields.fields["types"].boxes[63].click()
    assert "types" not in page.edited.draft


@pytest.mark.slow
def test_keys_move_raise_turn_copy_and_remove(page):
    page.add("box")
    page.view.standard_view("top")
    page.view.flush()
    press(page, Qt.Key.Key_Right)
    press(page, Qt.Key.Key_Up)
    press(page, Qt.Key.Key_PageUp)
    press(page, Qt.Key.Key_R)
    box = page.edited.draft["obstacles"][0]
    assert (box["at"], box["bottom"], box["heading_deg"]) == ([0.5, 12.5], 0.5, 15)
    press(page, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert page.edited.selection == ("obstacles[1]",)
    press(page, Qt.Key.Key_Delete)
    assert len(page.edited.draft["obstacles"]) == 1


def test_a_thing_is_dragged_along_the_ground_to_the_grid(page):
    page.add("box")
    page.edited.select(())
    page.view.standard_view("top")
    page.view.flush()
    start = QPointF(*page.view.project([[0.0, 12.0, 2.0]])[0]).toPoint()
    end = QPointF(*page.view.project([[3.1, 14.2, 2.0]])[0]).toPoint()
    QTest.mousePress(page.view, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(page.view, start + (end - start) * share)
    assert page.view.ghost
    QTest.mouseRelease(page.view, Qt.MouseButton.LeftButton, pos=end)
    assert page.edited.draft["obstacles"][0]["at"] == [3, 14]
    assert page.edited.selection == ("obstacles[0]",)
    assert page.undo_stack.undoText() == "Move"


@pytest.mark.slow
def test_several_things_are_moved_and_copied_together(page):
    page.add("box")
    page.add("wall")
    page.outline.tree.selectAll()
    assert page.edited.selection == ("obstacles[0]", "obstacles[1]")
    assert page.fields._others.text().startswith("1 more selected")
    page.view.standard_view("top")
    press(page, Qt.Key.Key_Right)
    assert [thing.get("at", thing.get("start")) for thing in page.edited.draft["obstacles"]] == [[0.5, 12], [-4.5, 16]]
    page.copy_chosen()
    assert page.edited.selection == ("obstacles[2]", "obstacles[3]")


def test_a_press_beside_things_shows_the_section_again(page):
    page.add("box")
    page.view.standard_view("top")
    page.view.flush()
    QTest.mouseClick(page.view, Qt.MouseButton.LeftButton, pos=QPoint(5, page.view.height() - 5))
    assert page.edited.selection == ()
    assert "name" in page.fields.fields


@pytest.mark.slow
def test_a_level_is_saved_opened_again_and_is_the_same(page, window, qtbot, tmp_path, monkeypatch):
    page.add("wall")
    path = tmp_path / "mine.level.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    press(page, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(path.is_file)
    qtbot.waitUntil(lambda: page.edited.is_saved)
    assert read_level_file(path.read_bytes()) == page.edited.examined.level
    assert page.state.text() == "mine.level.json · saved"
    window.pages.close(page)
    window.levels.change_file(path)
    qtbot.waitUntil(lambda: getattr(window.pages.front, "title", "") == "Level · New level")
    assert window.pages.front.edited.path == path
    assert unsaved_levels() == []


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_told_and_nothing_is_lost(page, qtbot, tmp_path):
    page.add("wall")
    with qtbot.waitSignal(page.message) as said:
        page.save_to(tmp_path / "nowhere" / "mine.level.json")
    assert said.args[0].startswith("The level was not saved.")
    assert not page.edited.is_saved


def test_what_was_not_saved_is_kept_and_offered(page, window):
    page.add("wall")
    window.pages.close(page)
    (kept,) = list_known()
    assert (kept.title, kept.about) == ("New level", "not saved")


def test_an_untouched_level_is_not_kept(page, window):
    window.pages.close(page)
    assert list_known() == ()


@pytest.mark.slow
def test_machines_are_built_on_the_level_as_it_is(page, window, qtbot, data_folder):
    page.outline.section_chosen.emit("level")
    type_into(page.fields.fields["name"].line, "My wall")
    page.add("wall")
    assert window.tabs.tabText(window.tabs.currentIndex()) == "Level · My wall"
    with qtbot.waitSignal(page.build_wanted) as built:
        page.build()
    assert built.args[0].startswith("machine_throw:levels/my-wall-")


def test_a_broken_file_is_shown_with_its_faults(window, qtbot, tmp_path):
    path = tmp_path / "canyon.level.json"
    path.write_text(json.dumps(CANYON | {"wind_m_s": "strong"}))
    window.levels.change_file(path)
    qtbot.waitUntil(lambda: getattr(window.pages.front, "title", "") == "Level · Canyon")
    page = window.pages.front
    assert [fault.place for fault in page.edited.examined.faults] == ["wind_m_s"]
    assert not page.build_button.isEnabled()
    page.outline.section_chosen.emit("air and ground")
    for line, text in zip(page.fields.fields["wind_m_s"].lines, "301", strict=True):
        type_into(line, text)
    assert page.edited.is_sound


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1 column 2"),
        (json.dumps(CANYON | {"obstacles": [{"kind": "tree"}]}), "obstacles[0]: Input tag 'tree'"),
        (json.dumps([CANYON]), "the file: "),
    ],
)
def test_a_file_that_is_no_level_is_refused_with_the_place(window, qtbot, tmp_path, text, words):
    path = tmp_path / "canyon.level.json"
    path.write_text(text)
    window.levels.change_file(path)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is not None)
    box = window.findChild(QMessageBox)
    assert "“canyon.level.json” cannot be opened. " in box.text()
    assert words in box.text()
    box.close()


def test_the_dialog_lists_levels_and_says_when_there_are_none(window, qtbot):
    window.levels.ask()
    dialog = window.levels.dialog
    qtbot.waitUntil(lambda: dialog.note.text() == NONE)
    assert not dialog.go.isEnabled()
    dialog.new.click()
    assert window.pages.front.title == "Level · New level"


def test_a_new_level_begins_as_a_published_one(window, qtbot):
    window.levels.ask()
    dialog = window.levels.dialog
    qtbot.waitUntil(dialog.new_from.isEnabled)
    menus = {action.text(): action.menu() for action in dialog.published.actions()}
    assert sum(len(menu.actions()) for menu in menus.values()) == len(levels())
    walled = next(entry for entry in menus["Throw: a catapult"].actions() if entry.text() == "T2 · Walled")
    walled.trigger()
    qtbot.waitUntil(lambda: window.pages.front.title == "Level · Walled")
    page = window.pages.front
    assert page.edited.is_sound
    assert set(drawn(page)) == {f"obstacles[{number}]" for number in range(4)}
    assert page.edited.path is None


@pytest.mark.slow
def test_of_a_published_level_in_front_a_copy_is_changed(window, qtbot):
    window.open_instance("machine_throw:1")
    qtbot.waitUntil(lambda: window.workspace is not None, timeout=20_000)
    assert window.actions_registry["level.change"].isEnabled()
    window.actions_registry["level.change"].trigger()
    qtbot.waitUntil(lambda: window.pages.front.title == "Level · Walled")


def test_levels_can_be_made_from_the_catalogue_the_menu_and_the_palette(window):
    from spatial_workbench.app.window.palette_commands import palette_commands

    names = [command.text for command in palette_commands(window)]
    assert any("Levels" in name for name in names)
    assert any("New level" in name for name in names)
    card = next(card for card in window.catalogue._cards if card.task.id == "machine_throw")
    assert "Levels of your own…" in [action.text() for action in card.menu().actions()]
    assert not window.actions_registry["level.change"].isEnabled()
