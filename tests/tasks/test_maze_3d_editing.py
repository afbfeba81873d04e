"""What the editor of the 3D maze does to mazes."""

import itertools

import numpy as np
import pytest

from spatial_workbench.engine.tasks.maze_3d.editing import (
    MazeSlope,
    RoutePen,
    fill,
    line,
    mend,
    path_only,
    region,
    with_height,
    with_marker,
    with_steps,
)
from spatial_workbench.engine.tasks.maze_3d.graph import study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Maze, Rules

RULES = Rules(size=5, start_height=5, end_height=0, jumps=2, coverage=0.2, cap=0.3)
HUMAN = "A5054\n78882\n23404\n09759\n2210B"
OPEN = "A....\n.....\n.....\n.....\n....B"


def maze(text=OPEN):
    return Maze.read(text, RULES)


def pen(*cells, slope=MazeSlope.LEVEL, jumps=False, text=OPEN):
    drawn = RoutePen(maze(text), (0, 0), RULES)
    return drawn, [drawn.enter(cell, slope, jumps) for cell in cells]


def test_text_and_maze_go_back_and_forth():
    assert maze(HUMAN).text == HUMAN
    assert maze().text == OPEN


def test_what_is_no_height_is_blank():
    assert maze("A5?54\n78\n\n\n").text == "A5.54\n78...\n.....\n.....\n....."


def test_a_and_b_keep_their_heights():
    changed = with_steps(with_height(maze(), [(0, 0), (0, 1), (4, 4)], 7), [(0, 0), (0, 1)], 9)
    assert changed.text == OPEN.replace("A.", "A9")
    assert (changed.heights[0, 0], changed.heights[4, 4]) == (5, 0)


def test_a_marker_leaves_its_height_behind():
    assert with_marker(maze(), "A", (0, 2), RULES).text.startswith("5.A..")
    assert with_marker(maze(), "A", (4, 4), RULES) is None


def test_a_region_is_what_hangs_together_at_one_height():
    assert region(maze(HUMAN), (1, 1)) == {(1, 1), (1, 2), (1, 3)}
    assert len(region(maze(), (0, 1))) == 23


def test_a_line_goes_from_neighbour_to_neighbour():
    cells = [(0, 0), *line((0, 0), (2, 3))]
    assert cells[-1] == (2, 3)
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in itertools.pairwise(cells))


@pytest.mark.parametrize(
    ("slope", "row"), [(MazeSlope.LEVEL, "A555."), (MazeSlope.CLIMB, "A678."), (MazeSlope.DESCEND, "A432.")]
)
def test_heights_follow_the_pen(slope, row):
    drawn, whys = pen((0, 1), (0, 2), (0, 3), slope=slope)
    assert drawn.maze.text.splitlines()[0] == row
    assert whys == ["", "", ""]


def test_a_jump_leaves_a_gap_and_lands_at_the_same_height():
    drawn, whys = pen((0, 1), (0, 2), jumps=True)
    heights = drawn.maze.heights[0]
    assert heights[2] == 5
    assert 0 <= heights[1] <= 3
    assert whys == ["", ""]
    assert study(drawn.maze).reached[-1] == (0, 2)


def test_a_jump_goes_straight_on():
    drawn, whys = pen((0, 1), (1, 1), jumps=True)
    assert whys == ["", "a jump goes straight on"]
    assert drawn.route == ((0, 0),)


def test_a_jump_needs_height_2():
    drawn = RoutePen(with_height(maze(), [(2, 2)], 1), (2, 2), RULES)
    assert "height 2 or more" in drawn.enter((2, 3), jumps=True)


def test_the_pen_goes_back_over_cells_and_jumps():
    drawn, _ = pen((0, 1), (0, 2), jumps=True)
    drawn.enter((0, 3))
    drawn.enter((0, 2))
    assert drawn.route == ((0, 0), (0, 2))
    drawn.enter((0, 1))
    assert drawn.maze.text == OPEN


def test_the_pen_does_not_cross_its_route():
    _, whys = pen((0, 1), (0, 2), (1, 2), (1, 1), (0, 1))
    assert whys[-1] == "the route was here already"


def test_b_is_reached_only_by_a_step_of_one():
    text = OPEN.replace("....B", "...2B")
    drawn = RoutePen(maze(text), (4, 3), RULES)
    assert drawn.enter((4, 4)) == "height 0 cannot be reached from 2"


def test_an_automatic_route_comes_down_to_b_and_makes_no_shortcut():
    way = [(0, c) for c in range(1, 5)] + [(r, 4) for r in range(1, 5)]
    drawn, whys = pen(*way, slope=MazeSlope.AUTO)
    assert not any(whys)
    assert study(drawn.maze).is_unique
    assert len(study(drawn.maze).path) == 9


def test_the_rest_is_filled_around_the_path():
    path_maze = path_only(maze(HUMAN))
    assert (path_maze.heights == BLANK).sum() == 8
    filled = Maze.read(fill(vars(RULES), path_maze.text, 3), RULES)
    assert study(filled).is_unique
    assert study(filled).path == study(maze(HUMAN)).path
    assert fill(vars(RULES), path_maze.text, 3) == filled.text


def test_mending_changes_one_cell_and_leaves_one_path():
    broken = with_height(maze(HUMAN), [(3, 1)], 2)
    assert not study(broken).is_unique
    text, cell = mend(vars(RULES), broken.text)
    assert study(Maze.read(text, RULES)).is_unique
    assert np.argwhere(Maze.read(text, RULES).heights != broken.heights).tolist() == [list(cell)]


def test_nothing_is_mended_where_one_cell_is_not_enough():
    assert mend(vars(RULES), "A5555\n55555\n55555\n43255\n9210B") is None


def test_a_pen_that_keeps_no_rules_goes_where_it_is_led():
    drawn = RoutePen(with_height(maze(), [(2, 2)], 1), (2, 2), RULES, keeps_rules=False)
    answers = [drawn.enter((2, 3), jumps=True), drawn.enter((3, 3)), drawn.enter((3, 2)), drawn.enter((2, 2))]
    assert answers == [""] * 4
    assert drawn.route == ((2, 2), (3, 3), (3, 2), (2, 2))
