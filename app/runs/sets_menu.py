"""The menu that sets attempts of the runs browser aside, and compares others with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QPushButton

from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.comparing.sets import AttemptSet

_NOTHING_ASIDE = "First set the other attempts aside"


class SetsMenu(QMenu):
    """Sets the selected or the listed attempts aside, then compares others with them; or compares their verifiers.

    selected, listed: Return numbers of attempts. words: Returns the active filters in words.

    Signals:
        chosen(AttemptSet, AttemptSet): compare what was set aside with another set.
        agreement_wanted(tuple[int, ...]): say how far the verifiers of these attempts agree.
    """

    chosen = Signal(object, object)
    agreement_wanted = Signal(tuple)

    def __init__(
        self,
        button: QPushButton,
        selected: Callable[[], Sequence[int]],
        listed: Callable[[], Sequence[int]],
        words: Callable[[], str],
    ) -> None:
        super().__init__(button)
        self._selected = selected
        self._listed = listed
        self._words = words
        self._aside: AttemptSet | None = None
        self.set_selected_aside = self.addAction("")
        self.set_selected_aside.triggered.connect(lambda: self._set_aside(self._selection()))
        self.set_list_aside = self.addAction("")
        self.set_list_aside.triggered.connect(lambda: self._set_aside(self._list()))
        self.addSection("")
        self.compare_selected = self.addAction("")
        self.compare_selected.triggered.connect(lambda: self._compare(self._selection()))
        self.compare_list = self.addAction("")
        self.compare_list.triggered.connect(lambda: self._compare(self._list()))
        self._aside_line = self.addAction("")
        self._aside_line.setEnabled(False)
        self.addSection("")
        self.agreement_of_selected = self.addAction("")
        self.agreement_of_selected.triggered.connect(lambda: self.agreement_wanted.emit(tuple(self._selected())))
        self.agreement_of_list = self.addAction("")
        self.agreement_of_list.triggered.connect(lambda: self.agreement_wanted.emit(tuple(self._listed())))
        self.setToolTipsVisible(True)
        button.setMenu(self)
        self.show_counts(0, 0)

    def show_counts(self, selected: int, listed: int) -> None:
        """Says how many attempts each entry concerns; an entry without any is grey."""
        several = f"the {selected:,} selected" if selected > 1 else "the selected attempt"
        whole = f"all {listed:,} in the list" if listed else "all in the list"
        self.set_selected_aside.setText(f"Set {several} aside")
        self.set_list_aside.setText(f"Set {whole} aside")
        self.compare_selected.setText(f"Compare {several} with them…")
        self.compare_list.setText(f"Compare {whole} with them…")
        self.agreement_of_selected.setText(f"Agreement of verifiers on {several}")
        self.agreement_of_list.setText(f"Agreement of verifiers on {whole}")
        for action, count in (
            (self.set_selected_aside, selected),
            (self.set_list_aside, listed),
            (self.agreement_of_selected, selected),
            (self.agreement_of_list, listed),
        ):
            action.setEnabled(count > 0)
        for action, count in ((self.compare_selected, selected), (self.compare_list, listed)):
            action.setEnabled(count > 0 and self._aside is not None)
        self._aside_line.setText(_NOTHING_ASIDE if self._aside is None else f"Set aside: {self._aside.title}")

    def _selection(self) -> AttemptSet:
        numbers = tuple(self._selected())
        return AttemptSet(f"Selection of {counted(len(numbers), 'attempt')}", attempts=tuple(sorted(numbers)))

    def _list(self) -> AttemptSet:
        numbers = tuple(sorted(self._listed()))
        return AttemptSet(f"{self._words() or 'All attempts'} ({len(numbers):,})", attempts=numbers)

    def _set_aside(self, attempts: AttemptSet) -> None:
        self._aside = attempts
        self.show_counts(len(self._selected()), len(self._listed()))

    def _compare(self, attempts: AttemptSet) -> None:
        assert self._aside is not None
        self.chosen.emit(self._aside, attempts)
