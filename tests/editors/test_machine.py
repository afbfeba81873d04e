"""The editor of machines: building on faces, moving, removing, and playing the simulation."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtWidgets import QToolButton

from spatial_workbench.engine.core import Aid, Instance
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.edits import Add, Move
from spatial_workbench.engine.machines.building.listing import write_listing
from spatial_workbench.engine.machines.building.positions import write_positions
from spatial_workbench.engine.machines.building.settings import BlockSettings
from spatial_workbench.engine.machines.building.tree import Link, MachineBlock, write_tree
from spatial_workbench.engine.machines.levels.examples import examples
from spatial_workbench.engine.machines.levels.level import write_level
from spatial_workbench.engine.machines.levels.level_files import read_level_file
from spatial_workbench.engine.machines.results.trace import Break
from spatial_workbench.engine.physics.live import Moment
from spatial_workbench.engine.physics.machine_results import simulated
from spatial_workbench.engine.tasks.machine import MachineAnswer
from spatial_workbench.engine.tasks.machine.playback import played
from spatial_workbench.engine.tasks.machine.task import level_of_instance
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editors.machine.block_icons import block_icon
from spatial_workbench.widgets.editors.machine.figures import (
    mass_reading,
    size_reading,
    words_of_faults,
    words_of_joins,
)
from spatial_workbench.widgets.editors.machine.free_play import own_keys_of, policy_of
from spatial_workbench.widgets.editors.machine.palette import FOREIGN
from spatial_workbench.widgets.editors.machine.replay import place_of
from spatial_workbench.widgets.scene_views.view import Pick
from spatial_workbench.widgets.theme import DARK, LIGHT
from tests.editors.driving import HANDS, at, steps
from tests.machines.broken import ROWS, SPACE
from tests.machines.levels.test_level_files import PLAIN

pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")

LEFT = Qt.MouseButton.LeftButton
ROOT = MachineBlock(0, 0, -1, -1)
CAR = task("machine_movement")
THROW = task("machine_throw")
WOOD = 1
BRACE = 7
WHEEL = 2


@pytest.fixture
def build(show_editor):
    """Opens the editor on open ground with a machine."""

    def shown(*blocks, kind=THROW, **options):
        return show_editor(kind, kind.instances()[0], MachineAnswer.of((ROOT, *blocks)), **options)

    return shown


def face(editor, block, number):
    """A place of the view a little beside the middle of a face, where the pointer meets the block itself."""
    placed = editor.assembly.faces_of(block)[number]
    return at(editor, editor.bench.shown(placed.position))


def click(qtbot, editor, block, number):
    qtbot.mouseMove(editor.view, face(editor, block, number))
    qtbot.mouseClick(editor.view, LEFT, pos=face(editor, block, number))
    editor.view.flush()


def tree_of(editor):
    return editor.document.answer.reading.tree


def test_a_click_puts_the_chosen_block_on_the_nearest_face(qtbot, build):
    editor = build()
    click(qtbot, editor, 0, 4)
    assert tree_of(editor) == (ROOT, MachineBlock(WOOD, 1, 0, 4))
    assert editor.document.undo_stack.undoText() == "Add [1] to [0] in [4]"


def test_undo_takes_the_block_away_and_redo_puts_it_back(qtbot, build):
    editor = build()
    click(qtbot, editor, 0, 4)
    editor.document.undo_stack.undo()
    assert tree_of(editor) == (ROOT,)
    editor.document.undo_stack.redo()
    assert len(tree_of(editor)) == 2


def test_faces_are_green_where_the_block_fits_red_where_not_and_grey_where_used(build):
    editor = build(MachineBlock(WOOD, 1, 0, 4), MachineBlock(WOOD, 2, 1, 0))
    faces = editor.assembly.faces_of(0)
    squares = editor.bench.face_squares(0, faces[0], lambda face: editor.bench.with_block(Add(WOOD, 0, face.face)))
    colors = {square.id: square.color for square in squares}
    assert colors["face 4"] == "muted"
    assert {color for name, color in colors.items() if name != "face 4"} == {"passed"}
    (chosen,) = [square for square in squares if square.outline == "accent"]
    assert chosen.id == f"face {faces[0].face}"


def test_a_face_on_which_the_block_would_collide_is_red(build):
    editor = build()
    editor._load(examples()[2])
    squares = editor.bench.face_squares(4, None, lambda face: editor.bench.with_block(Add(WOOD, 4, face.face)))
    assert {square.id: square.color for square in squares}["face 7"] == "failed"


def test_faces_do_not_tell_whether_the_block_fits_where_the_editor_may_not_judge(build):
    editor = build()
    editor.bench.judges = False
    squares = editor.bench.face_squares(0, None, lambda face: editor.bench.with_block(Add(WOOD, 0, face.face)))
    assert {square.color for square in squares} == {"target"}


def test_a_used_face_is_refused_with_its_reason(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 4))
    said = []
    editor.message.connect(said.append)
    assert not editor.bench.apply_built(editor.bench.with_block(Add(WOOD, 0, 4)))
    assert steps(editor) == 0
    assert said[0].startswith("Not done: ")


def test_building_on_both_sides_is_one_step(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 0))
    editor.bench.is_symmetric = True
    editor.choose(WHEEL)
    assert editor.bench.apply_built(editor.bench.with_block(Add(WHEEL, 1, 3)))
    assert sorted(editor.assembly.poses[k].facing for k in (2, 3)) == ["x+", "x-"]
    assert steps(editor) == 1


def test_a_copy_takes_along_what_hangs_on_the_block(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(15, 2, 1, 0))
    editor.view.set_selection(["block 1"])
    editor._use(editor._copy)
    click(qtbot, editor, 0, 4)
    assert tree_of(editor)[3:] == (MachineBlock(WOOD, 3, 0, 4), MachineBlock(15, 4, 3, 0))
    assert steps(editor) == 1


def test_mirroring_puts_an_arm_on_the_other_side(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(15, 2, 1, 7), MachineBlock(WHEEL, 3, 2, 0))
    editor.view.set_selection(["block 1"])
    editor.commands.mirror()
    poses = editor.assembly.poses
    assert [poses[k].position for k in (4, 5, 6)] == [
        (-poses[k].position[0], *poses[k].position[1:]) for k in (1, 2, 3)
    ]


def faces_towards(editor, block, *facings):
    """The faces of a block that look one of these ways."""
    return [placed.face for placed in editor.assembly.faces_of(block) if placed.facing in facings]


def test_all_selected_blocks_are_mirrored_in_one_step(build):
    editor = build(MachineBlock(63, 1, 0, 0))
    places = faces_towards(editor, 1, "x-")
    editor.edit(
        "One side",
        MachineAnswer.of((*tree_of(editor), MachineBlock(15, 2, 1, places[0]), MachineBlock(15, 3, 1, places[2]))),
    )
    editor.view.set_selection(["block 2", "block 3"])
    editor.commands.mirror()
    assert {entry.face for entry in tree_of(editor)[4:]} == set(faces_towards(editor, 1, "x+")[::2])
    assert steps(editor) == 2


def test_mirroring_skips_what_has_no_mirror_and_says_why(build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(15, 2, 1, 6), MachineBlock(15, 3, 0, 2))
    said = []
    editor.message.connect(said.append)
    editor.view.set_selection(["block 2", "block 3"])
    editor.commands.mirror()
    assert steps(editor) == 0
    assert "block 2" in said[0].lower()
    assert "no face at the mirrored place" in said[0]


def test_what_stands_on_both_sides_already_is_not_mirrored_again(build):
    editor = build(MachineBlock(15, 1, 0, 2), MachineBlock(15, 2, 0, 3))
    said = []
    editor.message.connect(said.append)
    editor.view.set_selection(["block 1"])
    editor.commands.mirror()
    assert said == ["Not done: the other side has all of it already."]


def test_building_on_both_sides_repeats_a_brace(build):
    editor = build(MachineBlock(WOOD, 1, 0, 2), MachineBlock(WOOD, 2, 0, 3))
    editor.bench.is_symmetric = True
    assert editor.bench.apply_built(editor.bench.with_block(Add(BRACE, 0, 0, (1, 0))))
    assert [type(entry) for entry in tree_of(editor)[3:]] == [Link, Link]
    assert steps(editor) == 1


def test_a_face_without_a_mirror_is_built_on_alone_with_a_notice(build):
    editor = build(MachineBlock(WOOD, 1, 0, 3))
    said = []
    editor.message.connect(said.append)
    editor.bench.is_symmetric = True
    editor.bench.apply_built(editor.bench.with_block(Add(15, 1, 0)))
    editor.bench.apply_built(editor.bench.with_block(Add(15, 0, 0)))
    assert said == ["Only on this side: there is no face at the mirrored place."]
    assert len(tree_of(editor)) == 4


def test_removing_and_moving_on_both_sides_are_repeated_too(build):
    editor = build(MachineBlock(63, 1, 0, 0))
    left, right = (faces_towards(editor, 1, side) for side in ("x-", "x+"))
    editor.edit(
        "Sides", MachineAnswer.of((*tree_of(editor), MachineBlock(15, 2, 1, left[0]), MachineBlock(15, 3, 1, right[0])))
    )
    editor.bench.is_symmetric = True
    assert editor.bench.apply_built(editor.bench.with_move(Move(2, 1, left[1])))
    assert {entry.face for entry in tree_of(editor)[2:]} == {left[1], right[1]}
    editor.view.set_selection(["block 2"])
    editor.commands.delete()
    assert len(tree_of(editor)) == 2


def test_the_ghost_says_that_a_mirrored_rotating_block_turns_the_other_way(qtbot, build):
    editor = build()
    editor.bench.is_symmetric = True
    editor.choose(22)
    qtbot.mouseMove(editor.view, face(editor, 0, 3))
    assert "turns the opposite way in space" in editor.status()


def test_a_block_can_move_to_one_that_comes_later_in_the_list(build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(15, 2, 1, 7), MachineBlock(WOOD, 3, 0, 2))
    assert editor.bench.apply_built(editor.bench.with_move(Move(1, 3, 0)))
    assert tree_of(editor) == (
        ROOT,
        MachineBlock(WOOD, 1, 0, 2),
        MachineBlock(WOOD, 2, 1, 0),
        MachineBlock(15, 3, 2, 7),
    )


def test_a_block_never_moves_to_what_hangs_on_it(build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(15, 2, 1, 7))
    assert not editor.bench.apply_built(editor.bench.with_move(Move(1, 2, 0)))


def test_digits_choose_recent_blocks(qtbot, build):
    editor = build()
    qtbot.keyClick(editor.view, Qt.Key.Key_2)
    assert editor.blocks.kind == 15
    assert editor.view.tool is editor._build


def shown_blocks(editor):
    return [kind.name for kind in block_types().values() if kind.number and editor.panel.actions[kind.name].isVisible()]


def test_blocks_are_found_by_their_names_and_by_what_they_do(qtbot, build):
    editor = build()
    search = editor.panel.widgets["Find a block"]
    qtbot.keyClicks(search, "powered wh")
    assert shown_blocks(editor) == [
        "Powered Wheel",
        "Unpowered Wheel",
        "Large Powered Wheel",
        "Large Unpowered Wheel",
    ]
    search.setText("contracting")
    assert "Spring" in shown_blocks(editor)
    search.setText("nothing of the kind")
    assert shown_blocks(editor) == []
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert (search.text(), len(shown_blocks(editor))) == ("", 26)


def test_enter_takes_the_first_block_that_was_found_and_goes_back_to_the_view(qtbot, build):
    editor = build()
    search = editor.panel.widgets["Find a block"]
    editor.panel.actions["Search the blocks"].trigger()
    assert editor.tools.focusWidget() is search
    qtbot.keyClicks(search, "brace")
    qtbot.keyClick(search, Qt.Key.Key_Return)
    assert (editor.blocks.kind, search.text()) == (BRACE, "")
    assert editor.view.hasFocus()


def test_the_block_of_that_name_comes_before_others_whose_names_contain_it(build):
    editor = build()
    editor.panel.widgets["Find a block"].setText("Wooden block")
    assert editor.blocks.found()[:2] == [WOOD, 15]


@pytest.mark.parametrize(("key", "others"), [(Qt.Key.Key_M, ["x-"]), (Qt.Key.Key_A, 3 * ["x+"])])
def test_a_block_is_mirrored_and_repeated_along_its_beam_by_keys(qtbot, build, key, others):
    editor = build(MachineBlock(63, 1, 0, 0), MachineBlock(15, 2, 1, 5))
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    while editor.selection.in_order != [2]:
        qtbot.keyClick(editor.view, Qt.Key.Key_Right)
    qtbot.keyClick(editor.view, key)
    assert [pose.facing for pose in editor.assembly.poses[3:]] == others
    assert steps(editor) == 1


def test_found_blocks_close_ranks(qtbot, build):
    editor = build()
    search = editor.panel.widgets["Find a block"]
    search.setText("roller")
    (button,) = [b for b in editor.tools.findChildren(QToolButton) if b.accessibleName() == "Roller Wheel"]
    grid = button.parentWidget().layout()
    assert grid.getItemPosition(grid.indexOf(button))[:2] == (0, 0)


def test_blocks_that_a_level_does_not_mean_are_grey_and_usable_with_a_warning(build):
    editor = build()
    muted = {b.accessibleName() for b in editor.tools.findChildren(QToolButton) if b.property("muted")}
    assert {"Grabber", "Grip Pad", "Large Powered Wheel"} <= muted
    assert not muted & {"Powered Wheel", "Boulder", "Brace"}
    said = []
    editor.message.connect(said.append)
    editor.choose(27)
    assert said == [FOREIGN]
    assert editor.blocks.kind == 27


def contrast(color, ground):
    low, high = sorted((luminance(color), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


def luminance(color):
    channels = np.array(color.getRgbF()[:3])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_block_is_seen_on_the_panel_in_both_themes(qapp, theme):
    before = appearance().theme
    appearance().set(theme)
    try:
        for number in block_types():
            picture = block_icon(number).pixmap(56).toImage()
            places = [(x, y) for x in range(0, 56, 2) for y in range(0, 56, 2)]
            solid = [color for place in places if (color := picture.pixelColor(*place)).alpha() > 200]
            assert max(contrast(color, theme.color("panel")) for color in solid) > 2.5, block_types()[number].name
    finally:
        appearance().set(before)


def test_a_brace_takes_two_clicks_and_escape_forgets_the_first(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(WOOD, 2, 0, 4))
    editor.choose(BRACE)
    click(qtbot, editor, 1, 3)
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    editor.choose(BRACE)
    click(qtbot, editor, 2, 0)
    assert steps(editor) == 0
    click(qtbot, editor, 1, 0)
    assert isinstance(tree_of(editor)[3], Link)


def test_delete_removes_a_block_and_all_that_hangs_on_it_in_one_step(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(WOOD, 2, 1, 0), MachineBlock(WOOD, 3, 0, 4))
    editor.view.set_selection(["block 1"])
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    assert tree_of(editor) == (ROOT, MachineBlock(WOOD, 1, 0, 4))
    assert steps(editor) == 1


def test_the_starting_block_stays(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3))
    editor.view.set_selection(["block 0"])
    editor.commands.delete()
    assert len(tree_of(editor)) == 2


def box(qtbot, editor, first, second):
    """Drags from one place of the view to another."""
    qtbot.mousePress(editor.view, LEFT, pos=first)
    for pos in (first + (second - first) / 2, second):
        qtbot.mouseMove(editor.view, pos)
    qtbot.mouseRelease(editor.view, LEFT, pos=second)


def test_a_drag_from_an_empty_place_selects_all_blocks_in_the_box(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(WOOD, 2, 0, 4), MachineBlock(35, 3, 1, 0))
    editor._use(editor._select)
    corner = QPoint(editor.view.width() - 4, editor.view.height() - 4)
    box(qtbot, editor, QPoint(4, 4), corner)
    assert sorted(editor.selection.in_order) == [0, 1, 2, 3]
    assert editor.status().startswith("4 blocks · 4 selected")
    editor.commands.delete()
    assert tree_of(editor) == (ROOT,)


def test_the_ruler_measures_between_the_middles_of_faces(qtbot, build):
    editor = build(MachineBlock(63, 1, 0, 4))
    said = []
    editor.message.connect(said.append)
    editor._use(editor._ruler)
    right, back = (next(f for f in editor.assembly.faces_of(1) if f.facing == way) for way in ("x+", "z-"))
    for placed in (right, back):
        qtbot.mouseClick(editor.view, LEFT, pos=at(editor, editor.bench.shown(placed.position)))
    apart = np.abs(np.subtract(right.position, back.position))
    assert said[-1].startswith(f"{np.linalg.norm(apart):.2f} m: ")
    assert said[-1].endswith(f"{apart[0]:.2f} m across, {apart[1]:.2f} m high, {apart[2]:.2f} m along")
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert editor._ruler.ends == []


def test_the_ruler_reaches_the_ground_and_begins_anew_with_the_third_click(qtbot, build):
    editor = build()
    editor._use(editor._ruler)
    places = [np.array(place, float) for place in ((2.0, -1.0, 0.0), (2.0, 1.0, 0.0), (1.0, -2.0, 0.0))]
    for place in places[:2]:
        qtbot.mouseClick(editor.view, LEFT, pos=at(editor, place))
    assert editor._ruler.words.startswith(("1.9", "2.0"))
    qtbot.mouseClick(editor.view, LEFT, pos=at(editor, places[2]))
    assert len(editor._ruler.ends) == 1


def test_the_ruler_is_used_by_keys_and_seen(qtbot, build):
    editor = build(MachineBlock(63, 1, 0, 4))
    before = editor.view.grab().toImage()
    qtbot.keyClick(editor.view, Qt.Key.Key_R)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(editor.view, key)
    assert " m: " in editor._ruler.words
    assert editor.view.grab().toImage() != before


def test_the_ruler_measures_so_it_is_missing_where_nothing_may_be_measured(build):
    assert "Ruler" not in build(aids=HANDS).panel.actions


def test_a_drag_moves_a_block_with_all_that_hangs_on_it(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(WOOD, 2, 1, 0))
    editor.view.set_tool(editor._select)
    start = at(editor, editor.bench.shown(np.add(editor.assembly.poses[1].position, (1.0, 0.5, 0.0)).tolist()))
    end = face(editor, 0, 4)
    qtbot.mousePress(editor.view, LEFT, pos=start)
    for share in (0.3, 0.7, 1.0):
        qtbot.mouseMove(editor.view, start + (end - start) * share)
    qtbot.mouseRelease(editor.view, LEFT, pos=end)
    assert tree_of(editor)[1] == MachineBlock(WOOD, 1, 0, 4)
    assert editor.document.undo_stack.undoText() == "Move [1] to [0] in [4]"


def test_the_machine_stays_where_it_is_seen_while_it_grows(qtbot, build):
    editor = build()
    before = at(editor, editor.bench.shown((0, 0, 0)))
    click(qtbot, editor, 0, 0)
    after = at(editor, editor.bench.shown((0, 0, 0)))
    assert (after - before).manhattanLength() <= 2


def test_simulating_plays_the_machine_and_nothing_is_built_meanwhile(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 4))
    editor.playback.simulate()
    assert editor.timeline.isVisible()
    assert len(editor.animation.scene.frames) == 181
    qtbot.mouseClick(editor.view, LEFT, pos=face(editor, 0, 3))
    assert steps(editor) == 0
    editor.choose(WHEEL)
    assert not editor.timeline.isVisible()
    assert editor.view.tool is editor._build


@pytest.mark.parametrize("change", ["delete", "undo"])
def test_a_change_by_key_ends_the_playing(qtbot, build, change):
    editor = build(MachineBlock(WOOD, 1, 0, 3))
    editor.edit("More", MachineAnswer.of((*tree_of(editor), MachineBlock(WOOD, 2, 0, 4))))
    editor.view.set_selection(["block 2"])
    editor.playback.simulate()
    if change == "delete":
        qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    else:
        editor.document.undo_stack.undo()
    assert len(tree_of(editor)) == 2
    assert not editor.timeline.isVisible()
    assert "block 2" not in set(editor.view.scene.ids())


def test_what_was_simulated_before_a_change_is_not_played(build):
    editor = build(MachineBlock(WOOD, 1, 0, 3))
    said = []
    tree = tree_of(editor)
    editor.message.connect(said.append)
    editor.edit("More", MachineAnswer.of((*tree, MachineBlock(WOOD, 2, 0, 4))))
    editor.playback._arrived(tree, simulated(tree, editor.level))
    assert not editor.timeline.isVisible()
    assert "changed while it was simulated" in said[0]


def test_a_machine_is_played_where_nothing_can_be_stored(build, monkeypatch):
    monkeypatch.setattr("spatial_workbench.engine.physics.machine_results.store", lambda *_: None)
    editor = build(MachineBlock(WOOD, 1, 0, 3), MachineBlock(15, 2, 1, 0), MachineBlock(15, 3, 0, 4))
    editor.playback.simulate()
    assert editor.timeline.isVisible()


def test_while_it_plays_the_status_tells_the_figures_of_the_moment(build):
    editor = build(kind=CAR)
    editor._load(examples()[0])
    editor.playback.simulate()
    editor.timeline.pause()
    editor.timeline.go_to(180)
    assert editor.status().startswith("machine 43.8")
    editor.animation.stop()
    assert editor.status() == "7 blocks"


def test_the_camera_goes_along_with_what_it_follows(build):
    editor = build(kind=CAR)
    editor._load(examples()[0])
    editor.playback.simulate()
    editor.timeline.pause()
    targets = []
    for index in (30, 180):
        editor.timeline.go_to(index)
        targets.append(editor.view.camera.target[1])
    assert targets[1] - targets[0] == pytest.approx(43.86, rel=0.03)


def test_the_camera_follows_the_boulder_where_the_level_is_about_it_and_nothing_if_told_so(build):
    editor = build()
    editor._load(examples()[1])
    editor.playback.simulate()
    editor.timeline.pause()
    (ball, machine) = editor.animation.scene.tracks
    assert (ball.name, machine.name) == ("The boulder or ball", "The machine")
    editor.timeline.go_to(0)
    before = editor.view.camera.target
    editor.timeline.go_to(90)
    assert np.subtract(editor.view.camera.target, before) == pytest.approx(ball.places[90] - ball.places[0], abs=1e-6)
    editor.playback.follows.put(0)
    before = editor.view.camera
    editor.timeline.go_to(100)
    assert editor.view.camera == before
    assert editor.animation.scene.tracks == ()


def test_a_camera_that_follows_stays_above_the_ground(build):
    editor = build()
    editor._load(examples()[1])
    editor.view.set_camera(replace(editor.view.camera, elevation_deg=-15.0))
    editor.playback.simulate()
    editor.timeline.pause()
    editor.timeline.go_to(60)
    assert editor.view.camera.position[2] > 0


def test_in_free_play_the_camera_follows_the_boulder_or_the_machine_where_there_is_none(build):
    editor = build()
    tree = examples()[1].tree
    boulder = next(k for k, entry in enumerate(tree) if entry.type == 36)
    points = np.arange(3.0 * len(tree)).reshape(-1, 3)
    moment = Moment(0.0, points, np.zeros((len(tree), 4)), np.zeros((0, 7)))
    choice = editor.playback.follows.value
    assert place_of(moment, tree, choice).tolist() == points[boulder].tolist()
    assert place_of(moment, tree[:1], choice).tolist() == points[0].tolist()
    assert place_of(moment, tree, 0) is None


@pytest.mark.slow
def test_the_curves_of_the_run_are_plotted_over_those_of_earlier_ones(build):
    editor = build()
    for example in examples()[1:3]:
        editor._load(example)
        editor.playback.simulate()
    plots = editor.playback.plots
    assert plots.isVisible()
    assert "block 12" in plots.legend.text()
    assert "1 earlier run" in plots.legend.text()
    plots.kinds.setCurrentIndex(4)
    assert plots.legend.text().count("spring") == 3
    editor.animation.stop()
    assert not plots.isVisible()


def test_a_height_that_stays_the_same_is_a_straight_line(build):
    editor = build(kind=CAR)
    editor._load(examples()[0])
    editor.playback.simulate()
    view = editor.playback.plots.plot.getViewBox()
    view.updateAutoRange()
    low, high = view.viewRange()[1]
    assert low < 1 < high
    assert high - low == pytest.approx(0.1)


def test_without_measuring_nothing_is_plotted(build):
    editor = build(aids=frozenset(Aid) - {Aid.MEASURING})
    editor.playback.simulate()
    assert editor.playback.plots is None


def test_an_example_is_loaded_as_one_step_with_a_solving_aid(build):
    editor = build()
    used = []
    editor.aid_used.connect(lambda name, aid: used.append((name, aid)))
    next(action for action in editor.actions() if action.text() == "Motor catapult").trigger()
    assert len(tree_of(editor)) == 20
    assert steps(editor) == 1
    assert used == [("Motor catapult", Aid.SOLVING)]


def test_the_panel_tells_size_mass_and_balance(build):
    editor = build(MachineBlock(63, 1, 0, 3), MachineBlock(63, 2, 1, 0))
    assert size_reading(editor.assembly, editor.level, True).figure == "7 × 1 × 1 m"
    assert mass_reading(editor.assembly, True).figure == "2.25 kg"
    assert mass_reading(editor.assembly, True).is_met


def test_text_that_is_no_machine_leaves_the_level_and_says_why(build):
    editor = build()
    editor.edit("Typed", MachineAnswer(blocks=({"type": 1, "id": 0, "parent": -1, "face_id": -1},)))
    assert editor.assembly is None
    assert "BAD_ROOT" in words_of_faults(editor.document.answer)
    editor.playback.simulate()
    editor.commands.delete()


def test_without_judging_nothing_is_simulated_and_no_reason_is_drawn(build):
    editor = build(aids=HANDS)
    names = {action.text() for action in editor.actions()}
    assert "Simulate" not in names
    assert not editor.bench.judges


def test_joins_are_named_with_the_joints_that_they_lock(build):
    from tests.physics.building import column

    builder, upright = column()
    builder.add(1, builder.add(19, upright, "x+", 2), "z+")
    post = builder.add(15, builder.add(1, 1, "y+", 2), "y+")
    builder.add(15, post, "x+")
    editor = build(*builder.tree[1:])
    assert "locks block 6, Universal Joint" in words_of_joins(editor.assembly)


# Guides, arrays and keys ---------------------------------------------------------------------------------------------


def ghost_of(editor, block, number, monkeypatch):
    """The items of the ghost at a face."""
    shown = []
    monkeypatch.setattr(editor.view, "set_ghost", lambda items, *rest: shown.append(items))
    editor._build._show_ghost(editor.view, editor.assembly.faces_of(block)[number])
    return {item.name: item for item in shown[-1]}


@pytest.mark.parametrize(
    ("kind", "name"),
    [(WOOD, "facing 1"), (WHEEL, "push 1"), (22, "spin 1"), (22, "axis 1"), (5, "sweep 1"), (28, "sweep 1")],
)
def test_the_ghost_tells_how_the_block_acts(build, monkeypatch, kind, name):
    editor = build()
    editor.choose(kind)
    assert name in ghost_of(editor, 0, 3, monkeypatch)


def test_a_wheel_at_the_side_pushes_forward_and_a_flat_one_nowhere(build, monkeypatch):
    editor = build()
    editor.choose(WHEEL)
    first, last = ghost_of(editor, 0, 3, monkeypatch)["push 1"].points
    assert (last - first).round(6).tolist() == [0, 1.8, 0]
    assert "push 1" not in ghost_of(editor, 0, 4, monkeypatch)


def test_what_is_above_a_rotating_block_that_looks_right_is_carried_forward(build, monkeypatch):
    editor = build()
    editor.choose(22)
    points = ghost_of(editor, 0, 3, monkeypatch)["spin 1"].points
    assert points[0][2] > points[1][2]
    assert points[1][1] > points[0][1]


def test_the_support_and_the_weight_are_drawn_and_tell_a_machine_that_tips_over(build):
    editor = build(MachineBlock(63, 1, 0, 4), MachineBlock(35, 2, 1, 0), MachineBlock(63, 3, 2, 1))
    assert {"support", "plumb line", "weight"} <= {item.name for item in editor.view.scene.items}
    editor.edit(
        "Heavy arm",
        MachineAnswer.of((ROOT, MachineBlock(63, 1, 0, 4), MachineBlock(63, 2, 1, 1), MachineBlock(35, 3, 2, 0))),
    )
    assert editor.view.scene.item("support").color == "failed"
    editor._shows_balance.put(False)
    assert "support" not in {item.name for item in editor.view.scene.items}


def test_an_array_puts_copies_on_the_faces_along_the_beam_in_one_step(build):
    editor = build(MachineBlock(63, 1, 0, 0), MachineBlock(63, 2, 1, 0), MachineBlock(15, 3, 1, 4))
    editor.view.set_selection(["block 3"])
    editor.commands.array()
    assert sorted((entry.parent, entry.face) for entry in tree_of(editor)[4:]) == [
        (0, 3),
        (1, 5),
        (1, 6),
        (2, 4),
        (2, 5),
        (2, 6),
    ]
    assert steps(editor) == 1


def test_an_array_leaves_out_faces_that_do_not_fit_and_says_so(build):
    editor = build(MachineBlock(63, 1, 0, 0), MachineBlock(15, 2, 1, 4), MachineBlock(1, 3, 1, 5))
    said = []
    editor.message.connect(said.append)
    editor.view.set_selection(["block 2"])
    editor.commands.array()
    assert "Face 5 of block 1 is left out" in said[0]
    assert len(tree_of(editor)) == 6


def test_a_machine_is_built_without_the_pointer(qtbot, build):
    editor = build()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(editor.view, key)
    assert tree_of(editor) == (ROOT, MachineBlock(WOOD, 1, 0, 0), MachineBlock(WOOD, 2, 1, 0))


def test_a_block_is_selected_moved_and_deleted_by_keys(qtbot, build):
    editor = build(MachineBlock(15, 1, 0, 3))
    qtbot.keyClick(editor.view, Qt.Key.Key_V)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(editor.view, key)
    assert tree_of(editor)[1] == MachineBlock(15, 1, 0, 0)
    qtbot.keyClick(editor.view, Qt.Key.Key_Delete)
    assert tree_of(editor) == (ROOT,)


def test_a_block_is_copied_by_keys(qtbot, build):
    editor = build(MachineBlock(15, 1, 0, 3))
    editor.view.set_selection(["block 1"])
    qtbot.keyClick(editor.view, Qt.Key.Key_C)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(editor.view, key)
    assert tree_of(editor)[2:] == (MachineBlock(15, 2, 0, 0),)


def test_a_brace_is_stretched_by_keys(qtbot, build):
    editor = build(MachineBlock(WOOD, 1, 0, 3))
    editor.choose(BRACE)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(editor.view, key)
    assert isinstance(tree_of(editor)[2], Link)


# The text ------------------------------------------------------------------------------------------------------------

UP = '[{"type": 0, "id": 0, "parent": -1, "face_id": -1},\n'


@pytest.fixture
def text_of(build):
    """Opens the text of a machine; types into it and reads at once."""

    def opened(*blocks, **options):
        editor = build(*blocks, **options)
        editor.text_pane.toggle()

        def write(text):
            editor.text.edit.setPlainText(text)
            editor.text.read_now()
            return editor.text

        return editor, write

    return opened


@pytest.mark.parametrize("code", list(ROWS))
def test_the_text_marks_a_broken_rule_of_files_at_its_line(text_of, code):
    editor, write = text_of(MachineBlock(WOOD, 1, 0, 4))
    text = write(f"{UP}{json.dumps(ROWS[code])}]")
    (mark,) = text._marks
    assert (mark.code, mark.line) == (code, 2)
    assert code in text.faults.item(0).text()
    assert len(tree_of(editor)) == 2


@pytest.mark.parametrize(
    ("code", "typed"),
    [("NOT_A_LIST", '{"type": 0}'), ("BAD_ROOT", '[{"type": 1, "id": 0, "parent": -1, "face_id": -1}]')],
)
def test_the_text_marks_a_list_that_does_not_begin_as_one(text_of, code, typed):
    _, write = text_of()
    assert [(mark.line, mark.code) for mark in write(typed)._marks] == [(1, code)]


def test_the_text_marks_the_children_of_an_illegal_block(text_of):
    _, write = text_of()
    text = write(
        UP + '{"type": 99, "id": 1, "parent": 0, "face_id": 0},\n{"type": 1, "id": 2, "parent": 1, "face_id": 0}]'
    )
    assert [(mark.line, mark.code) for mark in text._marks] == [(2, "UNKNOWN_TYPE"), (3, "PARENT_INVALID")]


@pytest.mark.parametrize(("code", "rows"), SPACE.items())
def test_the_text_builds_a_machine_and_marks_where_it_breaks_a_rule_of_space(text_of, code, rows):
    editor, write = text_of()
    text = write(listing_of((ROOT, *(MachineBlock(*row) for row in rows))))
    assert code in {mark.code for mark in text._marks}
    assert len(tree_of(editor)) == len(rows) + 1


def listing_of(tree):
    return write_listing(write_tree(tree))


def test_what_is_typed_is_built_as_one_step_that_can_be_undone(text_of):
    editor, write = text_of()
    for size in (1, 2):
        write(listing_of((ROOT, *(MachineBlock(WOOD, k, k - 1, 0) for k in range(1, size + 1)))))
    assert len(tree_of(editor)) == 3
    assert steps(editor) == 1
    editor.document.undo_stack.undo()
    assert tree_of(editor) == (ROOT,)
    assert editor.text.edit.toPlainText() == listing_of((ROOT,))


def test_the_text_follows_what_is_built_in_the_view(qtbot, text_of):
    editor, _ = text_of()
    editor.bench.apply_built(editor.bench.with_block(Add(WOOD, 0, 4)))
    assert '"face_id": 4' in editor.text.edit.toPlainText()


def test_text_that_is_no_machine_stays_until_it_is_reverted(qtbot, text_of):
    editor, write = text_of()
    text = write("[")
    editor.bench.apply_built(editor.bench.with_block(Add(WOOD, 0, 4)))
    assert text.edit.toPlainText() == "["
    assert text.state.text().startswith("Not built yet")
    qtbot.mouseClick(text.revert_button, LEFT)
    assert text.edit.toPlainText() == listing_of(tree_of(editor))


def test_a_pasted_answer_of_a_model_becomes_the_plain_list(text_of):
    editor, write = text_of()
    tree = examples()[0].tree
    text = write(f"Here it is:\n```json\n{listing_of(tree)}\n```")
    assert tree_of(editor) == tree
    assert text.edit.toPlainText() == listing_of(tree)


def paste(editor, text):
    data = QMimeData()
    data.setText(text)
    editor.text.edit.selectAll()
    editor.text.edit.insertFromMimeData(data)
    editor.text.read_now()


def test_pasted_json_is_laid_out_with_a_line_for_each_block(text_of):
    editor, _ = text_of()
    tree = (ROOT, MachineBlock(WOOD, 1, 0, 0))
    paste(editor, json.dumps(write_tree(tree), separators=(",", ":")))
    assert editor.text.edit.toPlainText() == listing_of(tree)
    assert tree_of(editor) == tree


def test_of_a_long_pasted_line_the_beginning_is_in_sight(text_of):
    editor, _ = text_of()
    editor.text.show()
    edit = editor.text.edit
    paste(editor, json.dumps(write_tree(examples()[1].tree)))
    assert edit.textCursor().position() == 0
    assert (edit.horizontalScrollBar().value(), edit.verticalScrollBar().value()) == (0, 0)


def test_pasted_json_with_a_fault_is_laid_out_so_that_the_fault_has_its_line(text_of):
    editor, _ = text_of()
    rows = [*write_tree((ROOT,)), {"type": 99, "id": 1, "parent": 0, "face_id": 0}]
    paste(editor, json.dumps(rows))
    assert [(mark.line, mark.code) for mark in editor.text._marks] == [(3, "UNKNOWN_TYPE")]


def test_what_is_pasted_that_is_no_json_stays_as_it_is(text_of):
    editor, _ = text_of()
    paste(editor, "a log, and a wheel")
    assert editor.text.edit.toPlainText() == "a log, and a wheel"


def test_pasted_global_positions_become_the_tree(text_of):
    editor, write = text_of()
    text = write(write_listing(write_positions(examples()[0].tree)))
    assert len(tree_of(editor)) == 7
    assert '"parent"' in text.edit.toPlainText()


def test_a_click_on_a_fault_goes_to_its_line_and_its_block(qtbot, text_of):
    editor, write = text_of()
    text = write(listing_of((ROOT, MachineBlock(36, 1, 0, 4), MachineBlock(36, 2, 0, 3))))
    item = text.faults.item(0)
    qtbot.mouseClick(text.faults.viewport(), LEFT, pos=text.faults.visualItemRect(item).center())
    assert text.edit.textCursor().blockNumber() + 1 == 4
    assert editor.view.selection == ("block 2",)


def test_a_long_text_is_read_in_the_background(text_of):
    editor, write = text_of()
    text = write(listing_of((ROOT, *(MachineBlock(WOOD, k, k - 1, 0) for k in range(1, 10_000)))))
    assert "Reading the text" in editor.runner.labels
    assert "at most 2,000" in text.faults.item(0).text()


def test_without_judging_the_text_marks_no_fault_of_space(text_of):
    _, write = text_of(aids=HANDS)
    assert not write(listing_of((ROOT, MachineBlock(36, 1, 0, 4), MachineBlock(36, 2, 0, 3))))._marks


# Runs and free play --------------------------------------------------------------------------------------------------


@pytest.fixture
def thrown(build):
    """The published catapult, which breaks, after the motor catapult."""
    editor = build()
    for example in (examples()[1], examples()[4]):
        editor._load(example)
        editor.playback.simulate()
    editor.timeline.pause()
    return editor


def names_at(editor, index):
    editor.timeline.go_to(index)
    return {item.name for item in editor.view.scene.items}


@pytest.mark.slow
def test_earlier_runs_are_drawn_over_the_present_one_and_can_be_hidden(thrown):
    both = {"run path", "run dots", "earlier run 1 path", "earlier run 1 dots", "earlier machine"}
    assert both <= names_at(thrown, 60)
    thrown.playback.shows_earlier.put(False)
    assert "earlier machine" not in names_at(thrown, 60)


@pytest.mark.slow
def test_the_dots_of_a_run_are_a_fifth_of_a_second_apart(thrown):
    names_at(thrown, 60)
    assert len(thrown.view.scene.item("run dots").ids) == 26


@pytest.mark.slow
def test_a_click_on_a_break_goes_to_its_moment_and_the_connection_flashes(qtbot, thrown):
    table = thrown.playback.plots.breaks
    row = thrown.playback.runs[-1].trace.breaks[0]
    assert table.item(0, 0).text().startswith(f"{row.block} ")
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualItemRect(table.item(0, 1)).center())
    assert thrown.playback.runs[-1].trace.times[thrown.timeline.index] == pytest.approx(row.time, abs=0.04)
    colors = thrown.view.scene.item("blocks").colors
    assert colors[row.block] == "warning"


def test_with_reduced_motion_nothing_flashes(build, monkeypatch):
    monkeypatch.setattr(appearance(), "reduce_motion", True)
    editor = build()
    editor._load(examples()[4])
    editor.playback.simulate()
    editor.timeline.pause()
    editor.playback.go_to(editor.playback.runs[-1].trace.breaks[0].time)
    assert "warning" not in editor.view.scene.item("blocks").colors


def test_a_brace_that_broke_is_not_drawn_any_more():
    tree = examples()[1].tree
    trace = simulated(tree, level_of_instance(THROW.instances()[0]))
    scene = played(level_of_instance(THROW.instances()[0]), tree, replace(trace, breaks=(Break(16, 0, 1.0, 1, 0, 1),)))
    assert "block 16" in {item.name for item in scene.at(30).items}
    assert "block 16" not in {item.name for item in scene.at(90).items}


@pytest.mark.slow
def test_the_legend_tells_the_loads_while_they_are_shown(thrown):
    thrown.playback.shows_loads.put(True)
    assert [entry.text for entry in thrown.playback.legend()][-1] == "Broken: more than 1"
    thrown.animation.stop()
    assert thrown.playback.legend() == []


@pytest.mark.slow
def test_keys_drive_the_machine_in_free_play_until_it_is_stopped(qtbot, build):
    editor = build(kind=CAR)
    places = []
    editor._load(examples()[0])
    editor.playback.drive()
    editor.playback.free.moved.connect(lambda moment: places.append((moment.time, moment.points[0, 1])))
    qtbot.keyPress(editor.view, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: bool(places) and places[-1][0] > 0.5, timeout=30_000)
    assert places[-1][1] - places[0][1] > 0.5
    assert editor.status().startswith("Free play, not scored")
    qtbot.keyPress(editor.view, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: places[-1][0] < 0.3, timeout=30_000)
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert not editor.playback.free.is_on
    assert editor.view.tool is editor._build
    assert steps(editor) == 1


def test_opposite_keys_cancel_and_a_change_ends_free_play(build):
    assert policy_of([Qt.Key.Key_W, Qt.Key.Key_S])["drive"] == 0
    assert policy_of([Qt.Key.Key_D], ["grab"])["steer_hinge"] == 90
    editor = build(kind=CAR)
    editor._load(examples()[0])
    editor.playback.drive()
    editor.document.undo_stack.undo()
    assert not editor.playback.free.is_on


def test_only_the_keys_of_what_the_machine_has_are_shown(build):
    editor = build(kind=CAR)
    editor._load(examples()[0])
    editor.playback.drive()
    assert "drive" in editor.playback.free.words.text()
    assert "grab" not in editor.playback.free.words.text()


@pytest.mark.parametrize(("number", "kind"), [(0, CAR), (1, THROW)])
def test_the_walk_through_builds_an_example_block_by_block(build, number, kind):
    example = examples()[number]
    editor = build(MachineBlock(WOOD, 1, 0, 4), kind=kind)
    editor.walk_through(example)
    for entry in example.tree[1:]:
        assert "next block" in {item.name for item in editor.view.scene.items}
        editor.choose(entry.type)
        first, *second = ((face.block, face.face) for face in editor.walk.targets)
        assert editor.bench.apply_built(editor.bench.with_block(Add(entry.type, *first, *second)))
    assert tree_of(editor) == example.tree
    assert editor.walk.words.text().startswith("The machine is built")
    assert editor.walk.targets == ()


def test_the_walk_through_names_both_ends_of_a_brace_and_takes_them_in_either_order(build):
    tree = examples()[1].tree
    editor = build()
    editor.walk_through(examples()[1])
    editor._edit_tree("Build", tree[:16])
    assert (
        "choose Brace at the left and click marks 1 and 2: face 6 of block 6, Wooden Block, then"
        in editor.walk.words.text()
    )
    assert {"next face 1", "next face 2", "next block"} <= {item.name for item in editor.view.scene.items}
    first, second = ((face.block, face.face) for face in editor.walk.targets)
    editor.bench.apply_built(editor.bench.with_block(Add(BRACE, *second, first)))
    assert editor.walk.words.text().startswith("Step 17 of 19")


@pytest.mark.parametrize("order", [1, -1])
def test_the_ends_of_a_brace_are_clicked_at_their_marks_though_a_block_hides_the_face(qtbot, build, order):
    tree = examples()[1].tree
    editor = build()
    editor.walk_through(examples()[1])
    editor._edit_tree("Build", tree[:19])
    editor.choose(BRACE)
    editor.view.frame(animate=False)
    editor.view.flush()
    hidden, _ = targets = editor.walk.targets
    assert (hidden.block, hidden.face) not in editor.assembly.vacant
    for face_ in targets[::order]:
        place = at(editor, editor.bench.shown(face_.position))
        qtbot.mouseMove(editor.view, place)
        qtbot.mousePress(editor.view, LEFT, pos=place)
        qtbot.mouseRelease(editor.view, LEFT, pos=place)
    assert editor.walk.words.text().startswith("The machine is built")


def test_the_walk_through_says_when_something_else_stands_there_and_can_be_skipped(qtbot, build):
    editor = build(kind=CAR)
    editor.walk_through(examples()[0])
    targets = editor.walk.targets
    (target,) = targets
    editor.bench.apply_built(editor.bench.with_block(Add(35, target.block, target.face)))
    assert "something else stands on its face" in editor.walk.words.text()
    editor.document.undo_stack.undo()
    assert editor.walk.targets == targets
    qtbot.mouseClick(editor.walk.end_button, LEFT)
    assert "next face" not in {item.name for item in editor.view.scene.items}


def test_another_machine_is_played_over_the_present_one(build):
    editor = build(MachineBlock(WOOD, 1, 0, 3))
    editor.play_over(MachineAnswer.of(examples()[1].tree))
    assert [len(run.tree) for run in editor.playback.runs] == [20, 2]
    assert "earlier machine" in names_at(editor, 40)


def test_a_machine_that_breaks_a_rule_is_not_played_over_the_present_one(build):
    editor = build()
    said = []
    editor.message.connect(said.append)
    editor.play_over(MachineAnswer.of((ROOT, MachineBlock(36, 1, 0, 4), MachineBlock(36, 2, 0, 4))))
    assert editor.playback.runs == []
    assert "cannot be simulated" in said[0]


# Parameters ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def parameters_count(show_editor):
    """Opens the editor in a level in which all parameters count."""

    def shown(*blocks):
        level = read_level_file(json.dumps(PLAIN).encode())
        instance = Instance.added(CAR.id, f"levels/{level.id}", {"world": write_level(level)})
        return show_editor(CAR, instance, MachineAnswer.of((ROOT, *blocks)))

    return shown


def test_selected_blocks_get_parameters_in_one_step_of_the_history(parameters_count):
    editor = parameters_count(MachineBlock(WHEEL, 1, 0, 2), MachineBlock(WOOD, 2, 0, 0), MachineBlock(WHEEL, 3, 0, 3))
    editor.selection.select([1, 2, 3])
    editor.commands.set_parameter("speed", 2.5)
    assert [entry.settings and entry.settings.values() for entry in tree_of(editor)] == [
        None,
        {"speed": 2.5},
        None,
        {"speed": 2.5},
    ]
    assert editor.document.undo_stack.undoText() == "Set speed of block 1, 3"
    assert editor.commands.parameter("speed") == 2.5
    editor.commands.set_parameter("speed", 2.5)
    assert steps(editor) == 1
    editor.commands.set_parameter("speed", 1.0)
    assert [entry.settings for entry in tree_of(editor)] == [None] * 4
    editor.document.undo_stack.undo()
    assert tree_of(editor)[1].settings.values() == {"speed": 2.5}


def test_building_on_both_sides_sets_parameters_on_both(parameters_count):
    editor = parameters_count(MachineBlock(22, 1, 0, 2), MachineBlock(22, 2, 0, 3))
    editor.bench.is_symmetric = True
    editor.view.set_selection(["block 1"])
    editor.commands.set_parameter("speed", 2.5)
    editor.commands.set_parameter("reversed", True)
    assert [entry.settings.values() for entry in tree_of(editor)[1:]] == [
        {"speed": 2.5, "reversed": True},
        {"speed": 2.5},
    ]


def test_a_copy_has_the_parameters_of_its_block(parameters_count):
    faster = BlockSettings.of({"speed": 2.0})
    editor = parameters_count(MachineBlock(63, 1, 0, 0), MachineBlock(WHEEL, 2, 1, 2, faster))
    editor.selection.select([2])
    editor.commands.array()
    assert [entry.settings for entry in tree_of(editor) if entry.type == WHEEL] in ([faster] * 2, [faster] * 3)


def is_usable(editor, name):
    return editor.panel.widgets[name].isEnabled()


def test_the_panel_sets_the_parameters_of_what_is_selected(parameters_count):
    editor = parameters_count(MachineBlock(WHEEL, 1, 0, 2), MachineBlock(WOOD, 2, 0, 0))
    editor.selection.select([2])
    editor.panel.refresh()
    assert not is_usable(editor, "Speed")
    editor.selection.select([1])
    editor.panel.refresh()
    assert is_usable(editor, "Speed")
    assert not is_usable(editor, "Strength")


def test_parameters_that_do_not_count_in_a_level_are_not_shown(build):
    editor = build(MachineBlock(WHEEL, 1, 0, 2), kind=CAR)
    shown = {name for name in ("Speed", "Own key") if editor.panel.widgets[name].isVisibleTo(editor.tools)}
    assert shown == {"Own key"}


def test_in_a_published_level_only_keys_can_be_set(build):
    editor = build(MachineBlock(WHEEL, 1, 0, 2), kind=CAR)
    editor.selection.select([1])
    editor.commands.set_parameter("speed", 2.0)
    assert tree_of(editor)[1].settings is None
    editor.commands.set_parameter("key", "K")
    editor.commands.set_parameter("key_back", "J")
    assert tree_of(editor)[1].settings.values() == {"key": "K", "key_back": "J"}
    labels = [item for item in editor.make_scene().items if item.name == "key 1"]
    assert [label.text for label in labels] == ["K / J"]
    words = editor.describe(Pick("block 1", "blocks", (0.0, 0.0, 0.0)))
    assert words[1].endswith("key K · key back J")


@pytest.mark.slow
def test_a_block_with_its_own_key_obeys_no_other(qtbot, build):
    keys = BlockSettings.of({"key": "K", "key_back": "J"})
    tree = tuple(replace(entry, settings=keys) if entry.type == WHEEL else entry for entry in examples()[0].tree)
    assert own_keys_of(tree)[3] == {Qt.Key.Key_K: 1.0, Qt.Key.Key_J: -1.0}
    editor = build(*tree[1:], kind=CAR)
    places = []
    editor.playback.drive()
    editor.playback.free.moved.connect(lambda moment: places.append((moment.time, moment.points[0, 1])))
    assert "K" in editor.playback.free.words.text()
    qtbot.keyPress(editor.view, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: bool(places) and places[-1][0] > 0.3, timeout=30_000)
    assert abs(places[-1][1] - places[0][1]) < 0.05
    begin = places[-1]
    qtbot.keyPress(editor.view, Qt.Key.Key_J)
    qtbot.waitUntil(lambda: places[-1][0] > begin[0] + 0.5, timeout=30_000)
    assert places[-1][1] - begin[1] < -0.3
