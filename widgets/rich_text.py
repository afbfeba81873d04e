"""Rich text in labels: only where it is asked for, so that names and messages from elsewhere are never markup."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

RICH = "rich"
"""Dynamic property of the labels that the application's style sheet leaves rich."""


def make_rich(label: QLabel) -> QLabel:
    """Lets a label show markup; whoever sets its text escapes what is not ours."""
    label.setProperty(RICH, True)
    label.setTextFormat(Qt.TextFormat.RichText)
    return label
