"""The pictures and scenes of attempts. Those that were made before are kept in the user's cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.drawer import CannotDraw
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.verdict import OF_ONE_JUDGING
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.reporting.site.attempt_drawing import AttemptDrawer, DrawingOrder
from spatial_workbench.engine.reporting.site.contents import SiteAttempt

FORMAT = 6
"""Changes when drawings look different, so that those that were kept are made again."""
THEMES = ("light", "dark")


@dataclass(frozen=True)
class KeptDrawing:
    """The drawing of an attempt.

    Attributes:
        pictures: The files of its pictures by theme.
        scene: The script that hands its scene to the viewer; None: it is not drawn, or too large to be turned.
        is_flat: Whether it lies in a plane.
        frames: How many frames it has to play.
        trouble: Why it is not drawn; empty if it is.
    """

    pictures: Mapping[str, Path]
    scene: Path | None
    is_flat: bool
    frames: int
    trouble: str = ""


def usual_folder() -> Path:
    """The folder in which drawings are kept."""
    from platformdirs import user_cache_path

    return user_cache_path("spatial-workbench", appauthor=False) / "site"


class Drawings:
    """Draws attempts, side by side by several drawers, and keeps what was drawn in a folder.

    moves: Whether scenes may have frames to play.
    """

    def __init__(self, drawers: Sequence[AttemptDrawer], folder: Path, moves: bool = True) -> None:
        self._drawers = drawers
        self._folder = folder
        self._moves = moves

    def of_all(self, attempts: Sequence[SiteAttempt], progress: Progress = silent) -> dict[int, KeptDrawing]:
        """The drawings of attempts by number, in light colours; those that were kept are not made again.

        Raises:
            Cancelled: Raised by `progress`; what was drawn until then is kept.
        """
        keys = {attempt.number: self._key(attempt) for attempt in attempts}
        found = {key: kept for key in set(keys.values()) if (kept := self._kept(key)) is not None}
        missing = {keys[attempt.number]: attempt for attempt in attempts if keys[attempt.number] not in found}
        found |= dict(self._drawn(missing, progress))
        return {number: found[key] for number, key in keys.items()}

    def in_dark(self, attempts: Sequence[SiteAttempt], progress: Progress = silent) -> dict[int, KeptDrawing]:
        """The drawings of attempts that are drawn already, by number, with pictures in dark colours, too.

        Raises:
            Cancelled: Raised by `progress`; what was drawn until then is kept.
        """
        found = self.of_all(attempts, progress)
        missing = {self._key(one): one for one in attempts if "dark" not in found[one.number].pictures}
        for _ in self._drawn(missing, progress, "dark"):
            continue
        return self.of_all(attempts, progress)

    def _drawn(
        self, attempts: Mapping[str, SiteAttempt], progress: Progress, theme: str = "light"
    ) -> Iterator[tuple[str, KeptDrawing]]:
        """Draws attempts, by their keys."""
        free: SimpleQueue[AttemptDrawer] = SimpleQueue()
        for drawer in self._drawers:
            free.put(drawer)

        def draw(key: str) -> KeptDrawing:
            drawer = free.get()
            try:
                return self._draw(attempts[key], key, drawer, theme)
            finally:
                free.put(drawer)

        self._folder.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(len(self._drawers)) as pool:
            jobs = {key: pool.submit(draw, key) for key in attempts}
            try:
                for done, (key, job) in enumerate(jobs.items()):
                    progress(done, len(jobs), "Drawing attempts")
                    yield key, job.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _kept(self, key: str) -> KeptDrawing | None:
        try:
            data = json.loads((self._folder / f"{key}.json").read_text("utf-8"))
        except (OSError, ValueError):
            return None
        pictures = {theme: self._folder / f"{key}-{theme}.webp" for theme in THEMES}
        scene = self._folder / f"{key}.js" if data["scene"] else None
        there = {theme: path for theme, path in pictures.items() if path.exists()}
        if (data["picture"] and "light" not in there) or (scene is not None and not scene.exists()):
            return None
        return KeptDrawing(there, scene, data["flat"], data["frames"], data["trouble"])

    def _draw(self, attempt: SiteAttempt, key: str, drawer: AttemptDrawer, theme: str) -> KeptDrawing:
        elements = frozenset(element for check in attempt.checks for element in check.elements)
        order = DrawingOrder(
            attempt.address,
            attempt.answer,
            attempt.verdict,
            elements,
            theme,
            theme == "light",
            attempt.history,
            self._moves,
            attempt.parameters,
        )
        data: dict[str, Any] = {"scene": False, "picture": False, "flat": True, "frames": 0, "trouble": ""}
        try:
            if attempt.withheld:
                raise CannotDraw(attempt.withheld)
            drawing = drawer.drawn(order)
        except CannotDraw as error:
            data["trouble"] = str(error)
        else:
            write_whole(self._folder / f"{key}-{theme}.webp", drawing.picture)
            if drawing.script:
                write_whole(self._folder / f"{key}.js", drawing.script)
            data |= {"scene": bool(drawing.script), "picture": True, "flat": drawing.is_flat, "frames": drawing.frames}
        if theme == "light":
            write_whole(self._folder / f"{key}.json", json.dumps(data).encode())
        kept = self._kept(key)
        assert kept is not None
        return kept

    def _key(self, attempt: SiteAttempt) -> str:
        """What a drawing depends on."""
        verdict = "" if attempt.verdict is None else attempt.verdict.model_dump_json(exclude=set(OF_ONE_JUDGING))
        parts = [_made_by(), attempt.address, attempt.parameters, attempt.answer, attempt.withheld, verdict]
        if not self._moves:
            parts.append("at rest")
        elif attempt.history:
            parts.append(attempt.history)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


@cache
def _made_by() -> str:
    return f"{FORMAT} {application_version()}"
