"""The three tasks about labelled squares share their geometry; two methods must agree on it."""

import json
from itertools import permutations

import numpy as np
import pytest

from spatial_workbench.engine.core import AnswerError, InstanceError, Verdict
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.tasks.labelled_squares.square import (
    CASES,
    Behaviour,
    always_meet,
    behaviour,
    behaviour_by_colouring,
    canonical,
    colourings,
    forces_meeting,
    joined_by_colouring,
    joined_sides,
    read,
    triple_points,
    walk_of,
)

CLASSIFY, EDGES, TOPOLOGY = map(task_of, ("classify_behaviour", "enumerate_edges", "topology_enumeration"))


def rows_of(task):
    return json.loads(resource("tasks", f"{task.id}.json").read_text())["instances"]


def refusal(task, raw):
    with pytest.raises(AnswerError) as error:
        task.parse(raw)
    return error.value.message


def messages(verdict):
    return [problem.message for check in verdict.checks for problem in check.problems]


# Geometry --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("walk", CASES, ids=lambda walk: "".join(map(str, walk)))
def test_the_closed_forms_agree_with_trying_every_colouring(walk):
    assert behaviour(walk) is behaviour_by_colouring(walk)
    assert joined_sides(walk) == joined_by_colouring(walk)
    assert [forces_meeting(walk, n) for n in (2, 3)] == [always_meet(walk, n) for n in (2, 3)]


def test_three_classes_with_equal_neighbours_meet_an_odd_number_of_times():
    assert set((triple_points(colourings((1, 1, 2, 3))) % 2).tolist()) == {1}


def test_three_classes_with_equal_diagonals_may_avoid_each_other():
    assert np.min(triple_points(colourings((1, 2, 1, 3)))) == 0


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_reading_and_walking_are_inverse(order):
    assert read(walk_of((5, 6, 7, 8), order), order) == (5, 6, 7, 8)


def test_labels_are_renamed_by_first_occurrence():
    assert canonical((1, 0, 0, 0)) == (0, 1, 1, 1)


# All three -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "count", "field"),
    [(CLASSIFY, 13, "labels"), (EDGES, 8, "edges"), (TOPOLOGY, 10, "configs")],
    ids=lambda value: getattr(value, "id", None),
)
def test_the_reference_equals_the_key_of_every_published_instance_and_all_verifiers_agree(task, count, field):
    assert len(task.instances()) == count
    for instance, row in zip(task.instances(), rows_of(task), strict=True):
        answer = task.solve(instance)
        assert json.loads(answer.model_dump_json())[field] == row["answer"]
        assert task.verify(instance, answer).passed
        assert task.crosscheck(instance, answer).passed


@pytest.mark.parametrize("task", [CLASSIFY, EDGES, TOPOLOGY], ids=lambda task: task.id)
@pytest.mark.parametrize("seed", range(6))
def test_generated_instances_are_solved_and_repeat_for_their_seed(task, seed):
    instance = task.generate(seed)
    assert instance == task.generate(seed)
    assert task.prompt(instance) == task.prompt(task.generate(seed))
    assert task.verify(instance, task.solve(instance)).passed
    assert task.crosscheck(instance, task.solve(instance)).passed


@pytest.mark.parametrize("task", [CLASSIFY, EDGES, TOPOLOGY], ids=lambda task: task.id)
def test_a_verdict_travels_as_json_and_names_elements_of_the_scene(task):
    instance = task.instances()[2]
    verdict = task.verify(instance, task.empty(instance))
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert set(verdict.failed_elements) <= set(task.scene(instance, task.empty(instance), verdict).ids())


@pytest.mark.parametrize("task", [CLASSIFY, EDGES, TOPOLOGY], ids=lambda task: task.id)
def test_a_wrong_order_of_corners_is_refused_with_the_value(task):
    with pytest.raises(InstanceError, match="BL BL TR TL"):
        task.generate(1, corner_order="BL BL TR TL")


# Classify behaviour ----------------------------------------------------------------------------------------------


def test_the_paper_s_sample_is_subtask_1():
    assert CLASSIFY.solve(CLASSIFY.instances()[1]).labels == (
        Behaviour.THREE,
        Behaviour.KNOWN,
        Behaviour.KNOWN,
        Behaviour.AMBIGUOUS,
    )


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ([], "No label given"),
        (["known behaviour"] * 12, "4 squares expected, 12 labels given"),
        (["known behavior"] + ["ambiguous"] * 3, "Square 0: label must be one of"),
        (["ambiguous"] * 4, "Square 0 is not 'ambiguous'"),
    ],
)
def test_wrong_labels_are_named(labels, sentence):
    verdict = CLASSIFY.verify(CLASSIFY.instances()[0], {"labels": labels})
    assert not verdict.passed
    assert messages(verdict)[0].startswith(sentence)


def test_a_label_that_is_no_text_is_refused():
    assert refusal(CLASSIFY, {"labels": ["ambiguous", 3]}) == "Square 1: a text label is expected"


# Enumerate edges -------------------------------------------------------------------------------------------------


def edges_verdict(edges, number=0):
    return EDGES.verify(EDGES.instances()[number], {"edges": edges})


RIGHT = [[], [[2, 3]], [[1, 2]], [[1, 3]]]


@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        (RIGHT[:3], "4 squares expected, 3 answers given"),
        ([[], [[3, 2]], [[1, 2]], [[1, 3]]], "Square 1, pair 0: write the smaller index first"),
        ([[], [[2, 2]], [[1, 2]], [[1, 3]]], "Square 1, pair 0: write the smaller index first"),
        ([[], [[2, 4]], [[1, 2]], [[1, 3]]], "Square 1, pair 0: side index must be 0..3"),
        ([[], [[2, 3], [2, 3]], [[1, 2]], [[1, 3]]], "Square 1: pair 2-3 is given twice"),
        ([[], [], [[1, 2]], [[1, 3]]], "Square 1: pair 2-3 is missing"),
        ([[[0, 1]], [[2, 3]], [[1, 2]], [[1, 3]]], "Square 0: pair 0-1 is not certain to be joined"),
    ],
)
def test_wrong_pairs_are_named(edges, sentence):
    assert messages(edges_verdict(edges))[0] == sentence


def test_the_order_of_pairs_in_a_square_does_not_matter():
    answer = EDGES.solve(EDGES.instances()[1]).model_dump(mode="json")["edges"]
    assert edges_verdict([pairs[::-1] for pairs in answer], 1).passed


def test_the_sample_line_of_the_paper_is_no_right_answer():
    assert not edges_verdict([[[0, 3], [1, 2]], [], [], [], [[0, 1]]], 1).passed


@pytest.mark.parametrize(
    ("edges", "sentence"),
    [
        ([3], "Square 0: a list of pairs is expected"),
        ([[[1, 2, 3]]], "Square 0, pair 0: two side indices expected"),
        ([[[1, 2.5]]], "Square 0, pair 0: two side indices expected"),
        ([[[True, 2]]], "Square 0, pair 0: two side indices expected"),
    ],
)
def test_pairs_that_cannot_be_read_are_refused(edges, sentence):
    assert refusal(EDGES, {"edges": edges}) == sentence


@pytest.mark.parametrize(
    ("difficulty", "words"),
    [({"cases": "1 4"}, "three domains meet"), ({"cases": "15"}, "15"), ({"edge_order": "B B T L"}, "B B T L")],
)
def test_the_generator_refuses_what_makes_no_instance(difficulty, words):
    with pytest.raises(InstanceError, match=words):
        EDGES.generate(1, **difficulty)


# Topology enumeration --------------------------------------------------------------------------------------------


def topology_verdict(configs, number=2, verifier="default"):
    return TOPOLOGY.verify(TOPOLOGY.instances()[number], {"configs": configs}, verifier)


THREE = [[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 0], [0, 1, 2, 2]]


def test_names_and_order_of_the_entries_do_not_matter():
    assert topology_verdict([[2, 2, 1, 0], [1, 0, 0, 2], [0, 2, 1, 0], [1, 2, 0, 0]]).passed


@pytest.mark.parametrize(
    ("configs", "sentence"),
    [
        ([], "No configuration listed"),
        ([[1, 1, 2, 3]], "Labels must be 0..2 after relabelling; the answer uses 1, 2, 3"),
        ([*THREE, [1, 1, 0, 2]], "configs[4] repeats configs[0] (both are 0012)"),
        (THREE[:3], "Missing: 0122"),
        ([*THREE, [0, 1, 0, 2]], "Extra: 0102"),
        ([*THREE, [0, 0, 0, 0]], "Extra: 0000"),
    ],
)
def test_wrong_lists_are_explained(configs, sentence):
    assert messages(topology_verdict(configs))[0] == sentence


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        ({}, "configs: a list of 4-tuples is expected"),
        ({"configs": 3}, "configs: a list of 4-tuples is expected"),
        ({"configs": [[0, 1, 2]]}, "configs[0]: 4 labels expected, got 3"),
        ({"configs": [[0, 1, 2, 2, 1]]}, "configs[0]: 4 labels expected, got 5"),
        ({"configs": [[0, 1, "2", 2]]}, "configs[0][2]: not an integer"),
        ({"configs": [[0, 1, True, 2]]}, "configs[0][2]: not an integer"),
        ({"configs": [[0, 0, 1, 1]] * 257}, "Too many configs (limit 256)"),
    ],
)
def test_lists_that_cannot_be_read_are_refused(raw, sentence):
    assert refusal(TOPOLOGY, raw) == sentence


def test_a_bare_list_is_read():
    assert TOPOLOGY.parse("[[0, 0, 1, 2]]").configs == ((0, 0, 1, 2),)


def test_to_the_letter_no_labelling_forces_three_classes_to_meet():
    assert topology_verdict([], verifier="literal").passed
    assert "By the letter of the prompt" in topology_verdict([]).warnings[0]
    assert not topology_verdict(THREE).warnings
    assert not topology_verdict(THREE, verifier="literal").passed


def test_to_the_letter_an_island_makes_two_classes_meet():
    two = [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 1, 1], [0, 1, 0, 0], [0, 1, 0, 1], [0, 1, 1, 0], [0, 1, 1, 1]]
    assert topology_verdict([*two, [0, 0, 0, 0]], 0, "literal").passed
    assert topology_verdict(two, 0).passed


def test_the_published_wording_leaves_the_assumptions_open_and_the_other_states_them():
    assert "islands" not in TOPOLOGY.prompt(TOPOLOGY.instances()[0]).text
    assert "islands" in TOPOLOGY.prompt(TOPOLOGY.generate(3)).text


def test_the_prompt_rules_out_the_one_point_that_would_settle_four_classes():
    four_different = (0, 1, 2, 3)
    assert behaviour(four_different) is Behaviour.AMBIGUOUS
    for task in (CLASSIFY, EDGES):
        assert "No four classes meet at one point." in task.prompt(task.instances()[0]).text


def test_where_the_assumptions_are_stated_the_literal_reading_is_not_mentioned():
    assert not TOPOLOGY.verify(TOPOLOGY.generate(3), {"configs": []}).warnings
