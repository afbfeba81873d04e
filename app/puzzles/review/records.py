"""The log of a set's reviews: read, and added to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.puzzles import double as doubling
from spatial_workbench.engine.evaluation.puzzles import reviews as reviewing
from spatial_workbench.engine.puzzles.annotation.review import Event, Review
from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, shown_folder
from spatial_workbench.engine.puzzles.sets.titles import PuzzleTitles

if TYPE_CHECKING:
    from spatial_workbench.app.background.project_service import ProjectService
    from spatial_workbench.engine.puzzles.annotation.adjudicating import ThirdStep
    from spatial_workbench.engine.store import Project

AUDIT_SEED = 45
MOST_NAMED = 2
"""How many puzzles that stay as they are a message names."""


@dataclass(frozen=True)
class ReviewListing:
    """What was read of a set: its folders, its reviews, the titles of both, and the people who are known."""

    names: tuple[str, ...]
    reviews: dict[str, Review]
    titles: dict[str, str]
    people: list[str]


class ReviewRecords(QObject):
    """What the log of a set says now, and what the chosen person adds to it.

    Attributes:
        names: The puzzles in the set's folder.
        titles: What the puzzles are called, by folder.
        reviews: The reviews that have begun, by the puzzles' folders.
        people: The names that are known in the project.

    Signals:
        listed(): the log was read again.
        message(str): a note for the status bar.
        applied(): results were written to the puzzles' folders.
    """

    listed = Signal()
    message = Signal(str)
    applied = Signal()

    def __init__(self, project: ProjectService, entry: SetEntry, person: Callable[[], str], parent: QObject) -> None:
        """person: returns the name of the chosen person."""
        super().__init__(parent)
        self.entry = entry
        self.names: tuple[str, ...] = ()
        self.titles: dict[str, str] = {}
        self.reviews: dict[str, Review] = {}
        self.people: list[str] = []
        self._project = project
        self._person = person
        self._set = PuzzleSet(entry.path)
        self._titles = PuzzleTitles(self._set)
        """Used by the project's thread alone."""
        self._is_closed = False
        project.changed.connect(self.reload)

    @property
    def person(self) -> str:
        """The chosen person, in whose name everything is recorded."""
        return self._person()

    def review(self, folder: str) -> Review:
        """The review of a puzzle, which may not have begun."""
        return self.reviews.get(folder, Review(folder))

    def title(self, folder: str) -> str:
        """What people call a puzzle."""
        return self.titles.get(folder, shown_folder(folder))

    def close(self) -> None:
        """Ignores further results."""
        self._is_closed = True
        self._project.changed.disconnect(self.reload)

    def ask(self, question: Callable[[Project], Any], done: Callable[[Any], None]) -> None:
        """Calls `question(project)` in the project's thread, then `done(answer)` in this one; a failure is told."""
        self._project.ask(question, lambda answer: None if self._is_closed else done(answer), self.message.emit)

    def reload(self) -> None:
        """Reads the log and the names of the puzzles again."""

        def look(project: Project) -> ReviewListing:
            names, reviews = self._set.names(), reviewing.reviews_in(project, self.entry.name)
            texts = {review.folder: review.result or review.original for review in reviews.values()}
            return ReviewListing(names, reviews, self._titles.read({*names, *reviews}, texts), project.people())

        self.ask(look, self._take_listing)

    def record(self, kind: type[Any], review: Review, **values: Any) -> None:
        """Adds an event to a review, in the name of the chosen person."""
        event: Event = kind(folder=review.folder, version=review.version, person=self.person, **values)
        self.ask(lambda project: reviewing.record(project, self.entry.name, event), lambda _: self.reload())

    def assign(self, folders: Sequence[str], first: str, second: str, due: date | None = None) -> None:
        """Assigns two people to puzzles; those to which they cannot be assigned are named."""
        person = self.person

        def act(project: Project) -> tuple[list[str], list[str]]:
            return reviewing.assign(project, self.entry.name, folders, (first, second), person, due)

        self.ask(act, lambda outcome: self._report("assigned", *outcome))

    def ask_two(
        self, folders: Sequence[str], first: str, second: str, third: str = "", due: date | None = None
    ) -> None:
        """Asks two people to annotate puzzles independently, and perhaps a third to make one annotation of both."""
        person = self.person

        def act(project: Project) -> tuple[list[str], list[str]]:
            return doubling.ask_two(project, self._set, folders, (first, second), person, third, due)

        self.ask(act, lambda outcome: self._report("given to two annotators", *outcome))

    def open_own(self, folder: str, done: Callable[[SetEntry], None]) -> None:
        """Makes the chosen person's own copy of a puzzle if there is none, and calls `done` with its set."""
        person = self.person
        self.ask(
            lambda _: doubling.own_copy(self._set, folder, person),
            lambda copy: done(SetEntry(f"{self.entry.name} · {person}", copy.path)),
        )

    def hand_in(self, folder: str) -> None:
        """Adds what the chosen person has written in their own copy to the log."""
        person = self.person
        self.ask(lambda project: doubling.hand_in(project, self._set, folder, person), self._take_handed_in)

    def adjudicate(self, folder: str, steps: Sequence[ThirdStep], values: dict[str, Any]) -> None:
        """Makes the third annotation, in the name of the chosen person."""
        person = self.person

        def done(review: Review) -> None:
            self._report("annotated by a third person, and sent to review", [review.folder], [])
            self.applied.emit()

        self.ask(lambda project: doubling.adjudicate(project, self._set, folder, person, steps, values), done)

    def send(self) -> None:
        """Sends the drafts without errors to review, in the name of the chosen person."""
        person = self.person

        def act(project: Project) -> tuple[list[str], list[str]]:
            return reviewing.send(project, self._set, self._set.names(), person)

        self.ask(act, lambda outcome: self._report("sent to review", *outcome))

    def draw_audit(self) -> None:
        """Draws the puzzles for the audit."""
        person = self.person
        self.ask(
            lambda project: reviewing.draw_audit(project, self.entry.name, person, AUDIT_SEED),
            lambda drawn: self._report("drawn for the audit", drawn, []),
        )

    def apply(self) -> None:
        """Writes what reviews ended with into the folders; drawing figures of large pages takes a while."""
        self.message.emit("Writing the results into the folders…")
        self.ask(lambda project: reviewing.apply_results(project, self._set), self._take_applied)

    def _take_listing(self, listing: ReviewListing) -> None:
        self.names, self.reviews = listing.names, listing.reviews
        self.titles, self.people = listing.titles, listing.people
        self.listed.emit()

    def _take_handed_in(self, handed: doubling.HandedIn) -> None:
        flat = f" {', '.join(handed.flat)} has no sketch and stays behind." if handed.flat else ""
        self.message.emit(f"{self.title(handed.review.folder)} is handed in.{flat}")
        self.reload()

    def _take_applied(self, outcome: tuple[list[str], list[str]]) -> None:
        self._report("changed", *outcome)
        self.applied.emit()

    def _report(self, verb: str, names: list[str], refused: list[str]) -> None:
        counts = f"{counted(len(names), 'puzzle')} {verb}{f', {len(refused):,} not' if refused else ''}."
        sentences = [self._with_title(text) for text in refused[:MOST_NAMED]]
        if len(refused) > MOST_NAMED:
            sentences.append(f"And {len(refused) - MOST_NAMED:,} more.")
        self.message.emit(" ".join([counts, *sentences]))
        # The window may have to name new people, and other pages new states; this reloads, too.
        self._project.changed.emit()

    def _with_title(self, refusal: str) -> str:
        """A sentence about a puzzle, which begins with its title in place of its folder."""
        folder = next((name for name in self.names if refusal.startswith((f"{name}:", f"{name} "))), "")
        sentence = f"{self.title(folder)}{refusal.removeprefix(folder)}" if folder else refusal
        return sentence if sentence.endswith(".") else f"{sentence}."
