"""3D maze: movement, one path, limits, and what is refused."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import AnswerError, InstanceError
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.tasks.maze_3d import MazeText
from spatial_workbench.engine.tasks.maze_3d.crosscheck import count_paths, links_of
from spatial_workbench.engine.tasks.maze_3d.generator import allowed_heights, fill_rest, make_maze
from spatial_workbench.engine.tasks.maze_3d.graph import edges_of, study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Maze, Rules
from spatial_workbench.engine.tasks.maze_3d.prompt import EXAMPLE
from spatial_workbench.engine.tasks.maze_3d.rules import judge

TASK = task_of("maze_3d")
INSTANCES = TASK.instances()
SOLUTIONS = [TASK.solve(instance).maze for instance in INSTANCES]
HUMAN = "A5054\n78882\n23404\n09759\n2210B"
ALIKE = "A5550\n2B201\n30150\n45551\n01010"
AMBIGUOUS = "A5555\n55555\n55555\n43255\n9210B"
CHECKS = [
    "text",
    "one A and one B",
    "rows",
    "columns",
    "characters",
    "heights",
    "path",
    "only one path",
    "coverage",
    "jumps",
]


def judged(text, number=0, verifier="default"):
    return TASK.verify(INSTANCES[number], text, verifier)


def failed(text, number=0):
    return [check.name for check in judged(text, number).checks if check.state == "failed"]


def messages(text):
    return [problem.message for check in judged(text).checks for problem in check.problems]


def rules(size, **others):
    return Rules(**{"size": size, "start_height": 5, "end_height": 5, "jumps": 0, "coverage": 0.0, "cap": 1.0} | others)


def routes(text, start=5, end=5):
    size = len(text.split())
    return study(Maze.read(text, rules(size, start_height=start, end_height=end)))


# Instances -----------------------------------------------------------------------------------------------------------


def test_the_published_instances():
    rows = [tuple(i.parameters[n] for n in ("size", "start_height", "end_height", "jumps")) for i in INSTANCES]
    assert rows == [(5, 5, 0, 2), (10, 0, 9, 4), (15, 5, 5, 6), (20, 5, 5, 8), (25, 5, 5, 10), (30, 5, 0, 12)]


@pytest.mark.parametrize(
    ("number", "least", "most"), [(0, 5, 7), (1, 20, 30), (2, 45, 67), (3, 80, 120), (4, 125, 187), (5, 180, 270)]
)
def test_the_limits_in_cells(number, least, most):
    limits = Rules.of(INSTANCES[number].parameters)
    assert (limits.least_visited, limits.most_alike) == (least, most)


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_the_reference_scores_1_by_every_verifier(instance):
    answer = TASK.solve(instance)
    assert answer == TASK.solve(instance)
    assert TASK.verify(instance, answer).score == 1
    assert TASK.verify(instance, answer, "published").score == 1
    assert TASK.crosscheck(instance, answer).score == 1


def test_the_published_human_answer_visits_13_cells_with_4_jumps():
    verdict = judged(HUMAN)
    assert verdict.passed
    assert [check.name for check in verdict.checks] == CHECKS
    assert verdict.figure("cells on the path") == 13
    assert verdict.figure("coverage") == 52
    assert verdict.figure("jumps") == 4
    assert verdict.figure("most frequent height").endswith("on 5 cells (20.0%)")


@pytest.mark.parametrize(
    ("number", "text", "cells", "jumps"),
    [
        (0, "6543B 49021 61887 33749 6A215", 10, 2),
        (
            1,
            "A001011121 6288893950 4432121101 0795788868 4333414515"
            " 9976672835 6554342454 2309022637 667677788B 8099292657",
            49,
            5,
        ),
    ],
)
def test_two_more_mazes_that_pass(number, text, cells, jumps):
    verdict = judged(text.replace(" ", "\n"), number)
    assert verdict.passed
    assert (verdict.figure("cells on the path"), verdict.figure("jumps")) == (cells, jumps)


def test_two_heights_on_8_of_25_cells_break_the_30_percent_rule_and_nothing_else():
    assert failed(ALIKE) == ["heights"]
    assert "Height 0 is on 8 cells: 32.0%, at most 30% are allowed" in messages(ALIKE)
    assert "Height 5 is on 8 cells: 32.0%, at most 30% are allowed" in messages(ALIKE)


def test_the_example_in_the_prompt_follows_its_own_rules():
    rows, _, result = judge(Rules(4, 3, 2, 1, 0.2, 0.3), EXAMPLE)
    assert all(row.state == "passed" for row in rows)
    assert len(result.path) == 10
    assert EXAMPLE in TASK.prompt(INSTANCES[0]).text


# Movement ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("middle", "jumps"), [(0, True), (3, True), (4, False), (5, False), (9, False)])
def test_a_jump_needs_a_drop_of_two_or_more_between_equal_heights(middle, jumps):
    heights = np.array([[5, middle, 5]])
    assert (len(edges_of(heights)[1]) == 1) == jumps


def test_one_does_not_jump_to_another_height_or_over_a_blank_cell():
    assert len(edges_of(np.array([[5, 0, 6]]))[1]) == 0
    assert len(edges_of(np.array([[5, BLANK, 5]]))[1]) == 0


@pytest.mark.parametrize(("height", "walks"), [(3, False), (4, True), (5, True), (6, True), (7, False)])
def test_one_walks_up_or_down_by_at_most_one(height, walks):
    assert (len(edges_of(np.array([[5], [height]]))[0]) == 1) == walks


def test_nobody_walks_onto_a_blank_cell_beside_height_0():
    assert len(edges_of(np.array([[0, BLANK]]))[0]) == 0


def test_the_cell_that_is_jumped_over_is_not_on_the_path():
    assert routes("A0B\n999\n999").path == ((0, 0), (0, 2))


# One path only -------------------------------------------------------------------------------------------------------


def test_a_second_path_is_shown_with_where_it_leaves_and_returns():
    result = routes("A5B\n669\n999")
    assert result.loose == (0,)
    assert result.detour.leaves == (0, 0)
    assert result.detour.through == ((1, 0), (1, 1))
    assert result.detour.returns == (0, 1)


def test_a_jump_that_closes_a_cycle_makes_the_path_ambiguous():
    assert routes("A5.\n49.\nB5.").is_unique
    assert routes("A5.\n40.\nB5.").loose == (0, 1)


def test_cycles_beside_the_path_are_allowed():
    result = routes("A599\n9599\nB566\n9966")
    assert result.path == ((0, 0), (0, 1), (1, 1), (2, 1), (2, 0))
    assert result.is_unique


@given(st.lists(st.integers(0, 5), min_size=14, max_size=14), st.integers(0, 5), st.integers(0, 5))
@settings(max_examples=200, deadline=None)
def test_three_methods_agree_on_whether_there_is_one_path(levels, start, end):
    text = "A" + "".join(map(str, levels)) + "B"
    text = "\n".join(text[k : k + 4] for k in range(0, 16, 4))
    result = routes(text, start, end)
    count = count_paths(*links_of(text, rules(4, start_height=start, end_height=end)))
    assert count == (0 if not result.path else 1 if result.is_unique else 2)


@given(st.lists(st.integers(0, 5), min_size=23, max_size=23))
@settings(max_examples=100, deadline=None)
def test_verifier_and_cross_check_agree_on_any_grid(levels):
    text = "A" + "".join(map(str, levels)) + "B"
    text = "\n".join(text[k : k + 5] for k in range(0, 25, 5))
    assert judged(text).passed == TASK.crosscheck(INSTANCES[0], text).passed


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(0, 10**6), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_verifier_and_cross_check_agree_when_a_cell_of_a_good_maze_changes(number, place, height):
    instance = INSTANCES[number]
    text = SOLUTIONS[number]
    k = place % len(text)
    if text[k].isdigit():
        text = text[:k] + str(height) + text[k + 1 :]
    assert TASK.verify(instance, text).passed == TASK.crosscheck(instance, text).passed


def test_the_second_path_of_a_verdict_avoids_a_step_of_the_first():
    details = judged(AMBIGUOUS).details
    steps = {frozenset(map(tuple, step)) for step in pairwise(details["path"])}
    others = {frozenset(map(tuple, step)) for step in pairwise(details["second_path"])}
    assert others - steps
    assert details["second_path"][0] == details["path"][0]
    assert details["second_path"][-1] == details["path"][-1]


# Limits --------------------------------------------------------------------------------------------------------------


def test_too_few_jumps_and_cells_are_counted():
    text = "A4321\n9999B\n38383\n84848\n37372"
    assert failed(text) == ["jumps"]
    assert "The path has 0 jumps, at least 2 are needed" in messages(text)


def test_a_path_that_is_too_short_is_counted():
    rows, _, result = judge(rules(5, coverage=0.2, cap=0.3), "A0909\nB9090\n88800\n77711\n66622")
    assert len(result.path) == 2
    assert [row.name for row in rows if row.state == "failed"] == ["coverage"]


def test_exactly_20_percent_are_enough():
    rows, _, result = judge(rules(5, end_height=2, coverage=0.2, cap=0.3), "A432B\n99997\n38383\n84848\n37371")
    assert len(result.path) == 5
    assert all(row.state == "passed" for row in rows)


def test_no_path_tells_what_can_be_reached():
    verdict = judged("A9876\n9B012\n34567\n01234\n89012")
    assert "No path from A to B: from A only A itself can be reached" in messages("A9876\n9B012\n34567\n01234\n89012")
    assert [check.name for check in verdict.checks if check.state == "not reached"] == CHECKS[7:]


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [None, 5, [], {}, {"maze": 5}, {"maze": None}, "", "  \n ", {"maze": ""}])
def test_no_text_is_refused(raw):
    with pytest.raises(AnswerError, match="No maze text"):
        TASK.parse(raw)


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(AnswerError, match="longer than 400000 characters"):
        TASK.parse("5" * 400_001)


@pytest.mark.parametrize("text", [HUMAN.replace("\n", "\r\n"), f"\n\n{HUMAN}\n\n", f"\r\n{HUMAN}\r\n"])
def test_windows_line_ends_and_blank_lines_around_are_accepted(text):
    assert judged(text).passed
    assert TASK.crosscheck(INSTANCES[0], text).passed


def test_the_published_verifier_fails_on_carriage_returns():
    assert not judged(HUMAN.replace("\n", "\r\n"), verifier="published").passed


@pytest.mark.parametrize(
    ("text", "check", "message"),
    [
        (f"```\n{HUMAN[6:]}\n```", "rows", "Lines: 4, rows that are needed: 5"),
        (f"Here it is:\n\n{HUMAN[6:]}", "rows", "Extra text found (line 1)"),
        (HUMAN.replace("A5054", "A 5 0 5 4"), "characters", "Invalid character ' ' at row 0, column 1"),
        (HUMAN.lower(), "characters", "Invalid character 'a' at row 0, column 0: use capital A and B"),
        (HUMAN.lower(), "one A and one B", "A stands 0 times, not once: use capital A"),
        (HUMAN.replace("A5054", "A505²"), "characters", "Invalid character '²' at row 0, column 4"),
        (HUMAN.replace("A5054", "A505٤"), "characters", "Invalid character '٤' at row 0, column 4"),
        (HUMAN.replace("5054", ".054"), "characters", "Invalid character '.' at row 0, column 1: the cell is empty"),
        (HUMAN.replace("5054", "505"), "columns", "Row 0 has 4 characters, 5 are needed"),
        (HUMAN.replace("5054", "50544"), "columns", "Row 0 has 6 characters, 5 are needed"),
        (HUMAN + "\n11111", "rows", "Lines: 6, rows that are needed: 5"),
        (HUMAN.replace("2210B", "2B10B"), "one A and one B", "B stands 2 times, not once"),
        (HUMAN.replace("\n", ""), "rows", "Lines: 1, rows that are needed: 5"),
    ],
)
def test_bad_text_is_named_with_its_place(text, check, message):
    assert check in failed(text)
    assert message in messages(text)
    assert not TASK.crosscheck(INSTANCES[0], text).passed


def test_digits_of_other_scripts_pass_the_published_verifier_but_superscripts_do_not():
    assert judged(HUMAN.replace("A5054", "A505٤"), verifier="published").passed
    assert not judged(HUMAN.replace("A5054", "A505²"), verifier="published").passed


def test_a_lone_carriage_return_is_an_invalid_character():
    assert "characters" in failed(HUMAN.replace("A5054", "A5\r54"))


def test_text_goes_through_format_and_parse_unchanged():
    text = HUMAN.replace("\n", "\r\n") + "\r\n"
    assert TASK.format(TASK.parse(text)) == text
    assert TASK.parse({"maze": HUMAN}) == MazeText(maze=HUMAN)


# Generator, prompt, scene --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "difficulty", [{}, {"size": 5}, {"size": 8, "jumps_per_size": 0.5}, {"size": 40}, {"cap": 0.2}]
)
def test_generated_instances_come_with_a_maze_that_passes(difficulty):
    instance = TASK.generate(7, **difficulty)
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert instance == TASK.generate(7, **difficulty)
    assert TASK.prompt(instance) == TASK.prompt(TASK.generate(7, **difficulty))


@pytest.mark.parametrize("seed", range(5))
def test_the_generator_makes_many_mazes_that_pass_the_cross_check(seed):
    instance = TASK.generate(seed, size=10)
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


def test_impossible_wishes_are_refused_with_the_reason():
    with pytest.raises(InstanceError, match="ask for fewer jumps"):
        make_maze(rules(5, start_height=0, end_height=9, jumps=12, cap=0.3), np.random.default_rng(0))


def test_the_rest_is_filled_without_touching_what_is_there_or_opening_a_way():
    maze = Maze.read("A4321\n....0\n....1\n....2\n...B3", rules(5, end_height=4))
    filled = fill_rest(maze, np.random.default_rng(2))
    assert (filled.heights[maze.heights >= 0] == maze.heights[maze.heights >= 0]).all()
    assert study(filled).path == study(maze).path
    assert study(filled).is_unique


def test_a_cell_between_two_equal_path_cells_may_not_be_a_gap():
    grid = [[9, 9, 9], [5, BLANK, 5], [9, 9, 9]]
    is_fixed = [[False] * 3, [True, False, True], [False] * 3]
    assert allowed_heights(grid, is_fixed, (1, 1)) == [7, 8, 9]


def test_the_prompt_holds_the_rules():
    text = TASK.prompt(INSTANCES[5]).text
    for words in ("30 x 30", "start A has height 5", "goal B has height 0", "at least 12 jumps", "20%", "30%", "180"):
        assert words in text
    assert "lower by 2 or more" in text
    assert "nothing else" in text


def test_the_scene_shows_columns_path_and_second_path():
    instance = INSTANCES[0]
    scene = TASK.scene(instance, TASK.solve(instance))
    assert {"cell 0,0", "cell 4,4", "path", "A", "B"} <= set(scene.ids())
    assert {"second path", "loose 0"} <= set(TASK.scene(instance, MazeText(maze=AMBIGUOUS)).ids())


def test_every_element_that_a_check_names_is_in_the_scene():
    for text in (ALIKE, AMBIGUOUS, "A9876\n9B012\n34567\n01234\n89012"):
        verdict = judged(text)
        assert set(verdict.failed_elements) <= set(TASK.scene(INSTANCES[0], TASK.parse(text)).ids())


def test_the_verdict_lists_path_jumps_and_bridges():
    details = judged(HUMAN).details
    assert (len(details["path"]), len(details["jumps"]), len(details["bridges"])) == (13, 4, 12)
    assert details["second_path"] == []
    assert re.fullmatch(r"(\d: \d+(, )?)+", judged(HUMAN).figure("cells of each height"))


# Reading -------------------------------------------------------------------------------------------------------------

FENCED = f"```\n{HUMAN}\n```"


@pytest.mark.parametrize(
    ("text", "how", "mending"),
    [
        (HUMAN, "as it is", ""),
        (f"\r\n{HUMAN}\n\n".replace("\n", "\r\n"), "as it is", ""),
        (FENCED, "mended", "code block"),
        (f"Here is my maze:\n\n{FENCED}\nIt has 4 jumps.", "mended", "code block"),
        (f"Final answer: {HUMAN}", "mended", "after a marker"),
        (f"I think so.\n**Final answer:**\n{HUMAN}\nDone.", "mended", "after a marker"),
        (f"My maze is this.\n\n{HUMAN}\n\nIt has 4 jumps.", "mended", "out of text"),
        (f"<think>{AMBIGUOUS}</think>\n{HUMAN}", "mended", "after thinking, blanks around lines"),
        (f"```\n{EXAMPLE}\n```\nis the example, so\n{FENCED}", "mended", "code block"),
        ('{"maze": "' + HUMAN.replace("\n", "\\n") + '"}', "mended", "taken out of “maze”, blanks around lines"),
        (f"```\n{ALIKE}\n```\nNo, better:\n{FENCED}", "several candidates", "code block"),
        (HUMAN.replace("\n", "  \n  "), "mended", "blanks around lines"),
    ],
)
def test_a_maze_is_found_wherever_it_stands(text, how, mending):
    verdict = judged(text)
    assert (verdict.score, verdict.how_read, verdict.mending) == (1, how, mending)
    assert TASK.crosscheck(INSTANCES[0], text).score == 1


def test_of_several_mazes_the_last_counts_and_the_verdict_says_so():
    verdict = judged(f"```\n{HUMAN}\n```\nNo, better:\n```\n{ALIKE}\n```")
    assert verdict.score == 0
    assert "The text holds 2 different answers; the last one was read" in verdict.warnings


@pytest.mark.parametrize("text", [FENCED, f"Final answer: {HUMAN}", f"<think>hm</think>{HUMAN}"])
def test_the_published_verifier_takes_the_text_as_the_grid(text):
    assert judged(text, verifier="published").score == 0


@pytest.mark.parametrize(
    ("text", "how"), [("I give up.", "no answer"), ("A5054\n78882\n234", "unreadable"), ("  ", "no answer")]
)
def test_a_text_without_a_maze_is_told_apart(text, how):
    assert judged(text).how_read == how


def test_a_maze_is_found_after_long_prose():
    assert judged("so I think about it\n" * 5000 + FENCED).score == 1
