"""Half-subdivision neighbours: the rules, the published trees, and what is refused."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from spatial_workbench.engine.core import AnswerError, InstanceError, Verdict
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.tasks.half_subdivision import tree_of
from spatial_workbench.engine.tasks.half_subdivision.tree import Tree, probed_neighbours
from tests.sweeps import some

TASK = task_of("half_subdivision")
ROWS = json.loads(resource("tasks", "half_subdivision.json").read_text())["instances"]
FLAT = TASK.instances()[5]
LARGE = TASK.instances()[9]
LEAF_COUNTS = (88, 123, 64, 64, 11, 16, 230, 757, 282, 931, 153, 250, 242, 682, 160, 207, 787)


def judged(*labels, instance=FLAT):
    return TASK.verify(instance, {"neighbors": list(labels)})


def messages(verdict):
    return [problem.message for check in verdict.checks for problem in check.problems]


@pytest.mark.parametrize("number", some(range(17)))
def test_the_published_trees_have_the_published_neighbours_by_both_methods(number):
    instance = TASK.instances()[number]
    tree = tree_of(TASK.instances()[number])
    assert len(tree.leaves) == LEAF_COUNTS[number]
    assert list(tree.neighbours) == ROWS[number]["answer"] == list(probed_neighbours(tree))
    assert TASK.verify(instance, TASK.solve(instance)).passed
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


@pytest.mark.parametrize("number", some(range(17)))
def test_the_leaves_fill_the_whole_and_the_neighbours_cover_the_target(number):
    tree = tree_of(TASK.instances()[number])
    assert sum(Fraction(1, 2 ** len(label)) for label in tree.leaves) == 1
    assert set(tree.covered(tree.neighbours).values()) == {1.0}


def test_bit_0_is_the_lower_half_along_the_axis_of_its_depth():
    tree = Tree(2, "xy", "1100100", "00")
    assert tree.box("01").tolist() == [[0, 2], [2, 4]]
    assert tree.neighbours == ("01", "10")


def test_order_does_not_matter_and_blanks_are_dropped():
    assert judged("11010", " 1100 ", "1010", "00111", "00110").passed


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["1010", "1010"], "neighbors[1] repeats neighbors[0]"),
        (["101"], "101 is split further; name its leaves"),
        (["0101"], "0101 does not exist; 010 is a leaf"),
        (["100"], "The target is not its own neighbour"),
        (["011"], "Extra: 011 touches the target only at an edge or a corner"),
        (["1111"], "Extra: 1111 does not touch the target"),
        ([], "Missing: 00110"),
    ],
)
def test_wrong_labels_are_explained(labels, sentence):
    verdict = judged(*labels)
    assert not verdict.passed
    assert messages(verdict)[0] == sentence


def test_an_empty_list_is_right_where_the_target_is_the_root():
    alone = Tree(2, "x", "0", "")
    assert alone.neighbours == ()
    assert alone.leaves == ("",)


@pytest.mark.parametrize("entry", [11, 0.5, True, None, "01x", "٠١", ["0"]])
def test_an_entry_that_is_no_label_is_refused_with_its_place(entry):
    with pytest.raises(AnswerError, match=r"neighbors\[1\]: a string of 0 and 1 is expected"):
        TASK.parse({"neighbors": ["0", entry]})


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({}, "a list of labels"),
        ({"neighbors": "01"}, "a list of labels"),
        ({"neighbors": ["0"] * 4097}, "Too many neighbors"),
    ],
)
def test_what_is_no_list_of_labels_is_refused(raw, words):
    with pytest.raises(AnswerError, match=words):
        TASK.parse(raw)


def test_a_bare_list_is_read():
    assert TASK.parse('["01", ""]').neighbors == ("01", "")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("dimension", [2, 3])
def test_generated_targets_have_neighbours_of_several_sizes_and_repeat_for_their_seed(seed, dimension):
    instance = TASK.generate(seed, dimension=dimension)
    tree = tree_of(instance)
    assert instance == TASK.generate(seed, dimension=dimension)
    assert len(tree.neighbours) >= 4
    assert len({len(label) for label in tree.neighbours}) >= 2
    assert TASK.crosscheck(instance, TASK.solve(instance)).passed


@pytest.mark.slow
@pytest.mark.parametrize("cycle", ["xyyyyyyyyyyy", "xyzzzzzzzzzz", "xyzzzzzyyyyy"])
def test_both_methods_agree_on_trees_that_halve_one_axis_many_times(cycle):
    dimension = 3 if "z" in cycle else 2
    drawn = tree_of(TASK.generate(3, cycle=cycle, dimension=dimension, max_depth=12, min_depth=1, split_prob=0.75))
    for target in drawn.leaves[::20]:
        tree = replace(drawn, target=target)
        assert tree.neighbours == probed_neighbours(tree)


@pytest.mark.parametrize(
    ("difficulty", "words"),
    [
        ({"dimension": 2, "cycle": "xyz"}, "cycle: 'xyz'"),
        ({"min_depth": 9, "max_depth": 3}, "min_depth: 9"),
        ({"split_prob": 1.5}, "split_prob"),
        ({"min_depth": -1}, "min_depth"),
        ({"min_depth": 12, "max_depth": 12}, "more than 2000 leaves"),
        ({"min_depth": 1, "max_depth": 1}, "no target has 4 neighbours"),
    ],
)
def test_the_generator_refuses_with_field_and_value(difficulty, words):
    with pytest.raises(InstanceError, match=words):
        TASK.generate(1, **difficulty)


def test_the_prompt_shows_the_leaves_as_a_tree_or_as_a_list():
    tree = TASK.prompt(FLAT).text
    flat = TASK.prompt(TASK.generate(3, rendering="list")).text
    assert "├─ 0" in tree
    assert "├─" not in flat
    assert all(f"{label} *" in tree for label in tree_of(FLAT).leaves)
    assert "bit 0 is the lower half" in tree
    assert TASK.prompt(FLAT) == TASK.prompt(FLAT)


def test_a_verdict_travels_as_json_and_names_cells_of_the_scene():
    answer = TASK.parse({"neighbors": ["1010", "011"]})
    verdict = TASK.verify(FLAT, answer)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert set(verdict.failed_elements) <= set(TASK.scene(FLAT, answer, verdict).ids())


def test_the_scene_in_space_shows_what_lies_around_the_target():
    instance = TASK.instances()[4]
    shown = set(TASK.scene(instance, TASK.solve(instance)).ids())
    assert {f"cell {label}" for label in tree_of(instance).neighbours} <= shown
