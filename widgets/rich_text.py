"""Rich text in labels: only on request, so that names and messages from elsewhere are never taken for markup."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

RICH = "rich"
"""The dynamic property of labels that may show rich text."""


def make_rich(label: QLabel) -> QLabel:
    """Lets a label show markup; the caller has to escape text from elsewhere."""
    label.setProperty(RICH, True)
    label.setTextFormat(Qt.TextFormat.RichText)
    return label
