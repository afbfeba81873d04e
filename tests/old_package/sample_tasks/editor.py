"""The editor of count_corners."""

from collections.abc import Iterable

from sample_tasks.count_corners import Count
from widgets.editing.controls import Declared, Number, Section
from widgets.editing.editor import Editor


class CountingEditor(Editor[Count]):
    """A number to type."""

    def list_controls(self) -> Iterable[Declared]:
        yield Section("Answer", Number("Corners", lambda: self.document.answer.corners, self.count, (0, 99)))

    def count(self, number: float) -> None:
        """Takes a number."""
        self.edit("Count", Count(corners=round(number)))
