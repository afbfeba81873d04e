"""Every verifier is asked, trouble is a finding, and pairs that say the same are told once."""

import itertools
import time
from collections.abc import Callable

from spatial_workbench.engine.core import Check, Instance, State, Verdict
from spatial_workbench.engine.core.consent import programs_may_run
from spatial_workbench.engine.evaluation.laboratory.searching.asking import (
    ProgramMissed,
    ask,
    ask_all,
    ask_twice,
    findings_in,
)
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Trouble

PLACE = Instance.published("x", 0, {})


def judge(name: str, score: Callable[[], float]) -> AnyVerifier:
    """A verifier that gives a score, and fails a check below 1."""

    def run(instance: Instance, answer: str) -> Verdict:
        given = score()
        state = State.PASSED if given == 1 else State.FAILED
        checks = (Check(name="overlaps", state=state),)
        return Verdict(instance="x:0", verifier=name, version="1", score=given, passed=given == 1, checks=checks)

    return AnyVerifier(name, "1", run)


def fails() -> float:
    raise KeyError("boxes")


def pairs(*verifiers: AnyVerifier) -> list[tuple[str, str, str]]:
    ruled = ask_all(verifiers, PLACE, "{}")
    found = findings_in(verifiers, ruled, "x:0", "{}", "test")
    return [(each.divergence.first, each.divergence.second, each.divergence.by_check) for each in found]


def test_verifiers_that_agree_give_no_finding() -> None:
    assert pairs(judge("default", lambda: 1.0), judge("published", lambda: 1.0)) == []


def test_a_pair_is_left_out_that_follows_from_the_default() -> None:
    found = pairs(judge("default", lambda: 1.0), judge("published", lambda: 0.0), judge("crosscheck", lambda: 1.0))
    assert found == [("default", "published", "overlaps")]


def test_a_pair_is_told_where_both_part_from_the_default_and_from_each_other() -> None:
    found = pairs(judge("default", lambda: 1.0), judge("published", lambda: 0.0), judge("theirs", lambda: 0.5))
    assert ("published", "theirs", "score") in found


def test_an_exception_is_a_finding() -> None:
    assert pairs(judge("default", lambda: 0.0), judge("published", fails)) == [("default", "published", "exception")]


def test_that_all_verifiers_fail_is_a_finding() -> None:
    assert pairs(judge("default", fails), judge("published", fails)) == [("default", "published", "exception")]


def test_a_default_that_is_asked_alone_may_fail_or_not() -> None:
    assert pairs(judge("default", lambda: 1.0)) == []
    assert pairs(judge("default", fails)) == [("default", "default", "exception")]


def test_a_verifier_that_says_something_else_the_second_time_is_in_trouble() -> None:
    scores = itertools.cycle((0.0, 0.5))
    verifiers = (judge("default", lambda: 1.0), judge("theirs", lambda: next(scores)))
    changed = ask_twice(verifiers, PLACE, "{}", ask_all(verifiers, PLACE, "{}"))
    assert list(changed) == ["theirs"]
    assert changed["theirs"].kind == "not the same twice"


def test_a_verifier_that_takes_too_long_is_in_trouble() -> None:
    def slow() -> float:
        time.sleep(30)
        return 1.0

    ruled = ask(judge("theirs", slow), PLACE, "{}", limit_s=0.05)
    assert isinstance(ruled, Trouble)
    assert ruled.kind == "time-out"


def test_a_verifier_that_waits_for_the_processor_may_take_longer_by_the_clock() -> None:
    def waits() -> float:
        time.sleep(0.3)
        return 1.0

    ruled = ask(judge("theirs", waits), PLACE, "{}", limit_s=0.2)
    assert not isinstance(ruled, Trouble)


def test_a_verifier_that_was_late_once_does_not_say_two_things() -> None:
    verifiers = (judge("default", lambda: 1.0), judge("theirs", lambda: 1.0))
    before = {**ask_all(verifiers, PLACE, "{}"), "theirs": Trouble("theirs", "time-out", "It took longer than 60 s.")}
    assert ask_twice(verifiers, PLACE, "{}", before) == {}


def test_an_answer_whose_program_was_not_run_is_left_out() -> None:
    verifiers = (judge("default", lambda: float(programs_may_run())),)
    try:
        ask_all(verifiers, PLACE, "{}")
    except ProgramMissed:
        missed = True
    assert missed
    assert ask_all(verifiers, PLACE, "{}", programs=True)["default"].passed
