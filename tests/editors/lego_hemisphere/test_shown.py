"""What the editor of lego_hemisphere shows: status, colours, marks, the plan, names and tips."""

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox

from spatial_workbench.engine.core.scene import Polyline
from spatial_workbench.engine.tasks.lego_hemisphere import Brick
from spatial_workbench.engine.tasks.lego_hemisphere.answer import poses_of
from spatial_workbench.engine.tasks.lego_hemisphere.brick import Poses
from spatial_workbench.widgets.editors.lego_hemisphere.drawing import Coloring, colors_of
from spatial_workbench.widgets.editors.lego_hemisphere.workpiece import followed
from tests.editors.lego_hemisphere.conftest import (
    BACK,
    FRONT,
    ON_FRONT,
    PARTED,
    RIGHT,
    judge,
    undo,
)


def test_the_status_tells_bricks_layer_score_and_raw(editor):
    raw = next(figure.value for figure in editor.document.verdict.figures if figure.name == "raw")
    assert editor.status() == f"2 bricks · layer 0 · score 0.00 · raw −{-raw:.3f}"


def test_until_the_new_verdict_arrives_the_old_score_is_marked_as_old(editor):
    editor.piece.add_bricks("Place brick", (BACK,), select=False)
    assert editor.status().endswith("…")
    judge(editor.document)
    assert not editor.status().endswith("…")


def test_colours_stay_between_an_edit_and_its_verdict(open_editor):
    editor = open_editor(FRONT, Brick.at(76, 0, 4.8, 90))
    before = editor.view.scene.item("bricks").colors
    assert before[1] in ("warning", "failed")
    editor.piece.add_bricks("Place brick", (BACK,), select=False)
    assert editor.view.scene.item("bricks").colors[:2] == before


def test_colours_tell_shares_or_layers():
    poses = Poses(poses_of([FRONT, ON_FRONT, RIGHT]))
    shares = np.array([0.2, 0.4, np.nan])
    assert colors_of(poses, shares, Coloring.BOTH) == ["failed", "warning", "series 0"]
    assert colors_of(poses, shares, Coloring.SHARE) == ["failed", "warning", "series 4"]
    assert colors_of(poses, shares, Coloring.LAYER) == ["series 0", "series 4", "series 0"]


def test_a_brick_that_was_placed_is_all_that_is_drawn_anew(editor):
    scene = editor.view.scene
    editor.piece.add_bricks("Place brick", (BACK,), select=False)
    changed = [a.name for a, b in zip(scene.items, editor.view.scene.items, strict=True) if a is not b]
    assert changed == ["bricks"]


def test_a_verdict_that_changes_nothing_draws_nothing(editor):
    scene = editor.view.scene
    judge(editor.document)
    assert editor.view.scene is scene


def test_bricks_off_their_studs_are_marked_with_an_arrow_where_to_go(open_editor):
    editor = open_editor(FRONT, PARTED)
    assert editor.view.style_.roles == {"brick 0": "failed", "brick 1": "failed"}
    arrow = next(item for item in editor.view.scene.items if isinstance(item, Polyline) and item.arrow)
    assert (arrow.points[1] - arrow.points[0]).tolist() == pytest.approx([-3, 0, 0])
    editor.layers.go_to(1)
    editor.draw_later()
    assert editor.canvas.scene.item("shift of brick 1 on brick 0, in words").text == "move (-3, 0) mm"


def test_overlapping_bricks_tell_their_shared_volume(open_editor):
    editor = open_editor(FRONT, Brick.at(24, -56, 4.8))
    assert editor.view.scene.item("volume shared by bricks 0 and 1").text == "1229 mm³ shared"


def test_a_part_that_falls_shows_its_centre_of_mass_and_its_support(open_editor):
    editor = open_editor(FRONT, Brick.at(24, -56, 14.4), Brick.at(48, -56, 24))
    names = {item.name for item in editor.view.scene.items}
    assert {"centre of mass 0", "support 0", "plumb line 0"} <= names


def test_floating_bricks_are_named(open_editor):
    editor = open_editor(FRONT, Brick.at(0, 56, 24))
    assert editor.view.scene.item("brick 1 floats").text == "floats"


def test_marks_follow_their_bricks_until_the_next_verdict(open_editor):
    editor = open_editor(BACK, FRONT, PARTED)
    editor.piece.select([0])
    editor.commands.delete()
    assert set(editor.view.style_.roles) == {"brick 0", "brick 1"}


def test_a_click_on_a_check_goes_to_the_layer_of_its_bricks(open_editor):
    editor = open_editor(FRONT, PARTED)
    editor.show_elements(["brick 0", "brick 1"])
    assert (editor.piece.layer, editor.piece.selected) == (1, [0, 1])


def test_the_selection_follows_its_bricks_through_undo(open_editor):
    editor = open_editor(FRONT, RIGHT, BACK)
    editor.piece.select([0])
    editor.commands.delete()
    editor.piece.select([1])
    undo(editor)
    assert editor.piece.selected == [2]


def test_layers_above_can_be_hidden(open_editor):
    editor = open_editor(FRONT, ON_FRONT)
    editor.panel.widgets["Hide layers above"].setChecked(True)
    assert editor.view.style_.hidden == {"brick 1"}
    editor.layers.go_to(1)
    assert editor.view.style_.hidden == frozenset()


def test_the_plan_shows_the_layer_and_the_one_below_it(open_editor):
    editor = open_editor(FRONT, ON_FRONT)
    editor.layers.go_to(1)
    editor.draw_later()
    assert list(editor.canvas.scene.item("bricks").ids) == ["brick 1"]
    assert list(editor.canvas.scene.item("bricks below").ids) == ["brick 0"]


def test_the_plan_shows_the_shell_at_three_heights(editor):
    names = {item.name for item in editor.canvas.scene.items}
    assert {f"{height} {ring}" for height in ("bottom", "middle", "top") for ring in (0, 1)} <= names


def test_what_is_missing_is_a_heat_map_in_both_views(editor):
    editor.panel.widgets["Show what is missing"].setChecked(True)
    in_plan, in_space = editor.canvas.scene.item("missing"), editor.view.scene.item("missing")
    assert len(in_plan.cells) == len(in_space.ids) > 100
    filled = (np.array([[-2, -7], [1, -8]])[:, None] == in_plan.cells[None, :, :2]).all(axis=2)
    assert not filled.any()


def test_the_plan_can_be_put_away(editor):
    editor.panel.widgets["Plan of the layer"].setChecked(False)
    assert not editor.room.is_there
    editor.panel.widgets["Plan of the layer"].setChecked(True)
    assert editor.room.is_there


def test_a_newcomer_is_told_how_to_begin(open_editor):
    editor = open_editor()
    assert "Click the ground" in editor.view.texts.hint
    editor.piece.add_bricks("Place brick", (FRONT,), select=False)
    assert editor.view.texts.hint == ""


def test_everything_that_can_be_pressed_has_a_name_and_a_tip(editor):
    parts = [
        widget
        for kind in (QAbstractButton, QAbstractSpinBox, QComboBox)
        for widget in (*editor.tools.findChildren(kind), *editor.plan.findChildren(kind))
    ]
    parts = [widget for widget in parts if "qt_" not in widget.objectName() and "ScrollBar" not in widget.objectName()]
    assert len(parts) > 20
    nameless = [widget for widget in parts if not (widget.accessibleName() or widget.text()) or not widget.toolTip()]
    assert nameless == []


def test_no_key_means_two_things(editor):
    keys = [
        shortcut.toString()
        for owner in (editor, editor.view)
        for action in owner.actions()
        if isinstance(action, QAction)
        for shortcut in action.shortcuts()
    ]
    assert len(keys) == len(set(keys))


def test_both_themes_can_be_drawn(editor):
    from spatial_workbench.widgets.theme import DARK

    editor._set_theme(DARK)
    assert (editor.view.theme, editor.canvas.theme) == (DARK, DARK)
    editor.grab()


def test_selected_bricks_are_found_again():
    assert followed((FRONT, RIGHT, BACK), (RIGHT, BACK), [1, 2]) == [0, 1]
    assert followed((FRONT, RIGHT), (FRONT, RIGHT, BACK), [1]) == [1]
    assert followed((FRONT, RIGHT), (RIGHT,), [0]) == []
