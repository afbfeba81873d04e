"""The pictures and scenes of attempts. Those that were made before are kept in the user's cache.

A scene is made of an instance without its hidden parameters, so that nothing of them can be seen; what cannot be drawn
without them is not drawn. What a verdict found is coloured only where that tells nothing about the right answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core import AnswerError, Instance, InstanceError, Progress, Scene, Task, resolve, silent
from spatial_workbench.engine.core.abilities import MakesFilm
from spatial_workbench.engine.core.drawer import CannotDraw, Drawer
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.instance import canonical
from spatial_workbench.engine.core.verdict import OF_ONE_JUDGING
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.reporting.site.contents import SiteAttempt
from spatial_workbench.engine.reporting.site.scene_data import CannotShow, Colour, scene_json

FORMAT = 2
"""Changes when drawings look different, so that those that were kept are made again."""
SIZE = (480, 300)
"""Of pictures, in pixels."""
THEMES = ("light", "dark")
_HIDDEN = "What is seen of this task is hidden from solvers, so it is not drawn."
_AT_ONCE = 40
"""So many attempts are drawn between two looks at whether the work is cancelled."""


@dataclass(frozen=True)
class KeptDrawing:
    """The drawing of an attempt.

    Attributes:
        pictures: The files of its pictures by theme.
        scene: The script that hands its scene to the viewer; None: the viewer cannot show it.
        is_flat: Whether it lies in a plane.
        frames: How many frames it has to play.
        trouble: Why it is not drawn; empty if it is.
    """

    pictures: Mapping[str, Path]
    scene: Path | None
    is_flat: bool
    frames: int
    trouble: str = ""


@dataclass(frozen=True)
class DrawingTools:
    """What draws: drawers that work side by side, and the colours of roles in both themes."""

    drawers: Sequence[Drawer]
    colour: Colour


def usual_folder() -> Path:
    """The folder in which drawings are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "site"


class Drawings:
    """Draws attempts, and keeps what it drew in a folder."""

    def __init__(self, tools: DrawingTools, folder: Path) -> None:
        self._tools = tools
        self._folder = folder

    def of_all(self, attempts: Sequence[SiteAttempt], progress: Progress = silent) -> dict[int, KeptDrawing]:
        """The drawings of attempts by number, in light colours; those that were kept are not made again.

        Raises:
            Cancelled: Raised by `progress`; what was drawn until then is kept.
        """
        keys = {attempt.number: _key(attempt) for attempt in attempts}
        found = {number: kept for number, key in keys.items() if (kept := self._kept(key)) is not None}
        missing = [attempt for attempt in attempts if attempt.number not in found]
        drawers = self._tools.drawers
        with ThreadPoolExecutor(len(drawers)) as pool:
            for begin in range(0, len(missing), _AT_ONCE):
                progress(begin, len(missing), "Drawing attempts")
                part = missing[begin : begin + _AT_ONCE]
                jobs = [
                    pool.submit(self._draw, attempt, keys[attempt.number], scene, drawers[k % len(drawers)])
                    for k, (attempt, scene) in enumerate(_scenes(part))
                ]
                found |= {attempt.number: job.result() for attempt, job in zip(part, jobs, strict=True)}
        return found

    def in_dark(self, attempt: SiteAttempt) -> KeptDrawing:
        """The drawing of an attempt with a picture in dark colours, too."""
        key = _key(attempt)
        kept = self._kept(key)
        if kept is None or not kept.pictures or "dark" in kept.pictures:
            return kept or KeptDrawing({}, None, True, 0)
        _, scene = next(_scenes([attempt]))
        assert isinstance(scene, Scene)
        try:
            picture = self._tools.drawers[0].picture(_at_rest(scene), SIZE, "dark", "JPEG", quick=True)
        except CannotDraw:
            return kept
        write_whole(self._folder / f"{key}-dark.jpg", picture)
        return replace(kept, pictures={**kept.pictures, "dark": self._folder / f"{key}-dark.jpg"})

    def _kept(self, key: str) -> KeptDrawing | None:
        try:
            data = json.loads((self._folder / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        pictures = {theme: self._folder / f"{key}-{theme}.jpg" for theme in THEMES}
        scene = self._folder / f"{key}.js" if data["scene"] else None
        there = {theme: path for theme, path in pictures.items() if path.exists()}
        if (data["picture"] and "light" not in there) or (scene is not None and not scene.exists()):
            return None
        return KeptDrawing(there, scene, data["flat"], data["frames"], data["trouble"])

    def _draw(self, attempt: SiteAttempt, key: str, scene: Scene | str, drawer: Drawer) -> KeptDrawing:
        self._folder.mkdir(parents=True, exist_ok=True)
        data: dict[str, Any] = {"scene": False, "picture": False, "flat": True, "frames": 0, "trouble": ""}
        if isinstance(scene, str):
            data["trouble"] = scene
        else:
            data["flat"] = scene.flat
            elements = {element for check in attempt.checks for element in check.elements}
            try:
                text = scene_json(scene, self._tools.colour, elements)
                write_whole(self._folder / f"{key}.js", f"spatialScene({text});\n".encode())
                picture = drawer.picture(_at_rest(scene), SIZE, "light", "JPEG", quick=True)
                write_whole(self._folder / f"{key}-light.jpg", picture)
                data |= {"scene": True, "picture": True, "frames": len(scene.frames)}
            except (CannotShow, CannotDraw) as error:
                data["trouble"] = str(error)
        write_whole(self._folder / f"{key}.json", json.dumps(data).encode())
        kept = self._kept(key)
        assert kept is not None
        return kept


def _key(attempt: SiteAttempt) -> str:
    """What a drawing depends on."""
    verdict = "" if attempt.verdict is None else attempt.verdict.model_dump_json(exclude=set(OF_ONE_JUDGING))
    parts = (_made_by(), attempt.address, attempt.answer, attempt.withheld, verdict)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


@cache
def _made_by() -> str:
    return f"{FORMAT} {application_version()}"


def _scenes(attempts: Sequence[SiteAttempt]) -> Iterator[tuple[SiteAttempt, Scene | str]]:
    """The scene of each attempt, or why there is none."""
    for attempt in attempts:
        yield attempt, attempt.withheld or _scene(attempt)


def _scene(attempt: SiteAttempt) -> Scene | str:
    try:
        task, instance = resolve(attempt.address)
        answer = task.parse(attempt.answer)
        shown = without_hidden(task, instance)
        scene: Scene = task.scene(shown, answer, attempt.verdict)
        if not scene.frames and isinstance(task, MakesFilm):
            # What a film shows ends with the answer, but not with what the verdict found.
            film = task.film(shown, answer)
            scene = film if film.frames else scene
    except (InstanceError, AnswerError) as error:
        return f"It cannot be drawn. {error}"
    except KeyError:
        return _HIDDEN
    return scene


def without_hidden(task: Task[Any], instance: Instance) -> Instance:
    """An instance that holds only what a solver may see of its parameters; not every task can draw it."""
    return replace(instance, parameters_json=canonical(task.visible_parameters(instance)))


def _at_rest(scene: Scene) -> Scene:
    return scene.at(len(scene.frames) - 1) if scene.frames else scene
