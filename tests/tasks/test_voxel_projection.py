"""Voxel projection: the rules of docs/tasks/voxel_projection.md."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.core import InstanceError, State, task
from spatial_workbench.engine.core.scene import Boxes
from spatial_workbench.engine.tasks.voxel_projection import VoxelGrid, grid_of
from spatial_workbench.engine.tasks.voxel_projection.crosscheck import group, multiplicity
from spatial_workbench.engine.tasks.voxel_projection.grid import VoxelRule, cells_of, holes, kept_symmetries, symmetries
from spatial_workbench.engine.tasks.voxel_projection.solver import (
    candidates,
    fill_to_count,
    impossible_ray,
    latin_square,
)
from tests.sweeps import some

TASK = task("voxel_projection")
SMALL = TASK.instances()[0]
RULED = TASK.instances()[5]


def xyz(cells):
    return {"voxels": [{"xyz": list(map(int, cell))} for cell in cells]}


def solution(instance):
    return [voxel.xyz for voxel in TASK.solve(instance).voxels]


def latin(n):
    return [(x, y, (-x - y) % n) for x in range(n) for y in range(n)]


def failing(instance, answer):
    """The first failing check by both methods, which have to agree, and its message."""
    verdict = TASK.verify(instance, answer)
    other = TASK.crosscheck(instance, answer)
    assert [check.state for check in verdict.checks] == [check.state for check in other.checks]
    assert verdict.score == other.score
    first = next((check for check in verdict.checks if check.state is State.FAILED), None)
    return (first.name, first.message) if first else ("", "")


# Published instances -------------------------------------------------------------------------------------------------


def test_the_published_sizes_and_counts():
    table = [(grid_of(instance).n, grid_of(instance).count) for instance in TASK.instances()]
    assert table == [(6, 50), (8, 100), (12, 200), (16, 400), (24, 1000), (20, 500)]


@pytest.mark.parametrize("number", some(range(6)))
def test_the_reference_solution_passes_both_methods(number):
    instance = TASK.instances()[number]
    assert failing(instance, TASK.solve(instance)) == ("", "")


def test_only_the_last_one_forbids_sums_with_a_7():
    sums = {sum(cell) for cell in cells_of(grid_of(RULED).forbidden)}
    assert sums == {7, 17, 27, 37, 47, 57}
    assert not any(grid_of(instance).forbidden.any() for instance in TASK.instances()[:5])


def test_the_prompt_is_the_same_every_time_and_names_every_rule():
    text = TASK.prompt(RULED).text
    assert text == TASK.prompt(RULED).text
    for words in ("exactly 500", "20 x 20 x 20", "bottom left", "projections are full", "no symmetry", "digit 7"):
        assert words in text
    assert "4." not in TASK.prompt(SMALL).text


# The checks ----------------------------------------------------------------------------------------------------------


def test_a_cell_outside_of_the_grid_is_named_with_how_many_there_are():
    cells = [*solution(SMALL)[:-2], (0, 0, 6), (-1, 0, 0)]
    assert failing(SMALL, xyz(cells)) == (
        "cells of the grid",
        "Entry 48: [0, 0, 6] is not a cell of the 6-grid (and 1 more)",
    )


def test_a_fraction_is_no_cell_but_3_0_stands_for_3():
    cells = solution(SMALL)
    assert failing(SMALL, {"voxels": [[*map(float, cell)] for cell in cells]}) == ("", "")
    broken = {"voxels": [[0.5, 0, 0], *map(list, cells[1:])]}
    assert failing(SMALL, broken)[1] == "Entry 0: [0.5, 0, 0] is not a cell of the 6-grid"


def test_a_sum_with_a_7_is_reported_before_the_count():
    name, message = failing(RULED, xyz([(0, 0, 7)]))
    assert name == "allowed cells"
    assert message == "Cell (0, 0, 7) is forbidden: x + y + z = 7 contains a 7"


def test_the_number_has_to_be_exact():
    cells = solution(SMALL)
    assert failing(SMALL, xyz(cells[:-1])) == ("number of voxels", "49 voxels, expected 50")
    assert failing(SMALL, xyz([])) == ("number of voxels", "0 voxels, expected 50")


def test_a_repeated_cell_is_named():
    cells = solution(SMALL)
    cells[-1] = cells[0]
    name, message = failing(SMALL, xyz(cells))
    assert name == "no cell twice"
    assert str(tuple(cells[0])) in message


def test_a_hole_in_a_projection_is_told_with_its_ray():
    array = grid_of(SMALL).filled(solution(SMALL))
    array[2, 3, :] = False
    free = np.argwhere(~array)
    spare = [cell for cell in free if tuple(cell[:2]) != (2, 3)][: 50 - int(array.sum())]
    cells = [*cells_of(array), *map(tuple, spare)]
    verdict = TASK.verify(SMALL, xyz(cells))
    assert failing(SMALL, xyz(cells))[0] == "projection along z is full"
    assert verdict.checks[5].elements == ("hole along z at 2,3",)
    assert verdict.figure("holes along z") == 1


def test_a_full_slab_is_full_along_one_axis_only():
    slab = [(x, y, 0) for x in range(6) for y in range(6)] + [(x, y, 1) for x in range(2) for y in range(6)]
    name, message = failing(SMALL, xyz([*slab, (5, 5, 5), (5, 4, 5)]))
    assert name == "projection along y is full"
    assert "rays along y without a voxel" in message


def test_a_latin_square_with_a_full_diagonal_plane_is_symmetric():
    instance = TASK.generate(0, n=6, slack=0.5, rule="none")
    second = [(x, y, (1 - x - y) % 6) for x in range(6) for y in range(6) if x == y or x + y == 5 or x * y == 0]
    cells = list(dict.fromkeys([*latin(6), *second]))
    assert any(symmetry.name == "x and y exchanged" for symmetry in kept_symmetries(grid_of(instance).filled(cells)))


def test_a_symmetric_set_of_the_right_size_fails_at_the_last_check():
    grid = grid_of(SMALL)
    cells = set(latin(6))
    for cell in cells_of(~grid.filled(latin(6))):
        swapped = (cell[1], cell[0], cell[2])
        if len(cells | {cell, swapped}) <= 50:
            cells |= {cell, swapped}
    name, message = failing(SMALL, xyz(sorted(cells)))
    assert (len(cells), name) == (50, "no symmetry")
    assert "x and y exchanged, (x, y, z) → (y, x, z)" in message


@pytest.mark.parametrize("symmetry", symmetries(), ids=lambda symmetry: symmetry.formula)
def test_each_of_the_47_symmetries_is_found_where_it_holds(symmetry):
    rng = np.random.default_rng(1)
    array = rng.random((5, 5, 5)) < 0.1
    for _ in range(12):
        array |= symmetry.image(array)
    assert symmetry in kept_symmetries(array)
    assert multiplicity(cells_of(array), 5) == 1 + len(kept_symmetries(array))


def test_the_group_closes_at_48_and_names_tell_kinds_apart():
    assert len(group()) == 48
    names = [symmetry.name for symmetry in symmetries()]
    assert sum(name.startswith("turn") and "mirror" not in name for name in names) == 23
    assert names.count("point reflection") == 1
    assert sum("exchanged" in name or name.startswith("mirror") for name in names) == 9


@given(st.sets(st.tuples(*[st.integers(0, 3)] * 3), max_size=30))
@settings(max_examples=40)
def test_the_image_of_the_array_is_the_array_of_the_images(cells):
    grid = VoxelGrid(4, 20, VoxelRule())
    for symmetry in symmetries()[::7]:
        images = grid.filled([symmetry.cell(cell, 4) for cell in cells])
        assert np.array_equal(symmetry.image(grid.filled(cells)), images)


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 3), max_size=60), st.booleans())
@settings(max_examples=40, deadline=None)
def test_both_methods_agree_on_any_set(cells, with_latin):
    failing(SMALL, xyz([*(latin(6) if with_latin else ()), *cells]))


# Reading -------------------------------------------------------------------------------------------------------------

SPELLINGS = (
    lambda c: list(c),
    lambda c: {"x": c[0], "y": c[1], "z": c[2]},
    lambda c: ",".join(map(str, c)),
    lambda c: {"xyz": f"{c[0]}, {c[1]}, {c[2]}"},
    lambda c: c[0] + 6 * c[1] + 36 * c[2],
    lambda c: {"xyz": c[0] + 6 * c[1] + 36 * c[2]},
    lambda c: {"xyz": [c[0] + 1e-10, c[1], c[2]]},
)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_all_spellings_of_a_cell_are_read(spelling):
    assert failing(SMALL, {"voxels": [spelling(cell) for cell in solution(SMALL)]}) == ("", "")


BAD = (
    ({}, "voxels must be a list"),
    ({"voxels": 7}, "voxels must be a list"),
    ({"voxels": [[0, 0, 0], "a,b,c"]}, "Entry 1: a,b,c is not a cell of the grid"),
    ({"voxels": [[0, 0]]}, "Entry 0: [0, 0] is not a cell of the grid"),
    ({"voxels": [[0, 0, True]]}, "Entry 0: [0, 0, True] is not a cell of the grid"),
    ({"voxels": [[0, 0, float("nan")], None]}, "Entry 0: [0, 0, nan] is not a cell of the grid (and 1 more)"),
    ({"voxels": [[[0, 0, 0]]]}, "Entry 0: [[0, 0, 0]] is not a cell of the grid"),
    ({"voxels": [float("inf")]}, "Entry 0: inf is not a cell of the grid"),
    ({"voxels": [0] * 20_001}, "Too many voxels (limit 20000)"),
)


@pytest.mark.parametrize(("raw", "message"), BAD)
def test_bad_input_scores_0_and_says_where(raw, message):
    verdict = TASK.verify(SMALL, raw)
    assert (verdict.score, verdict.checks[0].message) == (0, message)


def test_the_schema_shows_the_first_form_only():
    voxel = TASK.schema()["$defs"]["Voxel"]
    assert voxel["properties"]["xyz"]["type"] == "array"
    assert voxel["additionalProperties"] is False


def test_what_the_task_writes_it_reads():
    answer = TASK.solve(SMALL)
    assert TASK.parse(TASK.format(answer)).voxels == answer.voxels


# Solver and generator ------------------------------------------------------------------------------------------------


def test_a_latin_square_keeps_off_forbidden_cells():
    grid = grid_of(RULED)
    array = latin_square(grid, np.random.default_rng(0))
    assert not (array & grid.forbidden).any()
    assert not any(holes(array, axis).any() for axis in range(3))
    assert array.sum() == 400


def test_filling_refuses_what_is_too_much():
    grid = VoxelGrid(4, 10, VoxelRule())
    assert fill_to_count(grid, np.ones((4, 4, 4), bool), np.random.default_rng(0)) is None


def test_candidates_are_the_free_and_allowed_cells_of_a_ray():
    grid = VoxelGrid(6, 50, VoxelRule(digit=7))
    array = grid.filled([(2, 3, 0)])
    assert candidates(grid, array, 2, (2, 3)) == [(2, 3, 1), (2, 3, 3), (2, 3, 4), (2, 3, 5)]


def test_a_ray_that_is_forbidden_as_a_whole_is_found():
    assert impossible_ray(VoxelGrid(3, 12, VoxelRule(boxes=((0, 1, 2, 2, 1, 2),)))) == (0, (1, 2))


@pytest.mark.parametrize("rule", ["none", "digit", "sum", "boxes", "required"])
def test_a_generated_grid_is_solved_and_named_in_its_prompt(rule):
    instance = TASK.generate(5, n=9, slack=0.5, rule=rule)
    assert instance == TASK.generate(5, n=9, slack=0.5, rule=rule)
    assert failing(instance, TASK.solve(instance)) == ("", "")
    assert ("4. " in TASK.prompt(instance).text) == (rule != "none")


def test_a_required_cell_that_is_empty_is_told():
    instance = TASK.generate(5, n=9, rule="required")
    cell = instance.parameters["rule"]["required"][0]
    rest = [entry for entry in solution(instance) if list(entry) != cell]
    assert failing(instance, xyz(rest))[0] == "required cells"


def test_an_impossible_wish_is_refused():
    with pytest.raises(InstanceError, match="less than or equal to 24"):
        TASK.generate(0, n=30)


# Drawing -------------------------------------------------------------------------------------------------------------


def test_the_scene_has_an_element_for_everything_that_checks_name():
    cells = [cell for cell in solution(SMALL) if cell[:2] != (2, 3)][:49]
    verdict = TASK.verify(SMALL, xyz([*cells, cells[0]]))
    scene = TASK.scene(SMALL, TASK.parse(xyz(cells)), verdict)
    drawn = {scene.item("voxel").id_of(cell) for cell in scene.item("voxel").cells.tolist()}
    assert set(verdict.failed_elements) <= drawn
    marked = [item for item in scene.items if isinstance(item, Boxes) and item.name == "hole along z"]
    assert "hole along z at 2,3" in marked[0].ids
