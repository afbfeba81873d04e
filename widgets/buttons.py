"""A button that does something."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton

from spatial_workbench.widgets.icons import icon


def make_button(text: str, icon_name: str, do: Callable[[], object], tip: str, is_primary: bool = False) -> QPushButton:
    """A button that does something; an empty name makes one without an icon.

    is_primary: Whether it is filled with the accent: what a page is for.
    """
    picture = icon(icon_name, "on_accent" if is_primary else "text") if icon_name else QIcon()
    button = QPushButton(picture, text)
    button.setToolTip(tip)
    button.clicked.connect(lambda _=False: do())
    if is_primary:
        button.setObjectName("primary")
    return button
