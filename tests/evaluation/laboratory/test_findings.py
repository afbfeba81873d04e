"""Answers that two verifiers judge differently, and the shapes of differences."""

from spatial_workbench.engine.core import Check, State, Verdict
from spatial_workbench.engine.evaluation.laboratory import AnyVerifier, Trouble, divergence


def _judge(name: str, tolerance: float | None = None) -> AnyVerifier:
    return AnyVerifier(
        name,
        "1",
        lambda instance, answer: Verdict(instance="", verifier=name, version="1", score=0, passed=False),
        tolerance,
    )


def _verdict(score: float, passed: bool, **checks: State) -> Verdict:
    rows = tuple(Check(name=name, state=state) for name, state in checks.items())
    return Verdict(instance="", verifier="x", version="1", score=score, passed=passed, checks=rows)


def test_verdicts_that_agree_do_not_part() -> None:
    same = _verdict(1.0, True)
    assert divergence((_judge("default"), same), (_judge("published"), same)) is None


def test_verdicts_part_on_the_first_check_that_differs() -> None:
    ours = _verdict(0.0, False, form=State.PASSED, overlaps=State.FAILED)
    theirs = _verdict(1.0, True, form=State.PASSED, overlaps=State.PASSED)
    found = divergence((_judge("default"), ours), (_judge("published"), theirs))
    assert found is not None
    assert (found.by_check, found.direction) == ("overlaps", "failed, passed")


def test_scores_may_differ_by_the_tolerance_of_the_cross_check() -> None:
    ours, theirs = _verdict(0.50, False), _verdict(0.53, False)
    assert divergence((_judge("default"), ours), (_judge("crosscheck", 0.05), theirs)) is None
    assert divergence((_judge("default"), ours), (_judge("published"), theirs)) is not None


def test_trouble_parts_a_verifier_from_one_that_gives_a_verdict() -> None:
    trouble = Trouble("theirs", "exception", "KeyError: 'boxes'")
    found = divergence((_judge("default"), _verdict(0.0, False)), (_judge("theirs"), trouble))
    assert found is not None
    assert found.shape == "default|theirs|exception|failed, exception"


def test_two_verifiers_in_the_same_trouble_do_not_part() -> None:
    trouble = Trouble("theirs", "exception", "KeyError: 'boxes'")
    assert divergence((_judge("default"), trouble), (_judge("theirs"), trouble)) is None


def test_two_scores_part_by_who_gives_more() -> None:
    lower, higher = _verdict(0.2, False), _verdict(0.7, False)
    found = divergence((_judge("default"), lower), (_judge("published"), higher))
    assert found is not None
    assert found.direction == "lower, higher"
    found = divergence((_judge("default"), _verdict(0.9, True)), (_judge("published"), _verdict(0.4, True)))
    assert found is not None
    assert found.direction == "higher, lower"
    found = divergence((_judge("default"), lower), (_judge("published"), _verdict(1.0, True)))
    assert found is not None
    assert found.direction == "partly, passed"
