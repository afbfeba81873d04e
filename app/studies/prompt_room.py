"""How much of a window the prompt of an item gets, and which prompts a small screen cannot show as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from spatial_workbench.engine.studies.planning.checking import StudyProblem
from spatial_workbench.engine.studies.planning.document import Study
from spatial_workbench.engine.studies.planning.prompts import widest_lines_of
from spatial_workbench.widgets.panels.prompt_panel import width_needed

SMALLEST_PX = (1280, 800)
"""The smallest window that studies are made for."""
USUAL_SHARE, MOST_SHARE = 0.28, 0.5
FRAME_PX = 6
"""The margins between the edge of the window and the prompt, and between the prompt and the editor."""


def share_of(needed_px: int, window_px: int = SMALLEST_PX[0]) -> float:
    """The share of a window's width that a prompt gets: as much as its lines need, within limits."""
    return min(MOST_SHARE, max(USUAL_SHARE, (needed_px + FRAME_PX) / window_px))


def too_wide(lines: Mapping[str, Sequence[str]]) -> Iterator[StudyProblem]:
    """The items whose prompts have to be scrolled sideways, from the lines of each item that are not broken."""
    most = round(MOST_SHARE * SMALLEST_PX[0]) - FRAME_PX
    for item, unbroken in lines.items():
        needed = width_needed(unbroken)
        if needed > most:
            yield StudyProblem(
                f"items.{item}",
                f"Its prompt has to be scrolled sideways in a window of {SMALLEST_PX[0]} × {SMALLEST_PX[1]}:"
                f" it needs {needed} pixels and gets {most}",
            )


def prompts_too_wide(study: Study) -> list[StudyProblem]:
    """The same for the items of a study, outside of a window; no screen is needed."""
    _make_application()
    return list(too_wide(widest_lines_of(study)))


@cache
def _make_application() -> QCoreApplication:
    """Qt's application, without which no text can be measured."""
    return QApplication.instance() or QApplication(["spatial-workbench", "-platform", "offscreen"])
