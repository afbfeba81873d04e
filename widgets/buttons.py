"""A button that does something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton

from spatial_workbench.widgets.icons import icon


def make_button(text: str, icon_name: str, do: Callable[[], object], tip: str) -> QPushButton:
    """A button that does something; an empty name makes one without an icon."""
    button = QPushButton(icon(icon_name) if icon_name else QIcon(), text)
    button.setToolTip(tip)
    button.clicked.connect(lambda _=False: do())
    return button
