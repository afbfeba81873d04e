"""What a person has changed in an import so far. Free of Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from spatial_workbench.engine.puzzles.sets.found_files import FoundFile, LeftOut
from spatial_workbench.engine.puzzles.sets.import_plan import (
    DuplicateChoice,
    ImportOrder,
    PlannedPuzzle,
    PuzzlesPlan,
    import_steps,
    too_many_pages,
    unused_solutions,
)
from spatial_workbench.engine.puzzles.sets.import_survey import FoundPuzzle, PagePuzzle, PuzzleSurvey, WholePuzzle
from spatial_workbench.engine.puzzles.sets.pairing import PuzzleSheets, name_similarity

PuzzleKey = tuple[FoundFile, ...]
"""What a puzzle is found by, though its title or pages change: the files it comes from."""


def key_of(puzzle: FoundPuzzle) -> PuzzleKey:
    """The files that a puzzle comes from."""
    return tuple(puzzle.files.values()) if isinstance(puzzle, WholePuzzle) else puzzle.pages.files


class ImportDraft:
    """What was found, with the changes of a person, which stay when further files are added.

    Attributes:
        survey: What was found.
        plan: The puzzles, with what is there already; None while it is not known.
    """

    def __init__(self) -> None:
        self.survey = PuzzleSurvey()
        self.plan: PuzzlesPlan | None = None
        self._changed: dict[PuzzleKey, PagePuzzle] = {}
        self._choices: dict[PuzzleKey, DuplicateChoice] = {}
        self._unticked: set[PuzzleKey] = set()

    @property
    def puzzles(self) -> tuple[FoundPuzzle, ...]:
        """The puzzles as they would be imported."""
        return tuple(self._changed.get(key_of(puzzle), puzzle) for puzzle in self.survey.puzzles)

    @property
    def planned(self) -> tuple[PlannedPuzzle, ...]:
        """The puzzles with what is known of them in the set, as far as it is known."""
        if self.plan is not None:
            return self.plan.puzzles
        return tuple(PlannedPuzzle(puzzle, "") for puzzle in self.puzzles)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not imported as it stands, with the reasons."""
        return (*self.survey.left_out, *unused_solutions(self.survey, self.puzzles))

    @property
    def wanted(self) -> list[PlannedPuzzle]:
        """The ticked puzzles, as far as they can be imported."""
        return [e for e in self.planned if self.is_ticked(key_of(e.puzzle)) and not too_many_pages(e.puzzle)]

    def is_ticked(self, key: PuzzleKey) -> bool:
        """Whether a puzzle is wanted."""
        return key not in self._unticked

    def tick(self, key: PuzzleKey, is_ticked: bool) -> None:
        """Wants a puzzle, or does not."""
        (self._unticked.discard if is_ticked else self._unticked.add)(key)

    def choice_of(self, entry: PlannedPuzzle) -> DuplicateChoice:
        """What becomes of a puzzle that is there already."""
        return self._choices.get(key_of(entry.puzzle), DuplicateChoice.SKIP)

    def choose(self, keys: Iterable[PuzzleKey], choice: DuplicateChoice) -> None:
        """Decides what becomes of puzzles that are there already."""
        self._choices.update(dict.fromkeys(keys, choice))

    def rename(self, puzzle: PagePuzzle, title: str) -> None:
        """Gives a puzzle another title; its folder is named after it, so that the plan is not known any more."""
        self._change(replace(puzzle, title=title.strip()))
        self.plan = None

    def take_pages(self, puzzle: PagePuzzle, text: str) -> None:
        """Takes a range of the pages of a file.

        Raises:
            RangeError: There are no such pages.
        """
        self._change(replace(puzzle, pages=puzzle.pages.with_range(text)))

    def pair(self, puzzle: PagePuzzle, solution: PuzzleSheets | None) -> None:
        """Gives a puzzle another solution, or none."""
        self._change(replace(puzzle, solution=solution))

    def order(self, target: Path, adds_set: bool) -> ImportOrder:
        """The import as it stands."""
        assert self.plan is not None
        decided = [(entry, self.choice_of(entry)) for entry in self.wanted]
        steps, skipped = import_steps(decided, self.plan.taken)
        return ImportOrder(steps, target, adds_set, left_out=(*self.left_out, *skipped))

    def _change(self, puzzle: PagePuzzle) -> None:
        key = key_of(puzzle)
        self._changed[key] = puzzle
        if self.plan is not None:
            puzzles = (replace(e, puzzle=puzzle) if key_of(e.puzzle) == key else e for e in self.plan.puzzles)
            self.plan = replace(self.plan, puzzles=tuple(puzzles))


def likeness(puzzle: FoundPuzzle) -> str:
    """How similar the names of a puzzle and its solution are, in percent; a dash where there is no solution."""
    if not isinstance(puzzle, PagePuzzle) or puzzle.solution is None:
        return "–"
    return f"{name_similarity(puzzle.pages.title, puzzle.solution.title):.0f} %"
