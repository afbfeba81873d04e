"""Reviews written to files, and merged from those of other computers, after a question where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from spatial_workbench.app.puzzles.review.files import (
    FILES,
    SOURCES,
    PuzzleMerged,
    conflict_words,
    damage_words,
    merge_logs,
    other_sets,
    write_log,
)
from spatial_workbench.app.puzzles.review.records import ReviewRecords

_TITLE = "Merge reviews"


class ReviewExchange(QObject):
    """Exports the log of a set's reviews, and merges others into it."""

    def __init__(self, page: QWidget, records: ReviewRecords) -> None:
        super().__init__(page)
        self._page = page
        self._records = records
        self._name = records.entry.name

    def ask_export(self) -> None:
        """Asks for the file into which the log is written."""
        path, _ = QFileDialog.getSaveFileName(self._page, "Export reviews", f"{self._name}.jsonl", FILES)
        if path:
            self.export_to(Path(path))

    def export_to(self, path: Path) -> None:
        """Writes the log into a file."""
        self._records.ask(lambda project: write_log(project, path, self._name), self._records.message.emit)

    def ask_merge(self) -> None:
        """Asks for files with reviews of other computers, or for projects of other people."""
        paths, _ = QFileDialog.getOpenFileNames(self._page, _TITLE, "", SOURCES)
        if paths:
            self.merge([Path(path) for path in paths])

    def merge(self, paths: Sequence[Path]) -> None:
        """Adds the reviews of files; asks first if they name other sets only."""

        def take(others: tuple[str, ...]) -> None:
            if others:
                self._offer_names(paths, others)
            else:
                self._merge(paths, None)

        self._records.ask(lambda _: other_sets(paths, self._name), take)

    def _offer_names(self, paths: Sequence[Path], others: tuple[str, ...]) -> None:
        box = self._make_box(
            QMessageBox.Icon.Question,
            f"These reviews are about another set: {', '.join(others)}.",
            "A set may have another name on another computer.",
        )
        here = box.addButton(f"Merge into {self._name}", QMessageBox.ButtonRole.AcceptRole)
        here.clicked.connect(lambda: self._merge(paths, self._name))
        kept = box.addButton("Keep their names", QMessageBox.ButtonRole.ActionRole)
        kept.clicked.connect(lambda: self._merge(paths, None))
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.open()

    def _merge(self, paths: Sequence[Path], puzzle_set: str | None) -> None:
        self._records.ask(lambda project: merge_logs(project, paths, puzzle_set), self._show_merged)

    def _show_merged(self, merged: list[PuzzleMerged]) -> None:
        summary = " ".join(file.summary for file in merged)
        damage = damage_words(merged)
        conflicts = conflict_words(merged)
        self._records.message.emit(summary)
        self._records.reload()
        if damage:
            self._make_box(QMessageBox.Icon.Warning, summary, f"The other lines are merged.\n{damage}").open()
        if conflicts:
            about = f"Somebody did something else before. Nothing is lost: both are in the log.\n{conflicts}"
            self._make_box(QMessageBox.Icon.Warning, summary, about).open()

    def _make_box(self, sign: QMessageBox.Icon, text: str, about: str) -> QMessageBox:
        box = QMessageBox(sign, _TITLE, text, parent=self._page)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(about)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        return box
