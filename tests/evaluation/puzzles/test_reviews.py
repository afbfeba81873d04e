"""Reviews in projects: their files, the model's pass, and what is written into folders."""

import json
import random
import shutil

import pytest

from spatial_workbench.engine.core import Cancelled
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles import flagging
from spatial_workbench.engine.evaluation.puzzles.flagging import flag_set
from spatial_workbench.engine.evaluation.puzzles.reviews import (
    apply_results,
    draw_audit,
    export_review,
    log_name,
    merge_review,
    no_longer_verified,
    record,
    reviews_in,
    send,
    verified,
)
from spatial_workbench.engine.models import ErrorKind, ModelError, ModelSettings, Provider, Response
from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.review import (
    Assigned,
    Decided,
    Flag,
    Flagged,
    Resolved,
    Returned,
    ReviewError,
    Settled,
)
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import Project
from tests.puzzles.conftest import puzzles

__all__ = ["puzzles"]

FLAGS = json.dumps({"flags": [{"step": 1, "kind": "jump", "reason": "Why semaphore?"}]})
CLEAR = '{"flags": []}'
FIRST, SECOND = "Harbour_Clocks", "Supper_Without_a_Lamp"


@pytest.fixture
def project(tmp_path):
    with Project.create(tmp_path / "a.workbench") as opened:
        yield opened


@pytest.fixture
def reviewed(project, puzzles):
    """A project in which two reviewers changed the first step of a puzzle in the same way."""
    send(project, puzzles, puzzles.names(), "Author")
    version = puzzles.folder(FIRST).version()
    about = {"folder": FIRST, "version": version}
    flag = Flag(step=1, kind="unclear", reason="?")
    record(project, "set", Flagged(person="Ada", by_model=False, flags=(flag,), **about))
    record(project, "set", Assigned(person="Ada", reviewers=("Ben", "Cleo"), **about))
    steps = (StepDecision(judged=JudgedAnnotation.CHANGE, text="Pattern discovery: better words."),) + (
        (StepDecision(judged=JudgedAnnotation.ACCEPT),) * 3
    )
    for person in ("Ben", "Cleo"):
        record(project, "set", Decided(person=person, decision=PuzzleDecision(steps=steps), **about))
    return project


class Scripted:
    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def ask(self, request, progress):
        self.asked.append(request)
        progress(0, 1, "")
        text = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(text, Exception):
            raise text
        return Response(text=text, finish_reason="stop", model="m")

    def close(self):
        pass


def flag(monkeypatch, project, puzzles, answerer, **more):
    monkeypatch.setattr(flagging, "open_answerer", lambda settings, capabilities: answerer)
    settings = ModelSettings(name="oak", provider=Provider.COMPATIBLE, base_url="http://x", model="m")
    return flag_set(project.path, Contender(settings=settings), puzzles, **more)


def states(project):
    return {name: review.state.value for name, review in reviews_in(project, "set").items()}


def test_a_set_is_logged_under_the_name_of_its_folder_unless_it_was_added(puzzles):
    assert log_name(puzzles) == "set"


def test_only_puzzles_without_errors_are_sent_to_review(project, puzzles):
    save(puzzles, SECOND, Change(writes={METADATA: b'{"title": ""}'}))
    sent, refused = send(project, puzzles, puzzles.names(), "Ada")
    assert sent == [FIRST]
    assert refused[0].startswith(SECOND)


def test_an_event_that_the_state_does_not_allow_is_not_stored(project, puzzles):
    with pytest.raises(ReviewError):
        record(project, "set", Assigned(folder=FIRST, version="v", person="Ada", reviewers=("B", "C")))
    assert project.puzzles.events() == []


def test_a_model_flags_or_clears_each_puzzle_that_waits(monkeypatch, project, puzzles):
    send(project, puzzles, puzzles.names(), "Ada")
    answerer = Scripted(FLAGS, CLEAR)
    outcome = flag(monkeypatch, project, puzzles, answerer)
    assert (outcome.flagged, outcome.clear) == (1, 1)
    assert states(project) == {FIRST: "flagged", SECOND: "clear"}
    steps = json.loads((puzzles.folder(FIRST).path / METADATA).read_text())["reasoning"]
    assert len(answerer.asked[0].pictures) == 1 + sum("figure" in step for step in steps)


def test_drafts_are_not_shown_to_the_model(monkeypatch, project, puzzles):
    answerer = Scripted(CLEAR)
    flag(monkeypatch, project, puzzles, answerer)
    assert answerer.asked == []


def test_flags_that_cannot_be_read_leave_the_puzzle_waiting(monkeypatch, project, puzzles):
    send(project, puzzles, [FIRST], "Ada")
    answerer = Scripted("all fine")
    outcome = flag(monkeypatch, project, puzzles, answerer)
    assert (outcome.unreadable, len(answerer.asked), states(project)) == (1, 3, {FIRST: "checked"})
    assert reviews_in(project, "set")[FIRST].has_unreadable_flags


def test_an_endpoint_that_fails_is_named_and_the_pass_goes_on(monkeypatch, project, puzzles):
    send(project, puzzles, puzzles.names(), "Ada")
    outcome = flag(monkeypatch, project, puzzles, Scripted(ModelError(ErrorKind.SERVER, "down"), CLEAR))
    assert outcome.clear == 1
    assert outcome.failed[0].startswith(FIRST)


def test_a_cancelled_pass_keeps_what_was_recorded(monkeypatch, project, puzzles):
    send(project, puzzles, puzzles.names(), "Ada")

    def cancel(done, total, text=""):
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        flag(monkeypatch, project, puzzles, Scripted(CLEAR), progress=cancel)
    assert states(project) == {FIRST: "clear", SECOND: "checked"}


def test_a_review_travels_as_a_file_in_any_order_and_any_number_of_times(reviewed, tmp_path):
    export_review(reviewed, tmp_path / "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    random.Random(1).shuffle(lines)
    (tmp_path / "mixed.jsonl").write_text("\n".join(lines) + "\n")
    with Project.create(tmp_path / "b.workbench") as other:
        first, second = (merge_review(other, tmp_path / "mixed.jsonl") for _ in range(2))
        assert (first.new, first.known, second.new, second.known) == (6, 0, 0, 6)
        assert reviews_in(other, "set") == reviews_in(reviewed, "set")


def test_a_damaged_line_is_named_and_the_others_are_merged(reviewed, tmp_path):
    export_review(reviewed, tmp_path / "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    lines[1] = lines[1][:50]
    lines[2] = lines[2].replace('"person"', '"nobody"')
    (tmp_path / "r.jsonl").write_text("\n".join([*lines, "[]", ""]))
    with Project.create(tmp_path / "b.workbench") as other:
        outcome = merge_review(other, tmp_path / "r.jsonl")
        assert (outcome.new, [number for number, _ in outcome.damaged]) == (4, [2, 3, 7])


@pytest.mark.parametrize(
    "change",
    [
        {"folder": "x" * 20_000},
        {"person": "x" * 20_000},
        {"id": ""},
        {"at": "0001-01-01T00:00:00+14:00"},
        {"at": "9999-12-31T23:59:59-14:00"},
        {"kind": "exploded"},
    ],
)
def test_an_event_that_would_spoil_the_project_is_refused(reviewed, tmp_path, change):
    event = json.loads(reviewed.puzzles.events()[0].event) | change
    (tmp_path / "r.jsonl").write_text(json.dumps({"set": "set", "event": event}))
    with Project.create(tmp_path / "b.workbench") as other:
        assert len(merge_review(other, tmp_path / "r.jsonl").damaged) == 1
    Project.open(tmp_path / "b.workbench").close()


def test_metadata_that_cannot_be_read_do_not_spoil_the_reviews(project, tmp_path):
    event = {"kind": "checked", "id": "1", "folder": "F", "version": "v", "person": "A", "metadata": "{"}
    event["at"] = "2026-01-01T00:00:00Z"
    (tmp_path / "r.jsonl").write_text(json.dumps({"set": "set", "event": event}))
    merge_review(project, tmp_path / "r.jsonl")
    assert states(project) == {"F": "draft"}


def test_a_file_can_be_merged_into_a_set_of_another_name(reviewed, tmp_path):
    export_review(reviewed, tmp_path / "r.jsonl")
    with Project.create(tmp_path / "b.workbench") as other:
        assert merge_review(other, tmp_path / "r.jsonl", "hunt").sets == ("hunt",)
        assert reviews_in(other, "hunt").keys() == {FIRST, SECOND}


def test_what_a_review_ended_with_is_written_into_the_folder(reviewed, puzzles):
    assert verified(reviewed, puzzles) == []
    assert "“Apply results” writes it" in no_longer_verified(reviewed, puzzles)[FIRST]
    assert apply_results(reviewed, puzzles) == ([FIRST], [])
    assert puzzles.folder(FIRST).read().puzzle.reasoning[0].explanation == "Pattern discovery: better words."
    assert verified(reviewed, puzzles) == [FIRST]
    assert no_longer_verified(reviewed, puzzles) == {}


def test_a_verified_puzzle_that_was_changed_or_is_gone_is_named_with_the_reason(reviewed, puzzles):
    apply_results(reviewed, puzzles)
    path = puzzles.path / FIRST / "metadata.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "title": "Another"}))
    assert no_longer_verified(reviewed, puzzles) == {FIRST: "It was changed after it was verified"}
    path.write_text("{")
    assert "cannot be read" in no_longer_verified(reviewed, puzzles)[FIRST]
    shutil.rmtree(path.parent)
    assert "its folder is not in the set" in no_longer_verified(reviewed, puzzles)[FIRST]


@pytest.fixture
def disputed(project, puzzles):
    """A project in which a reviewer wants the first step deleted."""
    send(project, puzzles, puzzles.names(), "Author")
    about = {"folder": FIRST, "version": puzzles.folder(FIRST).version()}
    record(project, "set", Assigned(person="Ada", reviewers=("Ben", "Cleo"), needs_flag=False, **about))
    accept = StepDecision(judged=JudgedAnnotation.ACCEPT)
    reject = StepDecision(judged=JudgedAnnotation.REJECT, reason="no")
    for person, first in (("Ben", accept), ("Cleo", reject)):
        decision = PuzzleDecision(steps=(first, *[accept] * 3))
        record(project, "set", Decided(person=person, decision=decision, **about))
    return about


def test_a_step_that_was_deleted_goes_from_the_folder_with_its_figure(disputed, project, puzzles):
    folder = puzzles.folder(FIRST)
    before = folder.read().puzzle.reasoning
    choice = SettledChoice(place="step 1", taken="B")
    record(project, "set", Settled(person="Dan", choices=(choice,), **disputed))
    assert apply_results(project, puzzles) == ([FIRST], [])
    left = puzzles.folder(FIRST).read().puzzle.reasoning
    assert [step.explanation for step in left] == [step.explanation for step in before[1:]]
    assert set(puzzles.folder(FIRST).figures()) == {step.figure for step in left if step.figure}
    assert verified(project, puzzles) == [FIRST]
    assert apply_results(project, puzzles) == ([], [])


def test_a_disagreement_is_not_resolved_by_any_text(disputed, project):
    with pytest.raises(ReviewError, match="a choice for each difference"):
        record(project, "set", Resolved(person="Dan", metadata="{}", **disputed))


def test_a_puzzle_that_was_edited_during_its_review_stays_as_it_is(reviewed, puzzles):
    text = (puzzles.folder(FIRST).path / METADATA).read_text().replace("ANCHOR", "ANKER")
    save(puzzles, FIRST, Change(writes={METADATA: text.encode()}))
    changed, refused = apply_results(reviewed, puzzles)
    assert (changed, len(refused)) == ([], 1)


def test_the_audit_draws_at_least_one(reviewed):
    assert draw_audit(reviewed, "set", "Ada", 1) == [FIRST]
    assert states(reviewed)[FIRST] == "audit"


def test_a_puzzle_that_went_back_and_was_changed_comes_into_the_folders_of_others_again(project, puzzles, tmp_path):
    send(project, puzzles, [FIRST], "Author")
    there = PuzzleSet(shutil.copytree(puzzles.path, tmp_path / "other"))
    before = reviews_in(project, "set")[FIRST]
    record(project, "set", Returned(folder=FIRST, version=before.version, person="Ben", wanted="More."))
    text = (puzzles.folder(FIRST).path / METADATA).read_text().replace("ANCHOR", "ANKER")
    save(puzzles, FIRST, Change(writes={METADATA: text.encode()}))
    assert send(project, puzzles, [FIRST], "Author") == ([FIRST], [])
    with Project.create(tmp_path / "b.workbench") as other:
        export_review(project, tmp_path / "r.jsonl")
        merge_review(other, tmp_path / "r.jsonl", log_name(there))
        assert apply_results(other, there) == ([FIRST], [])
    assert there.folder(FIRST).read().puzzle.solution == puzzles.folder(FIRST).read().puzzle.solution
