"""The editor of delaunay, driven by mouse and keyboard."""

import pytest
import shapely
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.core import Aid, Openness
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.widgets.editing.editor import ALL_AIDS
from tests.editors.driving import HANDS, at
from tests.widgets.test_viewport3d import LEFT, _move, drag

NO_KEY = Qt.KeyboardModifier.NoModifier

TASK = task_of("delaunay")


@pytest.fixture
def open_editor(show_editor):
    return lambda number=0, aids=ALL_AIDS: show_editor(TASK, TASK.instances()[number], aids=aids)


@pytest.fixture
def editor(open_editor):
    return open_editor()


@pytest.fixture
def solved(editor):
    editor.document.edit("Solve", TASK.solve(editor.instance))
    return editor


def point(editor, i):
    return at(editor, editor.work.xy[i])


def middle(editor, *corners):
    return at(editor, editor.work.xy[list(corners)].mean(axis=0))


def click(qtbot, editor, pos):
    qtbot.mouseClick(editor.view, LEFT, pos=pos)


def test_three_clicked_points_make_a_triangle(editor, qtbot):
    for i in (5, 0, 1):
        click(qtbot, editor, point(editor, i))
    assert editor.work.triangles == ((0, 1, 5),)
    assert editor.document.undo_stack.count() == 1


def test_edges_that_are_drawn_close_to_triangles_by_themselves(editor, qtbot):
    for i, j in ((0, 1), (1, 5)):
        drag(qtbot, editor.view, LEFT, point(editor, i), point(editor, j))
    assert editor.work.triangles == ()
    assert editor.work.loose == {(0, 1), (1, 5)}
    drag(qtbot, editor.view, LEFT, point(editor, 5), point(editor, 0))
    assert editor.work.triangles == ((0, 1, 5),)
    assert editor.work.loose == set()


def test_a_click_at_an_empty_place_adds_the_triangle_that_is_proposed(editor, qtbot):
    click(qtbot, editor, middle(editor, 0, 1, 5))
    assert editor.work.triangles == ()
    editor.panel.widgets["Propose triangles"].setChecked(True)
    click(qtbot, editor, middle(editor, 0, 1, 5))
    assert editor.work.triangles == ((0, 1, 5),)


def test_a_click_on_an_inner_edge_flips_it_and_undo_flips_it_back(solved, qtbot):
    before = solved.work.triangles
    click(qtbot, solved, middle(solved, 2, 3))
    assert (4, 5) in {tuple(sorted(set(t) & {4, 5})) for t in solved.work.triangles}
    solved.document.undo_stack.undo()
    assert solved.work.triangles == before


def test_an_overlapping_triangle_is_refused_with_the_reason(solved, qtbot):
    with qtbot.waitSignal(solved.message) as blocker:
        solved.commands.add_triangles([(0, 1, 2)])
    assert "overlaps" in blocker.args[0]


def test_the_selected_triangle_is_removed_by_key(solved, qtbot):
    solved.view.set_selection(["triangle 2"])
    qtbot.keyClick(solved.view, Qt.Key.Key_Delete)
    assert len(solved.work.triangles) == 4


def test_escape_forgets_what_is_begun(editor, qtbot):
    click(qtbot, editor, point(editor, 0))
    drag(qtbot, editor.view, LEFT, point(editor, 0), point(editor, 1))
    qtbot.keyClick(editor.view, Qt.Key.Key_Escape)
    assert (editor.work.picked, editor.work.loose) == ((), set())


def test_failing_edges_are_marked_and_flipped_all_at_once(solved, qtbot):
    solved.commands.flip((2, 3))
    solved.panel.widgets["Test edges as I go"].setChecked(True)
    assert any(item.name.startswith("test circle") for item in solved.view.scene.items)
    qtbot.keyClick(solved.view, "l")
    assert set(solved.work.triangles) == set(TASK.solve(solved.instance).triangles)


def test_circumcircles_follow_the_pointer_with_the_points_inside_ringed(solved):
    solved.document.open_to(Openness.WRONG)
    solved.commands.flip((2, 3))
    wrong = next(k for k, triangle in enumerate(solved.work.triangles) if 4 in triangle and 5 in triangle)
    solved.ghost.show_circles([wrong])
    names = [item.name for item in solved.view.ghost]
    assert names == [f"circle of {wrong}", "inside"]
    solved.ghost.show_circles([0, 1], (0, 5))
    assert [item.name for item in solved.view.ghost][-1] == "edge 0-5"


def test_pointing_at_a_triangle_shows_its_circle(solved, qtbot):
    qtbot.mouseMove(solved.view, middle(solved, 0, 3, 5))
    qtbot.waitUntil(lambda: [item.name for item in solved.view.ghost] == ["circle of 1"])


def test_where_the_published_key_is_wrong_it_can_be_shown(open_editor):
    editor = open_editor(16)
    editor.panel.widgets["Show the published key"].setChecked(True)
    assert [item.name for item in editor.view.scene.items if item.name.startswith("published")] == ["published 3-15-27"]


def test_the_status_says_how_much_of_the_hull_is_covered(solved):
    assert solved.status() == "5 of 5 triangles · 100 % of the hull"


def test_gaps_of_the_hull_are_hatched_once_there_is_a_triangle(editor, solved):
    def gap_area():
        gaps = [item for item in solved.view.scene.items if item.name.startswith("gap ")]
        assert all(gap.pattern == "hatch" for gap in gaps)
        return sum(shapely.Polygon(gap.points).area for gap in gaps)

    solved.document.undo_stack.undo()
    assert gap_area() == 0
    solved.document.undo_stack.redo()
    assert gap_area() == 0
    first = solved.work.triangles[0]
    solved.view.set_selection(["triangle 0"])
    solved.commands.remove()
    assert gap_area() == pytest.approx(shapely.Polygon(solved.work.xy[list(first)]).area)


def test_a_refusal_is_said_at_the_pointer(solved, qtbot):
    corners = solved.work.triangles[0]
    for i in corners:
        click(qtbot, solved, point(solved, i))
    assert solved.view.ghost_reason == "This triangle is there already"


def test_the_third_point_shows_its_triangle_and_why_it_cannot_be(solved, qtbot):
    a, b, c = solved.work.triangles[0]
    for i in (a, b):
        click(qtbot, solved, point(solved, i))
    QApplication.sendEvent(solved.view, _move(solved.view, point(solved, c), Qt.MouseButton.NoButton, NO_KEY))
    assert solved.view.ghost_reason == "This triangle is there already"


def test_no_correct_triangle_is_red_while_gaps_are_left(solved):
    solved.view.set_selection(["triangle 0"])
    solved.commands.remove()
    verdict = TASK.verify(solved.instance, solved.document.answer)
    solved.document.set_verdict(verdict, solved.document.revision)
    assert not [name for name in solved.view.style_.roles if name.startswith("triangle ")]


@pytest.fixture
def hands(open_editor):
    return open_editor(aids=HANDS)


def test_where_rules_are_not_applied_an_overlapping_triangle_is_added(hands):
    hands.document.edit("Solve", TASK.solve(hands.instance))
    assert hands.commands.add_triangles([(0, 1, 2)])
    assert not hands.commands.add_triangles([(0, 1, 2)])


def test_an_empty_place_means_no_triangle_without_solving_aids(hands, qtbot):
    click(qtbot, hands, middle(hands, 0, 1, 5))
    assert (hands.work.triangles, hands.view.ghost) == ((), ())


def test_circles_are_measured_and_points_in_them_are_judged(open_editor):
    ghosts = {}
    for aid in (Aid.MEASURING, Aid.JUDGING):
        editor = open_editor(aids=HANDS | {aid})
        editor.document.edit("Solve", TASK.solve(editor.instance))
        editor.document.open_to(Openness.WRONG)
        editor.commands.flip((2, 3))
        editor.ghost.show_circles(list(range(len(editor.work.triangles))))
        ghosts[aid] = {item.name.split()[0] for item in editor.view.ghost}
    assert ghosts == {Aid.MEASURING: {"circle"}, Aid.JUDGING: {"inside"}}


def test_how_much_is_covered_is_told_only_to_those_who_may_measure(hands):
    assert hands.status() == "0 triangles"


def test_a_press_that_slips_off_an_edge_flips_nothing(solved, qtbot):
    before = solved.work.triangles
    drag(qtbot, solved.view, LEFT, middle(solved, 2, 3), middle(solved, 0, 1, 5))
    assert solved.work.triangles == before
