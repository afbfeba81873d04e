"""Three people with three projects review ten puzzles, exchange their logs, dispute, settle and export."""

from contextlib import ExitStack
from dataclasses import replace

import pytest

from spatial_workbench.engine.evaluation.puzzles.reviews import (
    apply_results,
    assign,
    export_review,
    log_name,
    merge_review,
    record,
    reviews_in,
    send,
    verified,
)
from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.review import Decided, Returned, ReviewState, Settled
from spatial_workbench.engine.puzzles.annotation.settling import SettledChoice
from spatial_workbench.engine.puzzles.puzzle import write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.puzzles.sets.tuning import export_for_tuning
from spatial_workbench.engine.store import Project

PEOPLE = ("Ada", "Ben", "Cleo")
ACCEPT = StepDecision(judged=JudgedAnnotation.ACCEPT)
REJECT = StepDecision(judged=JudgedAnnotation.REJECT, reason="needless")


def ten_puzzles(folder):
    chosen = PuzzleSet(folder)
    folder.mkdir()
    for k in range(10):
        puzzle = originals()[k % 6]
        title = puzzle.puzzle.title if k < 6 else f"{puzzle.puzzle.title} again"
        files = dict(puzzle.files()) | {METADATA: write_metadata(replace(puzzle.puzzle, title=title)).encode()}
        save(chosen, title.replace(" ", "_"), Change(writes=files))
    return chosen


class Desks:
    """A project for each person; `exchange` carries every log to everybody, as files."""

    def __init__(self, folder, name, stack):
        self.folder = folder
        self.name = name
        self.of = {p: stack.enter_context(Project.create(folder / f"{p}.workbench")) for p in PEOPLE}

    def exchange(self):
        for person, project in self.of.items():
            export_review(project, self.folder / f"{person}.jsonl", self.name)
        for project in self.of.values():
            for person in reversed(PEOPLE):
                merge_review(project, self.folder / f"{person}.jsonl")
        ada, ben, cleo = (reviews_in(project, self.name) for project in self.of.values())
        assert ada == ben == cleo
        return ada

    def do(self, person, kind, review, **values):
        about = {"folder": review.folder, "version": review.version, "person": person}
        record(self.of[person], self.name, kind(**about, **values))


@pytest.mark.slow
def test_three_people_review_dispute_settle_and_export_ten_puzzles(tmp_path):
    with ExitStack() as stack:
        chosen = ten_puzzles(tmp_path / "set")
        names = list(chosen.names())
        desks = Desks(tmp_path, log_name(chosen), stack)
        # Each annotates some of the puzzles, and the two others review them.
        authors = {name: PEOPLE[k % 3] for k, name in enumerate(names)}
        for person, project in desks.of.items():
            own = [name for name in names if authors[name] == person]
            assert send(project, chosen, own, person) == (own, [])
            others = tuple(other for other in PEOPLE if other != person)
            assert assign(project, desks.name, own, others, person, None) == (own, [])
        for name, review in desks.exchange().items():
            first, second = review.reviewers
            steps = (ACCEPT,) * len(chosen.folder(name).read().puzzle.reasoning)
            desks.do(first, Decided, review, decision=PuzzleDecision(steps=steps))
            wanted = (REJECT, *steps[1:]) if name in names[:3] else steps
            desks.do(second, Decided, review, decision=PuzzleDecision(steps=wanted))
        disputed = [r for r in desks.exchange().values() if r.state is ReviewState.DISAGREEMENT]
        assert [review.folder for review in disputed] == names[:3]
        # The two who differ propose, each at their own desk, and agree on two of the three; one goes back.
        for review in disputed[:2]:
            for person in review.reviewers:
                desks.do(person, Settled, review, choices=(SettledChoice(place="step 1", taken="B"),))
        desks.do(disputed[2].reviewers[0], Returned, disputed[2], wanted="Say what the first step is for.")
        states = {name: review.state for name, review in desks.exchange().items()}
        assert [name for name in names if states[name] is not ReviewState.VERIFIED] == [names[2]]
        changed, refused = apply_results(desks.of["Ada"], chosen)
        assert (changed, refused) == (names[:2], [])
        ready = verified(desks.of["Ada"], chosen)
        assert ready == [name for name in names if name != names[2]]
        written = export_for_tuning(chosen, ready, tmp_path / "out")
        assert written.train + written.test == 9
