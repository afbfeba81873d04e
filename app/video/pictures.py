"""Draws the pictures of a video, with time and figures in them. Uses Qt without a window; see `studio.pictures`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter

from spatial_workbench.app.studio.pictures import offscreen_application, pixels
from spatial_workbench.app.video.between import scene_between
from spatial_workbench.app.video.choices import VideoChoices
from spatial_workbench.app.video.films import Film, FilmSide
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.widgets.render3d.camera import Camera
from spatial_workbench.widgets.scene_views.following import CameraFollower
from spatial_workbench.widgets.scene_views.overlays import CORNER, pixel_font
from spatial_workbench.widgets.scene_views.timeline import FRAME_S, moments_of, words_of_frame
from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
from spatial_workbench.widgets.scene_views.views import view_for
from spatial_workbench.widgets.theme import THEMES

if TYPE_CHECKING:
    from spatial_workbench.widgets.scene_views.view import SceneView

Bytes = NDArray[np.uint8]

END_S = 0.5
"""How long the last moment is seen."""
USUAL_HEIGHT_PX = 720
"""The height at which texts and lines have their usual size; in larger pictures they grow."""
SAMPLES = 3
_FIGURES_PX = 18
_SMALLEST_PX = 11
_BETWEEN = " · "
"""What stands between the figures of a caption."""


@dataclass(frozen=True)
class ShownMoment:
    """What a picture shows of one side: a frame, and the share of the way to the next."""

    index: int
    share: float


def schedule(film: Film, choices: VideoChoices) -> list[tuple[ShownMoment, ...]]:
    """What each picture shows of each side.

    Where all frames count seconds, each side is shown as it is at that time; else they go frame by frame.
    """
    in_seconds = _counts_seconds(film)
    times = _times(film)
    begin, end = _span(times)
    count = round((end - begin) / choices.speed * choices.rate) + 1
    clock = np.minimum(begin + np.arange(count) * choices.speed / choices.rate, end)
    shown = [tuple(_moment_at(own, float(now), in_seconds) for own in times) for now in clock]
    return shown + [shown[-1]] * round(END_S * choices.rate)


def length_s(film: Film) -> float:
    """How long a film is at normal speed, without the time for which its end is seen."""
    begin, end = _span(_times(film))
    return end - begin


def _counts_seconds(film: Film) -> bool:
    return all(side.scene.frame_unit == "s" for side in film.sides)


def _times(film: Film) -> list[Floats]:
    """When the frames of each side are due, s."""
    frame_s = film.frame_s or FRAME_S
    times = [moments_of(side.scene, frame_s) for side in film.sides]
    return times if _counts_seconds(film) else [frame_s * np.arange(float(len(own))) for own in times]


def _span(times: Sequence[Floats]) -> tuple[float, float]:
    return min(float(own[0]) for own in times), max(float(own[-1]) for own in times)


def _moment_at(times: Floats, now: float, in_seconds: bool) -> ShownMoment:
    index = int(np.clip(np.searchsorted(times, now + 1e-6, side="right") - 1, 0, len(times) - 1))
    if not in_seconds or index + 1 == len(times) or now <= times[index]:
        return ShownMoment(index, 0.0)
    return ShownMoment(index, float((now - times[index]) / (times[index + 1] - times[index])))


class FilmDrawer:
    """Draws the pictures of a film, in any order; the same number gives the same picture.

    Raises:
        NoRenderer: no OpenGL driver works here.
    """

    def __init__(self, film: Film, choices: VideoChoices) -> None:
        self._application = offscreen_application()
        self._choices = choices
        self.moments = schedule(film, choices)
        count = len(film.sides)
        width, height = choices.size
        edges = [width * k // count for k in range(count + 1)]
        self._sides = [
            _SideDrawer(side, (right - left, height), choices, has_title=count > 1)
            for side, left, right in zip(film.sides, edges[:-1], edges[1:], strict=True)
        ]
        self._edges = edges
        self._last: tuple[tuple[ShownMoment, ...], Bytes] | None = None

    def picture(self, number: int) -> Bytes:
        """A picture: (height, width, 3) red, green, blue."""
        moments = self.moments[number]
        if self._last is None or self._last[0] != moments:
            self._last = (moments, self._drawn(moments))
        return self._last[1]

    def close(self) -> None:
        """Releases the graphics resources."""
        for side in self._sides:
            side.close()

    def _drawn(self, moments: Sequence[ShownMoment]) -> Bytes:
        images = [side.image(moment) for side, moment in zip(self._sides, moments, strict=True)]
        if len(images) == 1:
            return pixels(images[0])
        whole = QImage(*self._choices.size, QImage.Format.Format_RGB32)
        painter = QPainter(whole)
        for image, left in zip(images, self._edges, strict=False):
            painter.drawImage(left, 0, image)
        painter.setPen(THEMES[self._choices.theme].color("line"))
        for left in self._edges[1:-1]:
            painter.drawLine(left, 0, left, whole.height())
        painter.end()
        return pixels(whole)


class _SideDrawer:
    """Draws one scene of a film."""

    def __init__(self, side: FilmSide, size: tuple[int, int], choices: VideoChoices, has_title: bool) -> None:
        self._side = side
        self._size = size
        self._theme = THEMES[choices.theme]
        self._title = side.name if has_title else ""
        self._scale = max(1.0, size[1] / USUAL_HEIGHT_PX)
        self._view = self._make_view()
        self._start = self._view.view_state()
        self._follower = CameraFollower(self._view)
        tracks = side.scene.tracks
        self._places = tracks[0].places if tracks and choices.follows else None
        self._words_width = 0.0

    def image(self, moment: ShownMoment) -> QImage:
        """The picture of a moment."""
        scene = self._side.scene
        self._view.set_scene(scene_between(scene, moment.index, moment.share))
        if self._places is not None:
            self._view.set_view_state(self._start)
            self._follower.begin_anew()
            self._follower.follow(self._places[self._side.seen_at])
            self._follower.follow(self._place(moment))
        width, height = self._size
        image = self._view.image(self._scale).copy(0, 0, width, height)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_words(painter, words_of_frame(scene, scene.frames[moment.index]))
        painter.end()
        return image

    def close(self) -> None:
        """Releases the graphics resources."""
        self._view.close_view()

    def _make_view(self) -> SceneView:
        scene = self._side.scene
        view = view_for(scene if scene.items else scene.at(len(scene.frames) - 1))
        view.resize(*(round(side / self._scale + 0.499) for side in self._size))
        view.set_theme(self._theme)
        view.reduce_motion = True
        if isinstance(view, Viewport3D):
            view.picture.samples = SAMPLES
        view.frame(animate=False)
        if self._side.view_state is not None:
            view.set_view_state(self._widened(self._side.view_state))
        return view

    def _widened(self, state: object) -> object:
        """The state of a view, taken back so far that a narrower picture shows all that the view showed."""
        aspect = self._size[0] / self._size[1]
        if not isinstance(state, Camera) or self._side.aspect is None or self._side.aspect <= aspect:
            return state
        return replace(state, distance=state.distance * self._side.aspect / aspect)

    def _place(self, moment: ShownMoment) -> Floats:
        assert self._places is not None
        here = self._places[moment.index]
        later = self._places[min(moment.index + 1, len(self._places) - 1)]
        return np.asarray(here + moment.share * (later - here))

    def _paint_words(self, painter: QPainter, words: str) -> None:
        """Paints time and figures at the lower left, and the name at the upper left."""
        width, height = self._size
        size = max(_SMALLEST_PX, round(_FIGURES_PX * height / USUAL_HEIGHT_PX))
        font = pixel_font(painter, size)
        font.setFeature(QFont.Tag("tnum"), 1)
        metrics = QFontMetricsF(font)
        room = width - 2 * metrics.height()
        lines = [words] if metrics.horizontalAdvance(words) <= room else figures_in_two_lines(words)
        while self._width_of(lines, metrics) > room and font.pixelSize() > _SMALLEST_PX:
            font.setPixelSize(font.pixelSize() - 1)
            metrics = QFontMetricsF(font)
        painter.setFont(font)
        # The card only grows, so that it does not tremble with the figures.
        self._words_width = min(max(self._words_width, self._width_of(lines, metrics)), room)
        self._paint_card(painter, lines, self._words_width, metrics, at_top=False)
        if self._title:
            self._paint_card(painter, [self._title], self._width_of([self._title], metrics), metrics, at_top=True)

    @staticmethod
    def _width_of(lines: Sequence[str], metrics: QFontMetricsF) -> float:
        return max(metrics.horizontalAdvance(line) for line in lines)

    def _paint_card(
        self, painter: QPainter, lines: Sequence[str], text_width: float, metrics: QFontMetricsF, at_top: bool
    ) -> None:
        pad = metrics.height() / 2
        box = QRect(round(pad), 0, round(text_width + 2 * pad), round(len(lines) * metrics.height() + pad))
        box.moveTop(round(pad) if at_top else self._size[1] - box.height() - round(pad))
        card = self._theme.color("panel")
        card.setAlphaF(0.9)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(card)
        painter.drawRoundedRect(box, CORNER, CORNER)
        painter.setPen(self._theme.color("text"))
        inner = box.adjusted(round(pad), 0, 0, 0)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), "\n".join(lines))


def figures_in_two_lines(words: str) -> list[str]:
    """Figures broken where both lines are as equal as can be; a single figure stays as it is."""
    parts = words.split(_BETWEEN)
    breaks = [(_BETWEEN.join(parts[:k]), _BETWEEN.join(parts[k:])) for k in range(1, len(parts))]
    return list(min(breaks, key=lambda lines: max(map(len, lines)))) if breaks else [words]
