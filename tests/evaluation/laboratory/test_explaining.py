"""Why two verdicts on one answer differ."""

import pytest

from spatial_workbench.engine.core import Check, Figure, State, Verdict, resolve
from spatial_workbench.engine.evaluation.laboratory import known_differences
from spatial_workbench.engine.evaluation.laboratory.explaining import (
    DifferenceExplained,
    deciding_check,
    decisive,
    explained,
    figure_pairs,
)


def verdict(name: str, score: float, passed: bool, failed: str = "", *figures: Figure) -> Verdict:
    checks = (Check(name=failed, state=State.FAILED, message="It is wrong."),) if failed else ()
    return Verdict(
        instance="x:0", verifier=name, version="1", score=score, passed=passed, checks=checks, figures=figures
    )


def explanation_of(task: str, id: str) -> DifferenceExplained:
    """The explanation of the example of a known difference."""
    known = next(each for each in known_differences(task) if each.id == id)
    judged, instance = resolve(known.example.address)
    answer = known.example.answer
    verdicts = (judged.verify(instance, answer, name) for name in ("default", known.verifier))
    return explained(instance.address, answer, *verdicts)


def test_the_figure_that_differs_most_comes_first_with_its_difference() -> None:
    first = verdict("default", 0.1, False, "", Figure("blasts", 4), Figure("flat", 51, "cells"), Figure("lost", 1.0))
    second = verdict("published", 0.2, False, "", Figure("blasts", 4), Figure("flat", 74, "cells"), Figure("lost", 1.1))
    pairs = figure_pairs(first, second)
    assert [(pair.name, pair.difference) for pair in pairs[:1]] == [("flat", 23)]
    assert [pair.name for pair in pairs] == ["flat", "lost", "blasts"]
    assert not pairs[-1].differs


def test_a_figure_that_only_one_has_is_shown_without_a_difference() -> None:
    (pair,) = figure_pairs(verdict("default", 0, False, "", Figure("raw", 0.5)), verdict("published", 0, False))
    assert (pair.first, pair.second, pair.difference, pair.differs) == (0.5, None, None, False)


def test_a_check_that_fails_in_one_verdict_only_decides() -> None:
    first, second = verdict("default", 0, False, "no slivers"), verdict("published", 1, True)
    assert deciding_check(first, second) == deciding_check(second, first) == "no slivers"
    assert decisive(first, second, ()) == (
        "They part at “no slivers”. default: failed (It is wrong); published: passes. "
        "The score is 0.00 by default and 1.00 by published."
    )


def test_a_full_score_that_does_not_pass_says_what_decides() -> None:
    first, second = verdict("default", 1, False, "nobody can be seen"), verdict("published", 1, True)
    said = decisive(first, second, ())
    assert "“nobody can be seen”" in said
    assert "Both give a score of 1.00, so the score does not decide." in said


def test_a_difference_of_score_alone_names_the_figure_that_differs_most() -> None:
    first = verdict("default", 0.18, False, "", Figure("flat", 51, "cells"))
    second = verdict("published", 0.28, False, "", Figure("flat", 74, "cells"))
    assert decisive(first, second, figure_pairs(first, second)) == (
        "The score is 0.18 by default and 0.28 by published. No check differs. "
        "The figure that differs most is “flat”: 51 cells by default, 74 cells by published."
    )


def test_a_difference_that_nothing_measures_is_said_to_be_one_of_method() -> None:
    said = decisive(verdict("default", 0.18, False), verdict("crosscheck", 0.28, False), ())
    assert said.endswith("No check and no figure differs: the two measure in different ways.")


@pytest.mark.parametrize(
    ("task", "id", "words"),
    [
        ("delaunay", "key-before-rounding", "Extra: 1-15-18"),
        ("hamiltonian_loop", "fractional-coordinates", "x = 0.5 is not a whole number"),
        ("fluid_simulation", "exactly-200", "lakes: 0, wanted 2"),
    ],
)
def test_a_known_difference_is_named_and_told(task: str, id: str, words: str) -> None:
    said = explanation_of(task, id)
    assert [known.id for known in said.known] == [id]
    assert words in said.decides
