"""Rules of quality: each is broken once, and none looks at scores."""

import pytest

from spatial_workbench.engine.studies.analysis.rules import (
    DEFAULTS,
    ByHand,
    breaches,
    excluded_sessions,
    excluded_trials,
    list_hash,
)
from spatial_workbench.engine.studies.planning.document import StudyResponse, study_of
from spatial_workbench.engine.studies.sessions.schema import (
    SessionRecord,
    SessionState,
    Submission,
    TrialRecord,
    TrialState,
)
from tests.studies.planning.test_document import SMALLEST

STUDY = study_of(SMALLEST)
LONG = "x" * 201


def trial(position=0, item="m0", answer="an answer", **values):
    given = {"phase": "main", "state": TrialState.SUBMITTED, "active_ms": 60_000, "elapsed_ms": 60_000, "edits": 3}
    submissions = (Submission(number=1, active_ms=60_000, answer=answer),)
    given |= {"submissions": submissions, **values}
    return TrialRecord(position=position, block="a", item=item, condition="only", **given)


def session(*trials, name="s1", **values):
    given = {"code": "P001H", "state": SessionState.FINISHED} | values
    return SessionRecord(id=name, study=STUDY.hash, trials=trials or (trial(), trial(1, "m1")), **given)


def rules_broken(*sessions, study=STUDY, **more):
    return [(breach.rule, breach.position) for breach in breaches(study, sessions, **more)]


def test_a_session_without_fault_breaks_no_rule():
    assert rules_broken(session()) == []


BROKEN = {
    "too_fast": [session(trial(active_ms=4_000, submissions=()))],
    "no_edits": [session(trial(edits=0))],
    "attention": [session(trial(), trial(1, phase="attention", as_expected=False), trial(2, phase="attention"))],
    "left_window": [session(trial(away_ms=60_001, active_ms=60_001, elapsed_ms=60_001))],
    "covered": [session(trial(covered_ms=60_001, elapsed_ms=120_001))],
    "gap": [session(trial(gap_ms=600_001)), session(trial(resumes=4))],
    "connection": [
        session(trial(gap_ms=120_001, connection_ms=120_001, elapsed_ms=180_001)),
        session(trial(round_trips={"count": 60, "median_ms": 80, "p95_ms": 251, "worst_ms": 900})),
    ],
    "incomplete": [session(*(trial(i, state=TrialState.SKIPPED if i else TrialState.SUBMITTED) for i in range(3)))],
    "comprehension": [session(trial(), trial(1, phase="comprehension", as_expected=False))],
    "declared": [
        session(covariates={"used_ai": True}),
        session(covariates={"met_items": True}),
        session(covariates={"used_tools": True}),
    ],
    "file": [session(file_faults=("altered",)), session(trial(), trial()), session(trial(active_ms=90_000))],
}


def items_of(*addresses, **changes):
    """A study of these instances, m0, m1 and so on."""
    items = [{"id": f"m{k}", "address": address} for k, address in enumerate(addresses)]
    return study_of(SMALLEST | {"blocks": [{"id": "a", "order": "fixed", "items": items}]} | changes)


@pytest.mark.parametrize("address", ["shikaku", "delaunay", "topology_enumeration"])
def test_equal_answers_say_nothing_where_all_right_answers_are_alike(address):
    alike = items_of(f"{address}:0", f"{address}:1")
    people = [session(trial(answer=LONG), trial(1, "m1", answer=LONG), name=name) for name in ("s1", "s2")]
    assert rules_broken(*people, study=alike) == []


def test_a_tool_that_the_plan_allows_excludes_nobody():
    used = session(covariates={"used_ai": "yes"})
    assert rules_broken(used) == [("declared", None)]
    assert rules_broken(used, study=items_of("maze_3d:0", tools={"ai": "allowed"})) == []


@pytest.mark.parametrize(("rule", "broken"), [(rule, each) for rule, sessions in BROKEN.items() for each in sessions])
def test_a_rule_that_is_broken_is_named(rule, broken):
    assert rule in {name for name, _ in rules_broken(broken)}


def test_equal_long_answers_on_two_items_flag_the_later_session():
    both = (trial(answer=LONG), trial(1, "m1", answer=LONG + "y"))
    found = breaches(STUDY, [session(*both), session(*both, name="s2", code="P002Q")])
    assert [(breach.rule, breach.session) for breach in found] == [("identical", "s2")]


def test_the_leader_excludes_with_a_reason():
    found = breaches(STUDY, [session()], by_hand=[ByHand("s1", "The fire alarm rang.", 0)])
    assert excluded_trials(found) == {("s1", 0)}
    with pytest.raises(ValueError, match="at least 10 characters"):
        ByHand("s1", "noise")


def test_every_rule_is_broken_by_a_session_of_these_tests():
    assert {*BROKEN, "identical", "by_hand"} == set(DEFAULTS)


def test_the_pilot_sets_how_fast_is_too_fast():
    fast = session(trial(active_ms=20_000))
    assert rules_broken(fast) == []
    assert rules_broken(fast, pilot_medians_ms={"m0": 300_000.0}) == [("too_fast", 0)]


def test_a_rule_that_is_off_finds_nothing():
    off = study_of(SMALLEST | {"rules": [{"rule": "no_edits", "response": "off"}]})
    assert rules_broken(session(trial(edits=0)), study=off) == []


def test_flags_exclude_nobody():
    assert excluded_sessions(breaches(STUDY, [session(trial(edits=0))])) == set()


def test_dropping_a_rule_brings_back_whom_it_alone_excludes():
    found = breaches(STUDY, [session(covariates={"used_ai": True})])
    assert (excluded_sessions(found), excluded_sessions(found, without="declared")) == ({"s1"}, set())
    assert found[0].response is StudyResponse.EXCLUDE


def test_equal_lists_have_equal_hashes():
    broken = [session(trial(edits=0))]
    assert list_hash(breaches(STUDY, broken)) == list_hash(breaches(STUDY, broken)) != list_hash([])


def test_another_build_is_no_reason_to_exclude():
    assert rules_broken(session(file_faults=("build",))) == []
