"""The tray: the sizes, and how many boxes of each are left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.pack_prisms.drawing import COLORS
from spatial_workbench.engine.tasks.pack_prisms.packing import PackingOrder
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import SPACE


class Tray(QWidget):
    """A button for each size; a click in the view places the chosen one.

    Signals:
        chosen(int): this class was chosen.
    """

    chosen = Signal(int)

    def __init__(self, order: PackingOrder) -> None:
        super().__init__()
        self._order = order
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        for k, box_class in enumerate(order.classes):
            button = QToolButton()
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setIconSize(QSize(12, 12))
            button.setToolButtonStyle(button.toolButtonStyle().ToolButtonTextBesideIcon)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setAccessibleName(said(f"boxes of {box_class}"))
            self._group.addButton(button, k)
            column.addWidget(button)
        self._group.button(0).setChecked(True)
        self._group.idClicked.connect(self.chosen.emit)

    @property
    def current(self) -> int:
        """The chosen class."""
        return self._group.checkedId()

    def choose(self, k: int) -> None:
        """Chooses a class."""
        self._group.button(k % len(self._order.classes)).setChecked(True)

    def show_left(self, left: Sequence[int] | None) -> None:
        """Shows how many boxes of each class are left (negative: too many are placed); None: shows no numbers.

        The swatches take the colours of the current theme.
        """
        counts = left if left is not None else [None] * len(self._order.classes)
        for k, (box_class, count) in enumerate(zip(self._order.classes, counts, strict=True)):
            words = "" if count is None else _left_words(count)
            given = f"{counted(box_class.count, 'box', 'boxes')} of {box_class}"
            self._group.button(k).setText("   ".join(filter(None, (str(box_class), said(words)))))
            self._group.button(k).setToolTip("; ".join(filter(None, (said(given), said(words)))))
        self._draw_swatches()

    def _draw_swatches(self) -> None:
        for k in range(len(self._order.classes)):
            swatch = QPixmap(24, 24)
            swatch.fill(appearance().theme.color(COLORS[k % len(COLORS)]))
            self._group.button(k).setIcon(QIcon(swatch))


def _left_words(count: int) -> str:
    if count == 0:
        return "all placed"
    return f"{count} left" if count > 0 else f"{-count} too many"
