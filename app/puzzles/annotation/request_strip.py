"""What the reviewer of a returned puzzle wants to be changed, above the annotation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from spatial_workbench.engine.puzzles.annotation.review import Review, ReviewState
from spatial_workbench.widgets.buttons import make_button
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

_ICON_PX = 16


class RequestStrip(QFrame):
    """Says who sent the puzzle back, and what is to be changed; hidden unless the puzzle was sent back.

    Signals:
        review_wanted(): show the review, with its comments.
    """

    review_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        mark = QLabel()
        mark.setPixmap(icon("warning", "warning").pixmap(_ICON_PX))
        self.show_review = make_button("Review", "check", self.review_wanted.emit, "Show the review, with its comments")
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        row.setSpacing(2 * SPACE)
        row.addWidget(mark)
        row.addWidget(self.text, 1)
        row.addWidget(self.show_review)
        self.hide()

    def show_request(self, review: Review) -> None:
        """Shows what the review says now."""
        is_back = review.state is ReviewState.RETURNED and bool(review.wanted)
        who = f" by {review.wanted_by}" if review.wanted_by else ""
        comments = " Comments stand in the review." if review.comments else ""
        self.text.setText(f"Sent back{who}. To be changed: {review.wanted}{comments}" if is_back else "")
        self.setVisible(is_back)
