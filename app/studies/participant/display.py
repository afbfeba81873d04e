"""How the window looks to a person: the size of text, contrast and motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QApplication

from spatial_workbench.app.frame.style import apply_theme
from spatial_workbench.engine.studies.sessions.schema import Accommodations
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.theme import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST


def apply_needs(application: QApplication, needs: Accommodations) -> None:
    """Gives everything the contrast and the motion that somebody needs."""
    themes = (DARK, DARK_CONTRAST) if appearance().theme.is_dark else (LIGHT, LIGHT_CONTRAST)
    apply_theme(application, themes[needs.high_contrast], needs.reduced_motion)


def with_choices(needs: Accommodations, chosen: Mapping[str, Any]) -> Accommodations:
    """What somebody needs beside what they have chosen themselves: the larger text, and whatever is asked by either."""
    return needs.model_copy(
        update={
            "type_scale": max(needs.type_scale, chosen["type_scale"]),
            "high_contrast": needs.high_contrast or chosen["high_contrast"],
            "reduced_motion": needs.reduced_motion or chosen["reduced_motion"],
        }
    )
