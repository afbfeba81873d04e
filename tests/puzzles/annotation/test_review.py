"""Review: states follow from a log of events, which can be merged in any order."""

import json
import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.flagging import UnreadableFlags, read_flags, user_text
from spatial_workbench.engine.puzzles.annotation.review import (
    EVENTS,
    Assigned,
    Audited,
    Checked,
    Commented,
    Decided,
    Drawn,
    Flag,
    Flagged,
    FlagKind,
    OwnAnnotation,
    Reopened,
    Resolved,
    Returned,
    Review,
    ReviewError,
    ReviewState,
    Settled,
    Unreadable,
    after,
    audit_sample,
    ordered,
    review_statistics,
    reviews_of,
)
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice
from spatial_workbench.engine.puzzles.puzzle import read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.originals import original

PUZZLE = original("Packing_Room").puzzle
TEXT = write_metadata(PUZZLE)
START = datetime(2026, 1, 1, tzinfo=UTC)
FLAG = Flag(step=2, kind=FlagKind.JUMP, reason="How is the lid found?")


class Log:
    """Events of a puzzle, a minute apart."""

    def __init__(self, folder="Packing_Room"):
        self.folder = folder
        self.events = []

    def add(self, kind, person="ada", version="v1", **values):
        at = START + timedelta(minutes=len(self.events))
        self.events.append(kind(folder=self.folder, version=version, at=at, person=person, **values))
        return self

    def checked(self):
        return self.add(Checked, metadata=TEXT)

    def in_review(self):
        flagged = self.checked().add(Flagged, "a model", by_model=True, flags=(FLAG,))
        return flagged.add(Assigned, reviewers=("ben", "cleo"))

    def decided(self, person, decision):
        return self.add(Decided, person, decision=decision)

    @property
    def review(self):
        return reviews_of(self.events)[self.folder]


def accepting(**changes):
    return PuzzleDecision(steps=(StepDecision(judged=JudgedAnnotation.ACCEPT),) * len(PUZZLE.reasoning), **changes)


def editing(step, text):
    steps = list(accepting().steps)
    steps[step] = StepDecision(judged=JudgedAnnotation.CHANGE, text=text)
    return PuzzleDecision(steps=tuple(steps))


def rejecting(step):
    steps = list(accepting().steps)
    steps[step] = StepDecision(judged=JudgedAnnotation.REJECT, reason="wrong")
    return PuzzleDecision(steps=tuple(steps))


def test_two_accepts_verify():
    log = Log().in_review().decided("ben", accepting())
    assert log.review.state is ReviewState.IN_REVIEW
    log.decided("cleo", accepting())
    assert log.review.state is ReviewState.VERIFIED
    assert not log.review.is_changed


def test_two_equal_edits_verify_the_edited_text():
    edit = editing(0, "Pattern discovery: six squares fold into a box.")
    review = Log().in_review().decided("ben", edit).decided("cleo", edit).review
    assert review.state is ReviewState.VERIFIED
    assert review.is_changed
    assert "six squares" in review.result


@pytest.mark.parametrize(
    "second", [editing(0, "Another text altogether."), rejecting(1), accepting(solution="PARCELS")]
)
def test_different_decisions_disagree(second):
    assert (
        Log().in_review().decided("ben", accepting()).decided("cleo", second).review.state is ReviewState.DISAGREEMENT
    )


def test_two_rejections_disagree_since_there_is_no_text():
    log = Log().in_review().decided("ben", rejecting(1)).decided("cleo", rejecting(1))
    assert log.review.state is ReviewState.DISAGREEMENT


def test_logs_of_old_versions_mean_the_same():
    lines = (Path(__file__).parent / "data" / "reviews_of_an_old_version.jsonl").read_text("utf-8").splitlines()
    events = [EVENTS.validate_python(json.loads(line)["event"], strict=False) for line in lines]
    reviews = reviews_of(events)
    assert {name: review.state.value for name, review in reviews.items()} == {
        "Settled": "verified",
        "Agreed": "audit",
        "Open": "disagreement",
        "Early": "checked",
        "Back": "draft",
        "Clear": "flagged",
    }
    figures = review_statistics(reviews.values())
    assert (figures.reviewed, figures.flagged, figures.pairs) == (5, 0.8, 3)
    assert (figures.changed, figures.agreement) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    old = reviews["Settled"]
    assert (old.settled_by, old.is_settled_by_a_party, old.kept_rejected) == (("cleo",), True, (2,))


def disputed():
    return Log().in_review().decided("ben", accepting()).decided("cleo", rejecting(1))


DELETE = (SettledChoice(place="step 2", taken="B"),)


def test_a_third_person_settles_and_a_rejected_step_is_gone():
    review = disputed().add(Settled, "dan", choices=DELETE).review
    assert (review.state, review.settled_by) == (ReviewState.VERIFIED, ("dan",))
    kept = [step for k, step in enumerate(PUZZLE.reasoning) if k != 1]
    assert list(read_metadata(review.result).puzzle.reasoning) == kept


def test_who_disputes_proposes_and_the_other_has_to_agree():
    log = disputed().add(Settled, "cleo", choices=DELETE)
    assert log.review.state is ReviewState.DISAGREEMENT
    other = (SettledChoice(place="step 2", taken="original"),)
    assert log.add(Settled, "ben", choices=other).review.state is ReviewState.DISAGREEMENT
    review = log.add(Settled, "ben", choices=DELETE).review
    assert (review.state, review.settled_by) == (ReviewState.VERIFIED, ("ben", "cleo"))
    assert not review.is_settled_by_a_party


@pytest.mark.parametrize(
    ("person", "choices", "reason"),
    [("ada", DELETE, "ada is the author"), ("dan", (), "Nothing is chosen for step 2")],
)
def test_nothing_is_verified_before_everything_is_settled(person, choices, reason):
    event = Settled(folder="Packing_Room", version="v1", person=person, choices=choices)
    with pytest.raises(ReviewError, match=reason):
        after(disputed().review, event)


def test_no_flag_is_needed_to_assign_people():
    due = date(2026, 2, 1)
    review = Log().checked().add(Assigned, reviewers=("ben", "cleo"), needs_flag=False, due=due).review
    assert (review.state, review.due) == (ReviewState.IN_REVIEW, due)
    other = Assigned(folder="Packing_Room", version="v1", person="x", reviewers=("dan", "eve"), needs_flag=False)
    assert after(review, other).reviewers == ("dan", "eve")
    decided = after(review, Decided(folder="Packing_Room", version="v1", person="ben", decision=accepting()))
    with pytest.raises(ReviewError, match="ben has decided already"):
        after(decided, other)


def test_a_puzzle_goes_back_with_what_is_to_be_changed_and_comes_again():
    log = disputed().add(Returned, "dan", wanted="Say how the lid is found.")
    assert (log.review.state, log.review.wanted) == (ReviewState.RETURNED, "Say how the lid is found.")
    again = log.add(Checked, version="v2", metadata=TEXT).review
    assert (again.state, again.wanted, again.decisions) == (
        ReviewState.CHECKED,
        "Say how the lid is found.",
        {},
    )


def test_comments_have_replies_and_outlast_a_return():
    log = disputed().add(Commented, "eve", text="Why?", step=2)
    log.add(Commented, "ben", version="", text="See page 1.", reply_to=log.events[-1].id)
    review = log.add(Returned, "dan", wanted="x").add(Checked, metadata=TEXT).review
    assert [comment.text for comment in review.comments] == ["Why?", "See page 1."]
    assert review.comments[1].reply_to == review.comments[0].id


def test_the_text_that_settles_a_disagreement_is_what_counts():
    settled = write_metadata(replace(PUZZLE, flavor_text="Settled."))
    log = Log().in_review().decided("ben", accepting()).decided("cleo", rejecting(0))
    review = log.add(Resolved, "dan", metadata=settled, choices=("B",)).review
    assert review.state is ReviewState.VERIFIED
    assert read_metadata(review.result).puzzle.flavor_text == "Settled."


def test_no_flags_make_a_puzzle_clear():
    assert Log().checked().add(Flagged, by_model=True, flags=()).review.state is ReviewState.CLEAR


def test_an_unreadable_answer_is_never_clear():
    review = Log().checked().add(Unreadable, "a model", answer="Looks fine!").review
    assert review.state is ReviewState.CHECKED
    assert review.has_unreadable_flags


def test_a_person_may_flag_what_a_model_let_pass():
    log = Log().checked().add(Flagged, "m", by_model=True, flags=()).add(Flagged, "eve", by_model=False, flags=(FLAG,))
    assert log.review.state is ReviewState.FLAGGED


@pytest.mark.parametrize(
    ("reviewers", "reason"),
    [(("ben", "ben"), "Two different reviewers"), (("ada", "ben"), "ada is the author")],
)
def test_reviewers_are_two_and_not_the_author(reviewers, reason):
    review = Log().checked().add(Flagged, by_model=True, flags=(FLAG,)).review
    event = Assigned(folder="Packing_Room", version="v1", person="x", reviewers=reviewers)
    with pytest.raises(ReviewError, match=reason):
        after(review, event)


def test_a_stranger_cannot_decide():
    review = Log().in_review().review
    with pytest.raises(ReviewError, match="mallory is not a reviewer"):
        after(review, Decided(folder="Packing_Room", version="v1", person="mallory", decision=accepting()))


def test_a_reviewer_decides_once():
    review = Log().in_review().decided("ben", accepting()).review
    with pytest.raises(ReviewError, match="ben has decided already"):
        after(review, Decided(folder="Packing_Room", version="v1", person="ben", decision=rejecting(0)))


def test_a_puzzle_that_changed_since_has_to_be_sent_again():
    review = Log().checked().review
    with pytest.raises(ReviewError, match="has changed since it was sent"):
        after(review, Flagged(folder="Packing_Room", version="v2", person="m", by_model=True, flags=()))


def test_an_audit_verifies_or_flags():
    log = Log().checked().add(Flagged, by_model=True, flags=()).add(Drawn, seed=1)
    assert log.review.state is ReviewState.AUDIT
    wrong = reviews_of([*log.events, log.add(Audited, correct=False, note="no").events.pop()])["Packing_Room"]
    assert wrong.state is ReviewState.FLAGGED
    assert log.add(Audited, correct=True).review.state is ReviewState.VERIFIED


def test_reopening_brings_a_puzzle_back_to_its_author():
    log = Log().in_review()
    original = log.review.original
    reopened = log.add(Reopened, reason="page changed").review
    assert reopened == Review("Packing_Room", author="ada", earlier=(original,))


PEOPLE = st.sampled_from(["ada", "ben", "cleo", "dan"])


@st.composite
def any_event(draw):
    """An event that may or may not be allowed where it stands."""
    about = {
        "id": draw(st.uuids()).hex,
        "folder": draw(st.sampled_from(["Packing_Room", "Other"])),
        "version": draw(st.sampled_from(["v1", "v1", "v2"])),
        "person": draw(PEOPLE),
        "at": START + timedelta(minutes=draw(st.integers(0, 5))),
    }
    kinds = {
        Checked: {"metadata": TEXT},
        Flagged: {"by_model": draw(st.booleans()), "flags": draw(st.sampled_from([(), (FLAG,)]))},
        Assigned: {"reviewers": ("ben", "cleo"), "needs_flag": draw(st.booleans())},
        Decided: {"decision": draw(st.sampled_from([accepting(), rejecting(1), editing(0, "Other.")]))},
        Settled: {"choices": DELETE},
        Resolved: {"metadata": TEXT},
        Commented: {"text": "Why?"},
        OwnAnnotation: {"metadata": TEXT},
        Returned: {"wanted": "More."},
        Reopened: {},
    }
    kind = draw(st.sampled_from(list(kinds)))
    return kind(**about, **kinds[kind])


LOGS = st.lists(any_event(), max_size=8)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(LOGS, LOGS, LOGS)
def test_merging_is_commutative_associative_and_idempotent(first, second, third):
    states = reviews_of(first + second + third)
    assert reviews_of(third + first + second) == states
    assert reviews_of(ordered(ordered(first + second) + third)) == states
    assert reviews_of(ordered(first + ordered(second + third))) == states
    assert reviews_of(first + second + third + first) == states


def test_logs_merge_in_any_order_and_any_number_of_times():
    log = Log().in_review().decided("ben", accepting()).decided("cleo", rejecting(0))
    shuffled = [*log.events, *log.events]
    random.Random(3).shuffle(shuffled)
    assert reviews_of(shuffled) == reviews_of(log.events)


def test_events_survive_a_file():
    for event in Log().in_review().decided("ben", editing(0, "x")).events:
        assert EVENTS.validate_json(event.model_dump_json()) == event


def test_the_audit_draws_five_percent_and_at_least_one():
    clear = [Review(f"P{i:03}", ReviewState.CLEAR) for i in range(100)]
    assert len(audit_sample(clear, 1)) == 5
    assert audit_sample(clear, 1) == audit_sample(clear[::-1], 1) != audit_sample(clear, 2)
    assert len(audit_sample(clear[:3], 1)) == 1
    assert audit_sample([Review("P", ReviewState.DRAFT)], 1) == []


def test_the_statistics_of_a_review():
    agreed = Log("A").in_review().decided("ben", accepting()).decided("cleo", accepting()).review
    differed = Log("B").in_review().decided("ben", accepting()).decided("cleo", rejecting(0)).review
    clear = Log("C").checked().add(Flagged, by_model=True, flags=()).review
    figures = review_statistics([agreed, differed, clear, Review("D")])
    assert (figures.reviewed, figures.pairs) == (3, 2)
    assert figures.flagged == pytest.approx(2 / 3)
    assert (figures.changed, figures.agreement, figures.kappa) == (0.0, 0.5, 0.0)
    assert figures.audit_correct is None


def test_flags_are_read_from_prose():
    text = 'I think:\n{"flags": [{"step": 2, "kind": "jump", "reason": "why?"}]}\nThat is all.'
    assert read_flags(text, 4) == (Flag(step=2, kind=FlagKind.JUMP, reason="why?"),)
    assert read_flags('{"flags": []}', 4) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Looks fine.",
        "[]",
        '{"flags": "none"}',
        '{"flags": [{"step": 9, "kind": "jump", "reason": ""}]}',
        '{"flags": [{"step": 1, "kind": "ugly", "reason": ""}]}',
        '{"flags": [{"step": -1, "kind": "jump", "reason": ""}]}',
    ],
)
def test_flags_that_cannot_be_read_are_refused(text):
    with pytest.raises(UnreadableFlags):
        read_flags(text, 4)


def test_the_flagging_prompt_holds_solution_steps_and_the_places_of_pictures():
    text = user_text(PUZZLE, 2)
    assert "Solution: PARCEL" in text
    assert "2. (picture 3) Sketching" in text
