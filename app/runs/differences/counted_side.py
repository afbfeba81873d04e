"""A drawing of what only one of two verdicts counts, with its colours explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from spatial_workbench.app.attempts.stage import ComparisonStage
from spatial_workbench.engine.core import BOTH, FIRST_ONLY, SECOND_ONLY, CountedDifferently
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.plain_text import with_marks
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Difference

_ROLES = (FIRST_ONLY, SECOND_ONLY, BOTH)


class CountedSide(QWidget):
    """The third drawing beside those of two verdicts; hidden where the task cannot say what differs.

    Attributes:
        says: The sentence about it, which stands where there is more room than beside the other drawings.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.is_detail = False
        self.stage = ComparisonStage("What only one of the two counts, drawn")
        self.says = QLabel()
        self.says.setObjectName("secondary")
        self.says.setWordWrap(True)
        self.says.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 0)
        self.says.hide()
        self._squares = [QLabel() for _ in _ROLES]
        self.names = [QLabel() for _ in _ROLES]
        self._lay_out()
        appearance().changed.connect(self._paint_squares)
        self._paint_squares()
        self.hide()

    def show_contrast(self, contrast: CountedDifferently | None, difference: Difference) -> None:
        """Shows what differs between the two verifiers of a difference, or nothing."""
        self.setVisible(contrast is not None)
        self.says.setVisible(contrast is not None)
        self.is_detail = contrast is not None and contrast.is_detail
        if contrast is None:
            self.stage.show_words("")
            return
        self.stage.show_scene(contrast.scene)
        self.says.setText(with_marks(contrast.says))
        for label, text in zip(self.names, (difference.first, difference.second, "both"), strict=True):
            label.setText(text)
            label.setToolTip("Counted by both" if text == "both" else f"Counted by {text} only")

    def close_side(self) -> None:
        """Releases the graphics resources."""
        appearance().changed.disconnect(self._paint_squares)
        self.stage.close_view()

    def _paint_squares(self) -> None:
        for square, role in zip(self._squares, _ROLES, strict=True):
            picture = QPixmap(3 * SPACE, 3 * SPACE)
            picture.fill(appearance().theme.color(role))
            square.setPixmap(picture)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(4 * SPACE, SPACE, 4 * SPACE, 2 * SPACE)
        head.setSpacing(2 * SPACE)
        for square, name in zip(self._squares, self.names, strict=True):
            name.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            head.addWidget(square)
            head.addWidget(name, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.stage, 1)
