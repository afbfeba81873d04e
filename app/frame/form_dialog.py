"""The usual dialog: a sentence on top, a form, a note or an error, and two buttons."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.widgets.theme import SPACE

FRAME_PX = 48
"""Height of a window's title bar, and some air."""


def room_for(dialog: QWidget) -> QSize:
    """The size that a dialog may have on its screen."""
    screen = dialog.screen().availableSize()
    return QSize(screen.width() - FRAME_PX // 2, screen.height() - FRAME_PX)


class FormDialog(QDialog):
    """A dialog with a form and a button that does what the dialog asks about. It is as high as its words need.

    The first field has the cursor when it opens, unless something else has been given it.

    Attributes:
        body: Sentence, form, note and trouble from top to bottom, above the buttons.
        form: The fields.
        note: What is to be expected; hidden while it is empty.
        trouble: What is wrong; hidden while it is empty.
        go: The button; a click on it calls `order`.
        cancel: The button that closes the dialog and does nothing.
    """

    def __init__(self, title: str, about: str, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        sentence = _label("secondary", about)
        self.form = QFormLayout()
        self.form.setHorizontalSpacing(4 * SPACE)
        self.form.setVerticalSpacing(2 * SPACE)
        self.note = _label()
        self.trouble = _label("error")
        self.go = QPushButton(verb)
        self.go.setObjectName("primary")
        self.go.setDefault(True)
        self.go.clicked.connect(self.order)
        self.cancel = QPushButton("Cancel")
        self.cancel.clicked.connect(self.reject)
        self.body = QVBoxLayout()
        self.body.setSpacing(3 * SPACE)
        self.body.addWidget(sentence)
        self.body.addLayout(self.form)
        self.body.addWidget(self.note)
        self.body.addWidget(self.trouble)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addLayout(self.body, 1)
        layout.addLayout(self._buttons())

    def order(self) -> None:
        """Does what the button says: by default, the dialog is accepted."""
        self.accept()

    def show_note(self, note: str) -> None:
        """Shows a note on what to expect."""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self._fit()

    def show_trouble(self, trouble: str) -> None:
        """Shows an error; an empty text hides it."""
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        is_low = self.height() <= self.minimumSizeHint().height()
        self._fit()
        if is_low:
            # Until now, words had the room that they would need in a narrower dialog.
            self.resize(self.width(), self.minimumHeight())
        if self.focusWidget() in (None, self.go, self.cancel) and (field := _first_field(self.form)) is not None:
            field.setFocus(Qt.FocusReason.TabFocusReason)

    def _fit(self) -> None:
        """Makes room for all words; a dialog that is higher stays so."""
        layout = self.layout()
        if self.isVisible() and layout is not None and layout.hasHeightForWidth():
            layout.activate()
            needed = layout.totalHeightForWidth(self.width())
            self.setMinimumHeight(min(needed, room_for(self).height()))

    def _buttons(self) -> QHBoxLayout:
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * SPACE)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.go)
        return buttons


def _first_field(layout: QLayout) -> QWidget | None:
    """The first widget of a layout, or of layouts and widgets in it, that is reached by the Tab key."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        if item is None:
            continue
        widget = item.widget()
        inner = item.layout() if widget is None else widget.layout()
        if widget is not None and _takes_focus(widget):
            return widget
        if (
            inner is not None
            and (widget is None or not widget.isHidden())
            and (field := _first_field(inner)) is not None
        ):
            return field
    return None


def _takes_focus(widget: QWidget) -> bool:
    return widget.isEnabled() and not widget.isHidden() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _label(role: str = "", text: str = "") -> QLabel:
    """A line of words that is hidden while it is empty."""
    label = QLabel(text)
    label.setObjectName(role)
    label.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    label.setVisible(bool(text))
    return label
