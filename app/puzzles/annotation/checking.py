"""What is wrong with a puzzle, looked for a moment after each change."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from spatial_workbench.app.puzzles.annotation.edited import EditedPuzzle
from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding, findings
from spatial_workbench.engine.puzzles.puzzle import Misread, Puzzle

CHECK_MS = 300


class AnnotationChecks(QObject):
    """Runs the checks on a puzzle as it is shown.

    Signals:
        found(tuple): the checks have run; these are their findings.
    """

    found = Signal(tuple)

    def __init__(self, edited: EditedPuzzle) -> None:
        super().__init__(edited)
        self.findings: tuple[PuzzleFinding, ...] = ()
        self._edited = edited
        self._timer = QTimer(self, singleShot=True, interval=CHECK_MS)
        self._timer.timeout.connect(self.run)
        edited.changed.connect(self.run_soon)

    @property
    def is_waiting(self) -> bool:
        """Whether the checks are about to run."""
        return self._timer.isActive()

    def run_soon(self) -> None:
        """Runs the checks when nothing has changed for a moment."""
        self._timer.start()

    def run(self) -> None:
        """Runs the checks now."""
        self.stop()
        puzzle = self._edited.puzzle
        misread = tuple(part for part in self._edited.misread if not _is_filled(puzzle, part))
        files = replace(self._edited.files, figures=self._figure_faults())
        # Saving numbers the figures, so their numbers are nothing to complain about while the puzzle is open.
        self.findings = tuple(f for f in findings(puzzle, files, misread) if f.code != "P_NUMBERING")
        self.found.emit(self.findings)

    def stop(self) -> None:
        """Does not run the checks that are waiting."""
        self._timer.stop()

    def _figure_faults(self) -> dict[str, str]:
        """What is wrong with each figure, by the name that steps have for it; those to be removed are left out."""
        annotation = self._edited.annotation
        named = {step.figure for step in annotation.puzzle.reasoning}
        faults = {name: self._edited.files.figures.get(file, "") for name, file in annotation.files.items()}
        kept = {name: fault for name, fault in faults.items() if name in named or name not in annotation.held}
        return kept | {name: "" for name in annotation.fresh if name in named}


def _is_filled(puzzle: Puzzle, part: Misread) -> bool:
    """Whether a person has given a value where the file had none, or one of a wrong type."""
    name, *rest = part.path
    value = getattr(puzzle, str(name), None)
    if rest and isinstance(rest[0], int) and name == "reasoning":
        steps = puzzle.reasoning
        return rest[0] >= len(steps) or bool(steps[rest[0]].explanation if rest[-1] == "explanation" else None)
    return bool(value)
