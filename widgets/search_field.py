"""A field in which one searches, and the cross that empties a field."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.icons import icon


class SearchField(QLineEdit):
    """A line with a magnifying glass in front; its words say what is searched."""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(words)
        self.setAccessibleName(words)
        add_cross(self, tr("Clear the search"))
        self.addAction(icon("search", "secondary"), QLineEdit.ActionPosition.LeadingPosition).setText(words)


def add_cross(field: QLineEdit, name: str) -> None:
    """Adds a cross that empties a field, in place of the desktop's own sign; called before anything else is added.

    name: What screen readers call it.
    """
    field.setClearButtonEnabled(True)
    for action in field.findChildren(QAction):
        action.setIcon(icon("close", "secondary"))
    for button in field.findChildren(QToolButton):
        button.setAccessibleName(name)
        # With another icon, Qt shows the button of an empty field, too, which takes room from its words.
        button.setVisible(bool(field.text()))
