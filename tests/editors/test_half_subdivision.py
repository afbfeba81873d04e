"""The editor of half_subdivision, driven by mouse and keyboard."""

import pytest
from PySide6.QtCore import Qt

from spatial_workbench.engine.core import Openness
from spatial_workbench.engine.core import task as task_of
from tests.editors.driving import at
from tests.widgets.test_viewport3d import LEFT, drag

TASK = task_of("half_subdivision")


@pytest.fixture
def open_editor(show_editor):
    return lambda number: show_editor(TASK, TASK.instances()[number])


@pytest.fixture
def flat(open_editor):
    return open_editor(5)


def cell(editor, label):
    cells = editor.view.scene.item("cells")
    point = cells.centers[list(cells.ids).index(f"cell {label}")]
    return at(editor, point)


def test_a_click_lists_a_cell_and_another_takes_it_off(flat, qtbot):
    qtbot.mouseClick(flat.view, LEFT, pos=cell(flat, "1010"))
    assert flat.chosen == ("1010",)
    qtbot.mouseClick(flat.view, LEFT, pos=cell(flat, "1010"))
    assert flat.chosen == ()
    assert flat.document.undo_stack.count() == 2


def test_a_click_in_space_lists_the_cell_under_the_pointer(open_editor, qtbot):
    editor = open_editor(4)
    place = cell(editor, "100")
    label = editor.view.pick(place.toPointF()).id.removeprefix("cell ")
    qtbot.mouseClick(editor.view, LEFT, pos=place)
    assert editor.chosen == ((label,) if label != "000" else ())


def test_the_target_cannot_be_listed(flat, qtbot):
    with qtbot.waitSignal(flat.message) as blocker:
        qtbot.mouseClick(flat.view, LEFT, pos=cell(flat, "100"))
    assert "own neighbour" in blocker.args[0]
    assert flat.chosen == ()


def test_selected_cells_are_listed_in_one_step(flat, qtbot):
    drag(qtbot, flat.view, LEFT, cell(flat, "00111"), cell(flat, "00110"), Qt.KeyboardModifier.ShiftModifier)
    flat.view.set_selection(["cell 00111", "cell 00110"])
    qtbot.keyClick(flat.view, Qt.Key.Key_Space)
    assert set(flat.chosen) == {"00110", "00111"}
    flat.document.undo_stack.undo()
    assert flat.chosen == ()


def test_a_typed_label_is_listed_or_refused_with_the_reason(flat, qtbot):
    flat.label_field.setText("1100")
    qtbot.keyClick(flat.label_field, Qt.Key.Key_Return)
    assert flat.chosen == ("1100",)
    flat.label_field.setText("101")
    with qtbot.waitSignal(flat.message) as blocker:
        qtbot.keyClick(flat.label_field, Qt.Key.Key_Return)
    assert blocker.args == ["101 is split further; type one of its leaves."]


def test_tree_picture_and_list_stay_in_step(flat):
    flat._clicked_in_tree(flat._nodes["1010"])
    assert flat.chosen == ("1010",)
    assert not flat._nodes["1010"].icon(0).isNull()
    colors = dict(zip(flat.view.scene.item("cells").ids, flat.view.scene.item("cells").colors, strict=True))
    assert colors["cell 1010"] == "series 1"
    flat.document.undo_stack.undo()
    assert flat._nodes["1010"].icon(0).isNull()


def test_the_meters_show_how_much_of_a_face_is_covered_while_wrong_ones_are_told(flat):
    assert not flat.faces.isVisible()
    flat.document.open_to(Openness.WRONG)
    assert flat.faces.isVisible()
    flat.toggle(["00110"])
    assert flat.faces._rows["x-"][0].text() == "x- face: 50 % covered"
    flat.toggle(["00111"])
    assert flat.faces._rows["x-"][0].text() == "x- face: 100 % covered"


def test_contact_at_a_corner_only_is_said_while_wrong_ones_are_told(flat):
    flat.document.open_to(Openness.WRONG)
    flat.toggle(["011"])
    assert "only at an edge or a corner" in flat.status()


def test_cells_can_be_hidden_drawn_apart_and_shown_all(open_editor):
    editor = open_editor(1)
    assert len(editor.view.scene.item("cells").ids) == 123
    editor.panel.widgets["Only cells around the target"].click()
    before = len(editor.view.scene.item("cells").ids)
    assert before < 123
    editor.view.set_selection(["cell 0000011"])
    editor._hide_selected()
    assert len(editor.view.scene.item("cells").ids) == before - 1
    editor._show_hidden()
    editor._apart.put(3.0)
    assert len(editor.view.scene.item("cells").ids) == before


def test_what_the_first_hint_says_can_be_done(flat, qtbot):
    assert "Shift-drag selects several; Space lists them" in flat.view.texts.hint
    cells = flat.view.scene.item("cells")
    low, high = cells.centers[:, :2].min(axis=0), cells.centers[:, :2].max(axis=0)
    reach = high - low
    corner = at(flat, low - 0.02 * reach)
    other = at(flat, low + 0.55 * reach)
    drag(qtbot, flat.view, LEFT, corner, other, Qt.KeyboardModifier.ShiftModifier)
    selected = {name.removeprefix("cell ") for name in flat.view.selection}
    qtbot.keyClick(flat.view, Qt.Key.Key_Space)
    assert len(selected) > 1
    assert set(flat.chosen) == selected - {flat.tree.target}
