"""Whatever dialog a test opens has to fit a small screen; the folders with windows import this fixture."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog

LOW_SCREEN = QSize(1280 - 24, 720 - 48)
"""A screen of 1280 x 720, less what a window's frame takes."""


@pytest.fixture(autouse=True)
def every_dialog_fits(monkeypatch):
    """Fails a test in which a dialog needs more room than a small screen has."""
    too_large = []

    def watched(name):
        show = getattr(QDialog, name)

        def look(dialog, *arguments):
            least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
            if least.boundedTo(LOW_SCREEN) != least:
                too_large.append(f"{type(dialog).__name__} needs {least.width()} x {least.height()}")
            return show(dialog, *arguments)

        return look

    for name in ("open", "show", "exec"):
        monkeypatch.setattr(QDialog, name, watched(name))
    yield
    assert too_large == []
