"""Mutations change plain data in many ways, and equal seeds change it alike."""

import json

import numpy as np
import pytest

from spatial_workbench.engine.evaluation.laboratory.answer_parts import parts_of
from spatial_workbench.engine.evaluation.laboratory.searching.drawing import KnownOfInstance
from spatial_workbench.engine.evaluation.laboratory.searching.mutating import (
    few_elements,
    mutated,
    whole_changes,
    with_known_numbers,
)

BOXES = {"boxes": [{"low": [0, 0, 0], "kind": "oak"}, {"low": [4, 0, 2.5], "kind": "fir"}]}


def many(data: object, count: int = 2000) -> list[object]:
    drawn = (mutated(data, np.random.default_rng((1, number))) for number in range(count))
    return [each for each in drawn if each is not None]


def test_equal_seeds_give_equal_mutations() -> None:
    assert repr(many(BOXES, 50)) == repr(many(BOXES, 50))


def test_the_data_itself_stays_as_it_is() -> None:
    before = json.dumps(BOXES)
    many(BOXES, 100)
    assert json.dumps(BOXES) == before


@pytest.mark.slow
def test_mutations_of_data_do_what_people_and_models_get_wrong() -> None:
    texts = [repr(each) for each in many(BOXES)]
    boxes = [each["boxes"] for each in many(BOXES) if isinstance(each, dict) and isinstance(each.get("boxes"), list)]
    assert {0, 1, 2, 3} <= {len(each) for each in boxes}
    assert any("nan" in text for text in texts)
    assert any("True" in text for text in texts)
    assert any("'note'" in text for text in texts)
    assert any("0.0" in text for text in texts)
    assert any(text.count("'fir'") == 2 and text.count("'low'") == 2 for text in texts)


def test_mutations_of_texts_keep_to_their_words() -> None:
    texts = {str(each) for each in many("def f(x, y): return x + 2*y")}
    assert len(texts) > 150
    assert any("/" in text for text in texts)
    assert any("```" in text for text in texts)
    assert any("\n" in text for text in texts)


def test_nothing_can_be_changed_in_nothing() -> None:
    assert not isinstance(mutated({}, np.random.default_rng(3)), list)


def test_answers_are_moved_as_a_whole() -> None:
    moved = list(whole_changes({"steps": [[1, 2], [1, 3]]}))
    assert {"steps": [[0.5, 1.5], [0.5, 2.5]]} in moved
    assert {"steps": [[-1, 2], [-1, 3]]} in moved
    assert {"steps": [[1, 3], [1, 2]]} in moved
    assert any(repr(each) == "{'steps': [[1.0, 2.0], [1.0, 3.0]]}" for each in moved)


def test_what_an_instance_names_gets_into_answers() -> None:
    material = KnownOfInstance(parameters={"walls": [[7, 8, 9]], "k": 200}, other=lambda rng: {"path": [[6, 6, 6]]})
    path = {"path": [[1, 0, 1], [7, 8, 8]]}
    texts = [repr(mutated(path, np.random.default_rng((2, number)), material)) for number in range(600)]
    assert any("[7, 8, 9]" in text for text in texts)
    assert any("200" in text for text in texts)
    assert any("[6, 6, 6]" in text for text in texts)


def test_a_few_elements_are_mixed_of_others_and_choices() -> None:
    material = KnownOfInstance(choices=[["oak", "fir", "elm"]])
    drawn = [few_elements(BOXES, np.random.default_rng((3, number)), material) for number in range(200)]
    assert {len(each["boxes"]) for each in drawn} == {1, 2, 3, 4}
    assert any(box["kind"] == "elm" for each in drawn for box in each["boxes"])
    assert few_elements({"boxes": []}, np.random.default_rng(1)) is None


def test_arguments_get_numbers_that_mean_something() -> None:
    drawn = [with_known_numbers({"x": 9, "y": 0.5}, np.random.default_rng(k), [200]) for k in range(20)]
    assert {200, 9} == {each["x"] for each in drawn}


def test_rows_in_texts_inside_data_are_changed_alike() -> None:
    solid = {"parts": [{"file": "solid\nvertex 0 0 1\nvertex 4 0 1\nvertex 0 0 1\nend"}]}
    changed = [mutated(solid, np.random.default_rng((4, number))) for number in range(600)]
    texts = [text for each in changed for _, text in parts_of(each) if isinstance(text, str)]
    rows = [[line for line in text.splitlines() if line.startswith("vertex")] for text in texts]
    assert any(len(each) == 3 and each[0] == each[2] != "vertex 0 0 1" for each in rows)


def test_a_known_number_that_is_infinite_stays_as_it_is() -> None:
    assert any(
        with_known_numbers({"x": 1}, np.random.default_rng(seed), [float("inf")]) == {"x": float("inf")}
        for seed in range(9)
    )
