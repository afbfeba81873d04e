"""Attempts as pages show them: a picture, what the verifier says, and a model that turns if the attempt is in space."""

from __future__ import annotations

import base64
import logging
import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core import CannotRepresent, Progress, Scene, Verdict, silent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.drawer import CannotDraw
from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.evaluation.export import ExportOutcome
from spatial_workbench.engine.evaluation.results.html import AttemptPicture, CheckLine, HtmlModel, Turner, turning_html
from spatial_workbench.engine.store import Project, RunFilter

if TYPE_CHECKING:
    from spatial_workbench.app.background.evaluations import ExportSelection

PICTURE = (640, 400)
MOST_TURNING = 200
"""Attempts on a page that turns; more would make a page that browsers cannot open."""
_log = logging.getLogger(__name__)


def attempt_picture(project: Project, number: int) -> AttemptPicture | None:
    """An attempt with its picture, caption, checks and model; None if it cannot be drawn."""
    from spatial_workbench.app.attempts.drawings import draw as drawn
    from spatial_workbench.app.studio.drawing import drawer

    attempt = project.attempts.get(number)
    verdict = next((judged for judged in attempt.verdicts if judged.verifier == "default"), None)
    picture = drawn(attempt.address, attempt.answer, verdict)
    if picture.scene is None:
        return None
    score = "not checked" if attempt.score is None else f"score {score_words(attempt.score)}"
    if project.runs.rows([number])[0].is_overridden:
        score += " (overridden by a person)"
    failed = next((check.message for check in verdict.checks if check.problems), "") if verdict else ""
    title = f"{task_of(attempt.address.partition(':')[0].partition('@')[0]).title} · {attempt.address}"
    caption = " ".join(filter(None, (f"{attempt.actor_name or 'without a name'}, {score}.", failed, picture.trouble)))
    scene = _at_rest(picture.scene)
    try:
        data = drawer().picture(scene, PICTURE, "light", "JPEG")
    except CannotDraw as error:
        _log.warning("attempt %d is not drawn: %s", number, error)
        return None
    return AttemptPicture(title, caption, data, number, _model(scene), tuple(_checks(verdict)))


def write_turning_page(project: Project, path: Path, numbers: Sequence[int], progress: Progress = silent) -> int:
    """Writes attempts as one page on which those in space turn; returns how many.

    Raises:
        CannotRepresent: There are none that can be drawn, or too many.
        OSError: It cannot be written.
        Cancelled: Raised by `progress`; nothing is written.
    """
    if len(numbers) > MOST_TURNING:
        raise CannotRepresent(f"{len(numbers)} attempts are more than a page can hold ({MOST_TURNING}). Choose fewer.")
    pictures = []
    for k, number in enumerate(numbers):
        progress(k, len(numbers), "Drawing attempts")
        if (picture := attempt_picture(project, number)) is not None:
            pictures.append(picture)
    if not pictures:
        raise CannotRepresent("There are no attempts that can be drawn.")
    title = f"{project.path.stem}: {counted(len(pictures), 'attempt')}"
    text = turning_html(title, datetime.now(UTC), pictures, turner_of(pictures))
    with replacing(path) as part:
        part.write_text(text, "utf-8")
    return len(pictures)


def export_turning(
    path: Path, selection: ExportSelection, form: str, target: Path, progress: Progress = silent
) -> ExportOutcome:
    """Writes such a page of a project's attempts; runs in a background process, without a screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with Project.open(path) as project:
        batches = selection.batches or ()
        of_batches = [number for batch in batches for number in project.runs.numbers(RunFilter(batch=batch))]
        numbers = selection.attempts if selection.attempts is not None else of_batches
        return ExportOutcome(write_turning_page(project, target, numbers, progress), target)


def turner_of(pictures: Sequence[AttemptPicture]) -> Turner | None:
    """What makes a page turn; None if nothing on it can."""
    if not any(picture.model for picture in pictures):
        return None
    from spatial_workbench.app.studio.turning import page_script, viewer_page

    return Turner(viewer_page(), page_script())


def _model(scene: Scene) -> HtmlModel | None:
    from spatial_workbench.app.studio.turning import turning
    from spatial_workbench.widgets.theme import LIGHT

    turned = turning(scene, LIGHT)
    return None if turned is None else HtmlModel(base64.b64encode(turned.glb).decode("ascii"), turned.nodes)


def _checks(verdict: Verdict | None) -> Iterator[CheckLine]:
    for check in verdict.checks if verdict is not None else ():
        yield CheckLine(check.state.value, check.name, check.message, check.elements)


def _at_rest(scene: Scene) -> Scene:
    return scene.at(len(scene.frames) - 1) if scene.frames else scene
