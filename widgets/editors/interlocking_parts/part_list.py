"""The list of parts: number, form, and state of each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.interlocking_parts import Form, Part
from spatial_workbench.engine.tasks.interlocking_parts.drawing import colors_of
from spatial_workbench.widgets.appearance import appearance

SHORT = {
    Form.STL: "STL",
    Form.OPENSCAD: "OpenSCAD",
    Form.PYTHON_OPENSCAD: "Python → SCAD",
    Form.PYTHON_STL: "Python → STL",
}
ROWS = 10
ROW_PX = 24


class PartList(QListWidget):
    """A row for each part; selecting rows selects parts.

    Signals:
        chosen(tuple[int, ...]): the person selected these rows.
        opened(int): the person double-clicked a row, or pressed Return on it.
    """

    chosen = Signal(tuple)
    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Parts"))
        self.setToolTip(tr("The parts of the answer. Double-click to edit the source."))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setIconSize(QSize(12, 12))
        self.setUniformItemSizes(True)
        self.itemSelectionChanged.connect(lambda: self.chosen.emit(self.selected))
        self.itemActivated.connect(lambda item: self.opened.emit(self.row(item)))
        self.setFixedHeight(ROWS * ROW_PX + 2 * self.frameWidth() + 4)
        self._shown: tuple[object, ...] = ()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.count():
            painter = QPainter(self.viewport())
            painter.setPen(appearance().theme.color("secondary"))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            words = said("No parts yet.\nAdd a panel (N).")
            painter.drawText(self.viewport().rect().adjusted(12, 0, -12, 0), flags, words)
            painter.end()

    @property
    def selected(self) -> tuple[int, ...]:
        """The selected rows."""
        return tuple(sorted(self.row(item) for item in self.selectedItems()))

    def show_parts(self, parts: Sequence[Part], states: Sequence[tuple[str, str]], selected: Sequence[int]) -> None:
        """Shows the parts, and which are selected; a state is a word and a sentence."""
        theme = appearance().theme
        colors = [theme.color(color).name() for color in colors_of(parts)]
        shown = (colors, [part.fileType for part in parts], states)
        with QSignalBlocker(self):
            if shown != self._shown:
                self._shown = shown
                self._fill_rows(parts, states, colors)
            self._select(set(selected))

    def _fill_rows(self, parts: Sequence[Part], states: Sequence[tuple[str, str]], colors: Sequence[str]) -> None:
        while self.count() > len(parts):
            self.takeItem(self.count() - 1)
        while self.count() < len(parts):
            self.addItem(QListWidgetItem())
        for i, (part, (word, sentence)) in enumerate(zip(parts, states, strict=True)):
            form = SHORT[part.form] if part.form else part.fileType[:16]
            item = self.item(i)
            item.setText(f"{i}  {form} · {said(word)}" if word else f"{i}  {form}")
            item.setToolTip(said(sentence or f"Part {i}"))
            item.setIcon(_dot(colors[i]))
            item.setSizeHint(QSize(0, ROW_PX))

    def _select(self, rows: set[int]) -> None:
        if rows == set(self.selected):
            return
        for i in range(self.count()):
            self.item(i).setSelected(i in rows)
        if len(rows) == 1:
            self.scrollToItem(self.item(min(rows)))


def _dot(color: str) -> QIcon:
    picture = QPixmap(24, 24)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawRoundedRect(3, 3, 18, 18, 4, 4)
    painter.end()
    return QIcon(picture)
