"""Where verifiers switch, found by halving: ours at the rules, and others that are stricter, laxer or broken."""

import json
import math
import sys
from itertools import pairwise

import pytest

from spatial_workbench.engine.core import Cancelled, Verdict
from spatial_workbench.engine.evaluation.laboratory.calibrating import Calibrated, calibrate, gauged_tolerances
from spatial_workbench.engine.evaluation.laboratory.calibrating.calibration import shown
from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, verifiers_of
from tests.sweeps import some

TASK = "pipe_loop"
CALIBRATION = "spatial_workbench.engine.evaluation.laboratory.calibrating.calibration"
GRADER = """
import json, math, sys
points = [(p["x"], p["y"]) for p in json.load(sys.stdin)["answer"]["points"]]
longest = max(math.dist(a, b) for a, b in zip(points, points[1:] + points[:1]))
print(json.dumps({"score": float(longest <= 1.03), "passed": longest <= 1.03}))
"""


def longest_pipe(text):
    points = [(point["x"], point["y"]) for point in json.loads(text)["points"]]
    return max(math.dist(first, second) for first, second in pairwise([*points, points[0]]))


def _default_of(task):
    return next(each for each in verifiers_of(task) if each.name == "default")


@pytest.fixture
def switching(monkeypatch, longest):
    """What is found of a verifier that gives a score and passes by the length of the longest pipe."""

    def found(said):
        def judge(instance, text):
            score, passed = said(longest_pipe(text))
            return Verdict(instance=instance.address, verifier="theirs", version="1", score=score, passed=passed)

        monkeypatch.setattr(f"{CALIBRATION}.verifiers_of", lambda task, others: [AnyVerifier("theirs", "1", judge)])
        (only,) = calibrate([TASK])
        return only

    return found


@pytest.fixture
def longest(monkeypatch):
    """Only the tolerance of the longest pipe is calibrated."""
    (only,) = (tolerance for tolerance in gauged_tolerances(TASK) if tolerance.id == "longest")
    monkeypatch.setattr(f"{CALIBRATION}.gauged_tolerances", lambda task: (only,))


@pytest.mark.slow
@pytest.mark.parametrize("task", some(("two_segments", "tetrahedra_shadow", "hide_and_seek", "pipe_loop"), 2))
def test_our_default_switches_where_the_rules_say(task):
    found = [each for each in calibrate([task]) if each.verifier == "default"]
    assert {each.tolerance.id: each.outcome for each in found} == {
        tolerance.id: Calibrated.AS_THE_RULES for tolerance in gauged_tolerances(task)
    }


@pytest.mark.slow
@pytest.mark.parametrize("tolerance", [each.id for each in gauged_tolerances("interlocking_parts")])
def test_each_tolerance_of_a_cage_switches_where_the_rules_say(tolerance, monkeypatch):
    chosen = tuple(each for each in gauged_tolerances("interlocking_parts") if each.id == tolerance)
    monkeypatch.setattr(f"{CALIBRATION}.gauged_tolerances", lambda task: chosen)
    monkeypatch.setattr(f"{CALIBRATION}.verifiers_of", lambda task, others: [_default_of(task)])
    (found,) = calibrate(["interlocking_parts"])
    assert found.outcome is Calibrated.AS_THE_RULES


def test_both_ends_of_the_switch_are_told(longest):
    default = calibrate([TASK])[0]
    assert default.accepted == pytest.approx(1.05, abs=1e-11)
    assert default.refused == pytest.approx(1.05, abs=1e-11)
    assert default.words == "accepts pipes up to 1.0500 m; rules: 1.05 m"


@pytest.mark.slow
def test_a_published_verifier_that_measures_otherwise_is_found():
    found = {each.verifier: each for each in calibrate(["csg_union"])}
    assert found["published"].outcome is Calibrated.STRICTER
    assert found["published"].accepted == pytest.approx(0.0025, abs=1e-6)


@pytest.mark.parametrize(("limit", "outcome"), [(1.03, Calibrated.STRICTER), (1.1, Calibrated.LAXER)])
def test_a_stricter_and_a_laxer_verifier_are_told_apart(switching, limit, outcome):
    found = switching(lambda longest: (float(longest <= limit), longest <= limit))
    assert found.outcome is outcome
    assert found.accepted == pytest.approx(limit, abs=1e-9)


def test_scores_alone_tell_the_switch(switching):
    found = switching(lambda longest: (0.8 if longest <= 1.04 else 0.3, False))
    assert (found.outcome, found.accepted) == (Calibrated.STRICTER, pytest.approx(1.04, abs=1e-9))


def test_one_that_says_the_same_everywhere_does_not_switch(switching):
    found = switching(lambda longest: (0.5, False))
    assert (found.outcome, found.accepted) == (Calibrated.NO_SWITCH, None)
    assert found.words == "no switch: it says the same at 1 and 1.2"


def test_one_that_switches_to_and_fro_is_told(switching):
    found = switching(lambda longest: (0.0, longest <= 1.03 or 1.09 < longest < 1.12))
    assert found.outcome is Calibrated.SEVERAL
    assert found.words.endswith("it switches more than once")


def test_one_that_gives_no_verdict_says_why(switching):
    found = switching(lambda longest: None)
    assert found.outcome is Calibrated.TROUBLE
    assert found.says


@pytest.mark.slow
def test_a_verifier_of_ones_own_is_asked_beside_ours(tmp_path, longest):
    path = tmp_path / "grader.py"
    path.write_text(GRADER)
    own = OwnVerifier(name="theirs", task=TASK, kind=OwnKind.COMMAND, command=(sys.executable, str(path)))
    found = {each.verifier: each for each in calibrate([TASK], [own])}
    assert set(found) == {"default", "published", "crosscheck", "own:theirs"}
    assert found["own:theirs"].accepted == pytest.approx(1.03, abs=1e-9)


def test_it_ends_where_it_is_cancelled():
    asked = []

    def progress(done, total, text=""):
        asked.append(text)
        if len(asked) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        calibrate([TASK], progress=progress)
    assert asked == [f"{TASK}, outside: default"] * 5


@pytest.mark.parametrize(
    ("figure", "near", "words"),
    [(0.0499999999, 1e-9, "0.0500"), (1e-6, 1e-9, "1e-06"), (0.0, 1e-9, "0"), (0.00166537, 1e-9, "0.00166537")],
)
def test_a_figure_has_the_digits_that_mean_something(figure, near, words):
    assert shown(figure, near) == words
