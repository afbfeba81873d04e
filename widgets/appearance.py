"""The current theme, for every widget that paints itself."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QObject, Signal

from spatial_workbench.widgets.theme import LIGHT, Theme


class Appearance(QObject):
    """Holds the theme and the reduced-motion setting, and signals their changes.

    Signals:
        changed(Theme): the theme or the reduced-motion setting has changed.
    """

    changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.reduce_motion = False
        self.type_scale = 1.0
        """How much larger than usual text is, from 1 to 2."""
        self.remembers = True
        """Whether arrangements are kept for the next time; not where everybody has to meet the same window."""

    def set(self, theme: Theme, reduce_motion: bool | None = None) -> None:
        """Changes the theme, and the reduced-motion setting if given."""
        self.theme = theme
        if reduce_motion is not None:
            self.reduce_motion = reduce_motion
        self.changed.emit(theme)


@cache
def appearance() -> Appearance:
    """The appearance of the application."""
    return Appearance()


def scaled(pixels: float) -> int:
    """A size of text, or of something beside it, at the current type scale."""
    return round(pixels * appearance().type_scale)
