"""Hamiltonian loop: the rules of docs/tasks/hamiltonian_loop.md."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import InstanceError, State
from spatial_workbench.engine.core.registry import task
from spatial_workbench.engine.tasks.hamiltonian_loop import loop_answer
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import (
    dead_ends_of,
    extended,
    filled,
    flipped,
    forced,
    serpentine,
    started_at,
    tally_of,
    toggled,
    way_to,
)
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import LoopGrid, is_dark, link, no_loop_reason
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import links_of, pieces_of, steps_of
from spatial_workbench.engine.tasks.hamiltonian_loop.solver import find_loop, loop_links
from tests.sweeps import some

TASK = task("hamiltonian_loop")
FREE_CELLS = [16, 14, 64, 144, 256, 254, 250, 248, 244, 228]
SMALL = TASK.instances()[0]
HOLED = TASK.instances()[1]
LOOP = [(1, 1), (2, 1), (3, 1), (4, 1), (4, 2), (3, 2), (2, 2), (2, 3), (3, 3), (4, 3), (4, 4), (3, 4), (2, 4), (1, 4),
        (1, 3), (1, 2)]  # fmt: skip


def judged(cells, instance=SMALL, verifier="default"):
    return TASK.verify(instance, {"steps": [{"xy": list(cell)} for cell in cells]}, verifier)


def failures(verdict):
    return {check.name: check.message for check in verdict.checks if check.state is State.FAILED}


# Published instances -------------------------------------------------------------------------------------------------


def test_the_ten_grids_have_their_free_cells_in_equal_numbers_of_both_colours():
    grids = [LoopGrid.of(i.parameters) for i in TASK.instances()]
    assert [len(grid.free) for grid in grids] == FREE_CELLS
    assert all(2 * sum(map(is_dark, grid.free)) == len(grid.free) for grid in grids)


@pytest.mark.parametrize("number", some(range(10)))
def test_the_reference_passes_all_three_verifiers(number):
    instance = TASK.instances()[number]
    answer = TASK.solve(instance)
    assert TASK.verify(instance, answer).passed
    assert TASK.crosscheck(instance, answer).passed
    assert TASK.verify(instance, answer, "published").passed


def test_the_published_verifier_says_what_is_wrong_with_the_published_prompt_of_grid_6():
    answer = loop_answer([])
    notes = [TASK.verify(i, answer, "published").warnings for i in TASK.instances()]
    assert [bool(note) for note in notes] == [number == 6 for number in range(10)]
    assert "(5,5) (5,6) (12,5) (12,6) (7,10) (8,10)" in notes[6][0]


def test_a_loop_that_obeys_the_published_prompt_of_grid_6_fails():
    stated = LoopGrid(16, 16, frozenset({(5, 5), (5, 6), (12, 5), (12, 6), (7, 10), (8, 10)}))
    loop = find_loop(stated)
    verdict = judged(loop, TASK.instances()[6])
    assert "on free cells" in failures(verdict)
    assert judged(loop, TASK.instances()[6], "published").score == 0


def test_the_prompt_says_everything_and_is_the_same_every_time():
    text = TASK.prompt(TASK.instances()[6]).text
    assert TASK.prompt(TASK.instances()[6]).text == text
    for words in ("16 columns and 16 rows", "[5, 3], [5, 4], [7, 10]", "....X......X....", "exactly 250 cells"):
        assert words in text


# Verification --------------------------------------------------------------------------------------------------------


def test_a_loop_passes_from_any_cell_and_either_way_round():
    assert judged(LOOP).passed
    assert judged(started_at(LOOP, (3, 3))).passed
    assert judged([LOOP[0], *LOOP[:0:-1]]).passed


def test_the_first_cell_repeated_at_the_end_is_one_too_many():
    assert (
        "Expected 16 steps, got 17; the first cell is repeated" in failures(judged([*LOOP, LOOP[0]]))["number of steps"]
    )


def test_a_cell_outside_is_named_with_its_index():
    assert failures(judged([(0, 1), *LOOP[1:]]))["inside the grid"] == "Step 0, (0, 1), is outside the 4 x 4 grid"


def test_a_blocked_cell_is_named_with_its_index():
    assert "Step 6, (2, 2), is on a blocked cell" in failures(judged(LOOP, HOLED))["on free cells"]


def test_a_diagonal_step_is_refused():
    swapped = [*LOOP[:2], LOOP[3], LOOP[2], *LOOP[4:]]
    assert "Steps 1 and 2, (2, 1) and (4, 1)" in failures(judged(swapped))["each step beside the one before"]


def test_an_open_path_is_refused():
    verdict = judged(serpentine((1, 1), (4, 4)))
    assert failures(verdict) == {
        "each step beside the one before": "The last cell, (1, 4), does not share a side with the first, (1, 1)"
    }


def test_a_repeated_cell_is_named_with_both_uses():
    assert "Step 15 comes back to (1, 1), which is step 0" in failures(judged([*LOOP[:-1], (1, 1)]))["no cell twice"]


def test_all_failures_are_reported():
    assert len(failures(judged([(9, 9), (9, 9)]))) == 4


def test_fractional_coordinates_fail_here_and_pass_the_published_verifier():
    shifted = [(x - 0.5, y) for x, y in LOOP]
    assert "Step 0: x = 0.5 is not a whole number" in failures(judged(shifted))["whole coordinates"]
    assert judged(shifted, verifier="published").passed
    assert not TASK.crosscheck(SMALL, loop_answer(shifted)).passed


def test_3_0_stands_for_3():
    assert judged([(float(x), float(y)) for x, y in LOOP]).passed


def test_steps_beyond_four_times_the_number_are_not_looked_at():
    verdict = judged([(1, 1), (1, 2)] * 100)
    assert verdict.warnings == ("Only the first 64 of 200 steps were looked at",)


def test_the_published_verifier_stops_at_the_first_wrong_step():
    assert failures(judged([(9, 9), *LOOP[1:-1], (9, 9)], verifier="published")) == {
        "every step, one by one": "Step 0 is out of bounds at (9, 9)"
    }


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("7", "must be an object"),
        ("{}", "steps is missing"),
        ('{"steps": 3}', "steps must be a list"),
        ('{"steps": []}', "There are no steps"),
        ('{"steps": [{"x": 1}]}', "steps[0].xy is missing"),
        ('{"steps": [{"xy": [1]}]}', "steps[0].xy: two numbers"),
        ('{"steps": [{"xy": [1, 2, 3]}]}', "steps[0].xy: two numbers"),
        ('{"steps": [{"xy": null}]}', "steps[0].xy: two numbers"),
        ('{"steps": [{"xy": ["1", 2]}]}', 'steps[0].xy[0] must be a number, not "1"'),
        ('{"steps": [{"xy": [1, true]}]}', "steps[0].xy[1] must be a number, not true"),
        ('{"steps": [{"xy": [1, NaN]}]}', "must be a finite number"),
        ('{"steps": [{"xy": [1, 1e999]}]}', "must be a finite number"),
        ('{"step": [{"xy": [1, 2]}]}', "steps is missing; step is not known; is it steps?"),
        (json.dumps({"steps": [{"xy": [1, 1]}] * 6401}), "Too many steps"),
    ],
)
def test_bad_input_is_refused_with_its_place(raw, expected):
    verdict = TASK.verify(SMALL, raw)
    assert verdict.score == 0
    assert expected in next(check.message for check in verdict.checks if check.state is State.FAILED)


# Two methods ---------------------------------------------------------------------------------------------------------

CELLS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(CELLS)
def test_both_methods_give_any_walk_the_same_score(cells):
    assert judged(cells).score == TASK.crosscheck(SMALL, loop_answer(cells)).score


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.integers(1, 3), st.integers(0, 10**6), st.sampled_from(["none", "swap", "drop", "repeat", "move"]))
def test_both_methods_agree_on_loops_that_are_damaged(size, seed, damage):
    rng = np.random.default_rng(seed)
    instance = TASK.generate(seed, width=2 * size + 2, height=4, blocked=2)
    cells = [step.xy for step in TASK.solve(instance).steps]
    i, j = rng.integers(len(cells), size=2)
    if damage == "swap":
        cells[i], cells[j] = cells[j], cells[i]
    elif damage == "drop":
        del cells[i]
    elif damage == "repeat":
        cells[i] = cells[j]
    elif damage == "move":
        cells[i] = (cells[i][0] + 1, cells[i][1])
    verdict = judged(cells, instance)
    assert verdict.score == TASK.crosscheck(instance, loop_answer(cells)).score
    assert verdict.score == judged(cells, instance, "published").score


def test_the_area_counts_the_blocked_cells_inside():
    ring = [(1, 1), (2, 1), (3, 1), (3, 2), (3, 3), (2, 3), (1, 3), (1, 2)]
    instance = TASK.generate(0, width=4, height=4, blocked=2, pattern="domino")
    from spatial_workbench.engine.tasks.hamiltonian_loop.crosscheck import EdgeSet

    edges = EdgeSet(LoopGrid(3, 3, frozenset({(2, 2)})), ring)
    assert (edges.area, edges.enclosed, edges.components) == (4, 1, 1)
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


# Generator -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "difficulty",
    [
        {},
        {"width": 16, "height": 10, "blocked": 40},
        {"pattern": "single", "blocked": 6},
        {"pattern": "domino", "width": 9, "height": 8},
        {"pattern": "block", "blocked": 12},
        {"pattern": "bar", "blocked": 9, "width": 13, "height": 11},
        {"pattern": "mixed", "blocked": 17, "width": 15, "height": 11},
        {"blocked": 0, "width": 2, "height": 2},
    ],
)
def test_a_new_grid_has_what_was_asked_for_and_a_loop(difficulty):
    instance = TASK.generate(7, **difficulty)
    assert TASK.generate(7, **difficulty) == instance
    assert len(instance.parameters["blocked"]) == difficulty.get("blocked", 6)
    assert TASK.verify(instance, TASK.solve(instance)).passed


@pytest.mark.parametrize(
    ("difficulty", "reason"),
    [
        ({"blocked": 5}, "even number of free cells"),
        ({"width": 4, "height": 4, "blocked": 14}, "at least 4"),
        ({"width": 5, "height": 4, "blocked": 2}, "even width and height"),
        ({"pattern": "block", "blocked": 6}, "cannot be made of block"),
        ({"pattern": "single", "width": 2, "height": 20, "blocked": 20}, "no grid with a loop was found"),
        ({"width": 4, "height": 4, "blocked": 12}, "cut out of the loop"),
        ({"width": 1}, "width"),
    ],
)
def test_the_generator_refuses_with_the_reason(difficulty, reason):
    with pytest.raises(InstanceError, match=reason):
        TASK.generate(3, **difficulty)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["..", "X."], "needs 4 free cells"),
        (["...", "...", "..."], "colours"),
        ([".X..", "....", "....", "...X"], "fewer than two free neighbours"),
        (["..X..", "..X..", "..X..", "..X.."], "do not hang together"),
        (["....", "....", "....", "...."], ""),
    ],
)
def test_the_quick_tests_say_why_there_is_no_loop(rows, reason):
    assert reason in no_loop_reason(LoopGrid.drawn(rows))
    assert (find_loop(LoopGrid.drawn(rows)) is None) == bool(reason)


def test_the_solver_finds_out_that_a_grid_with_a_cut_cell_has_no_loop():
    assert find_loop(LoopGrid.drawn(["..XX", "....", "X...", "XX.."])) is None


# Drawings ------------------------------------------------------------------------------------------------------------

OPEN = LoopGrid(6, 6, frozenset())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(OPEN.links), max_size=40))
def test_any_drawing_of_several_pieces_can_be_written_as_steps_and_read_again(wished):
    links = frozenset()
    for edge in wished:
        if edge not in links:
            links, _ = toggled(links, edge)
    again = links_of(OPEN, steps_of(links))
    assert again == links or len(pieces_of(links)) == 1
    assert links <= again


def test_a_single_path_whose_ends_meet_counts_as_a_loop():
    links = loop_links([(1, 1), (2, 1), (2, 2), (1, 2)]) - {link((1, 1), (1, 2))}
    assert pieces_of(links_of(OPEN, steps_of(links)))[0].closed


def test_the_pencil_goes_on_from_an_end_and_back_over_it():
    links, _ = extended(OPEN, frozenset(), [], (1, 1), (2, 1))
    longer, _ = extended(OPEN, links, steps_of(links), (2, 1), (3, 1))
    assert longer == {link((1, 1), (2, 1)), link((2, 1), (3, 1))}
    assert extended(OPEN, longer, steps_of(longer), (3, 1), (2, 1))[0] == links


def test_the_pencil_opens_a_loop_at_its_seam():
    square = [(1, 1), (2, 1), (2, 2), (1, 2)]
    links, _ = extended(OPEN, frozenset(loop_links(square)), square, (1, 2), (1, 3))
    assert link((1, 2), (1, 1)) not in links
    assert [piece.closed for piece in pieces_of(links)] == [False]


def test_the_pencil_does_not_enter_a_full_or_blocked_cell():
    grid = LoopGrid(6, 6, frozenset({(3, 3)}))
    path = frozenset({link((1, 1), (2, 1)), link((2, 1), (3, 1))})
    assert extended(grid, path, [], (2, 2), (2, 1)) == (path, "Cell (2, 1) has two links already.")
    assert extended(grid, path, [], (3, 2), (3, 3)) == (path, "Cell (3, 3) is blocked.")


def test_a_third_link_is_refused():
    path = frozenset({link((1, 1), (2, 1)), link((2, 1), (3, 1))})
    assert toggled(path, link((2, 1), (2, 2)))[1] == "Cell (2, 1) has two links already."


def test_a_flip_joins_two_loops_and_splits_them_again():
    left, right = loop_links([(1, 1), (2, 1), (2, 2), (1, 2)]), loop_links([(3, 1), (4, 1), (4, 2), (3, 2)])
    joined, _ = flipped(OPEN, frozenset(left | right), (2, 1))
    assert [len(piece.cells) for piece in pieces_of(joined)] == [8]
    assert flipped(OPEN, joined, (2, 1))[0] == left | right


def test_a_flip_needs_two_parallel_links():
    assert "parallel" in flipped(OPEN, frozenset({link((1, 1), (2, 1))}), (1, 1))[1]


def test_a_rectangle_is_filled_to_and_fro_from_the_corner_where_it_began():
    assert serpentine((3, 2), (1, 1)) == [(3, 2), (2, 2), (1, 2), (1, 1), (2, 1), (3, 1)]
    links, _ = filled(OPEN, frozenset(), (1, 1), (2, 3))
    assert steps_of(links, [(1, 1)]) == [(1, 1), (1, 2), (1, 3), (2, 3), (2, 2), (2, 1)]


def test_a_quick_pointer_is_followed_cell_by_cell():
    assert list(way_to((1, 1), (3, 2))) == [(2, 1), (3, 1), (3, 2)]


def test_corners_force_their_links():
    assert {link((1, 1), (2, 1)), link((1, 1), (1, 2))} <= forced(OPEN, frozenset())


def test_forced_links_never_close_a_loop_too_early():
    three_sides = frozenset({link((1, 1), (2, 1)), link((1, 1), (1, 2)), link((1, 2), (2, 2))})
    assert link((2, 1), (2, 2)) not in forced(OPEN, three_sides)


@pytest.mark.parametrize("number", [1, 7, 9])
def test_what_is_forced_is_part_of_the_loop_that_it_was_taken_from(number):
    grid = LoopGrid.of(TASK.instances()[number].parameters)
    loop = loop_links([step.xy for step in TASK.solve(TASK.instances()[number]).steps])
    assert forced(grid, frozenset()) <= loop
    rest = frozenset(sorted(loop)[: len(loop) - 3])
    assert rest | forced(grid, rest) == loop


def test_a_tally_counts_cells_ends_loops_and_colours():
    tally = tally_of(OPEN, frozenset(loop_links([(1, 1), (2, 1), (2, 2), (1, 2)])) | {link((4, 4), (4, 5))})
    assert (tally.visited, tally.needed, tally.open_ends, tally.loops, tally.balance) == (6, 36, 2, 1, 0)
    assert tally_of(LoopGrid(4, 4, frozenset()), frozenset(loop_links(LOOP))).is_done


def test_cells_that_can_no_longer_be_visited_are_found():
    around = frozenset({link((2, 1), (2, 2)), link((2, 2), (1, 2)), link((2, 1), (3, 1)), link((1, 2), (1, 3))})
    dead_ends = dead_ends_of(OPEN, around)
    assert dead_ends.starved == ((1, 1),)
    assert frozenset({(1, 1)}) in dead_ends.cut_off


# Drawing -------------------------------------------------------------------------------------------------------------


def test_the_scene_has_everything_that_a_verdict_names():
    broken = [*LOOP[:3], (1, 1), *LOOP[4:]]
    ids = set(TASK.scene(SMALL, loop_answer(broken)).ids())
    assert set(judged(broken).failed_elements) <= ids


def test_the_scene_of_a_whole_loop_has_an_inside_and_no_open_cells():
    names = {item.name for item in TASK.scene(SMALL, loop_answer(LOOP)).items}
    assert "inside" in names
    assert "open cells" not in names
