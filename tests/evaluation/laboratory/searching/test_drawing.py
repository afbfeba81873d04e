"""What changes of answers are drawn from."""

import numpy as np

from spatial_workbench.engine.evaluation.laboratory.searching.drawing import (
    KnownOfInstance,
    drawn_path,
    elements_of,
    like,
)

SNAKE = {"food": [[1, 2, 1]], "size": [4, 4, 4], "walls": [[1, 1, 1]], "name": "small"}


def test_an_instance_tells_its_numbers_and_vectors_once() -> None:
    material = KnownOfInstance(parameters=SNAKE)
    assert sorted(material.numbers) == [1, 2, 4]
    assert material.vectors == [[1, 2, 1], [4, 4, 4], [1, 1, 1]]


def test_parameters_that_are_very_large_tell_nothing() -> None:
    assert KnownOfInstance(parameters={"cells": [[7, 7]] * 20_000}).numbers == []


def test_paths_of_each_kind_are_drawn_equally_often() -> None:
    paths = [("steps",), *(("steps", place, "xy") for place in range(99))]
    rng = np.random.default_rng(1)
    assert 30 < sum(drawn_path(rng, paths) == ("steps",) for _ in range(100)) < 70


def test_numbers_in_the_place_of_whole_ones_stay_whole() -> None:
    assert repr(like(3.0, 2)) == "3"
    assert repr(like(3.5, 2)) == "3.5"
    assert repr(like(3.0, 2.0)) == "3.0"


def test_elements_are_the_entries_of_lists_that_hold_more() -> None:
    assert elements_of({"points": [{"x": 1}, {"x": 2}], "name": "a"}) == [("points", 0), ("points", 1)]
