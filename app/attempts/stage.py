"""Where an attempt is drawn: a view in space or in the plane, whichever its scene needs, and a timeline if it moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedLayout, QVBoxLayout, QWidget

from spatial_workbench.app.video.films import FilmSide
from spatial_workbench.engine.core import Scene
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.scene_views.following import CameraFollower
from spatial_workbench.widgets.scene_views.timeline import Timeline
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.scene_views.views import view_for
from spatial_workbench.widgets.theme import SPACE, Theme


class ComparisonStage(QWidget):
    """Shows scenes of any task.

    Signals:
        view_changed(): the view looks from somewhere else.
    """

    view_changed = Signal()

    def __init__(self, name: str, plays_sharply: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._name = name
        self._plays_sharply = plays_sharply
        self._views: dict[bool, SceneView] = {}
        self.view: SceneView | None = None
        self._scene: Scene | None = None
        self._follower: CameraFollower | None = None
        self._marked: tuple[str, ...] = ()
        self.timeline = Timeline(offers_following=True)
        self.timeline.following_changed.connect(self._follow_anew)
        self.timeline.frame_changed.connect(self._show_frame)
        self.timeline.playing_changed.connect(self._set_playing)
        self.timeline.closed.connect(self.timeline.hide)
        self.timeline.hide()
        self.timeline.listen_in(self)
        self._words = QLabel()
        self._words.setObjectName("secondary")
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setWordWrap(True)
        holder = QWidget()
        self._stack = QStackedLayout(holder)
        self._stack.addWidget(self._words)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(holder, 1)
        layout.addWidget(self.timeline)
        self.setMinimumSize(60 * SPACE, 40 * SPACE)
        appearance().changed.connect(self._set_theme)

    def show_words(self, text: str) -> None:
        """Shows a sentence in place of a drawing."""
        self.timeline.pause()
        self.timeline.hide()
        self._words.setText(text)
        self._stack.setCurrentWidget(self._words)
        self.view = None

    def show_scene(self, scene: Scene, failing: Sequence[str] = (), reset_view: bool = True) -> None:
        """Draws a scene and marks the elements that failed."""
        view = self._views.get(scene.flat)
        if view is None:
            view = self._add_view(scene)
        self._scene = scene
        self.view = view
        view.set_selection(())
        if scene.frames:
            self._stack.setCurrentWidget(view)
            view.set_scene(scene.at(len(scene.frames) - 1), reset_view=reset_view)
            self._follower = CameraFollower(view)
            self.timeline.set_scene(scene)
            self.timeline.go_to(len(scene.frames) - 1)
        else:
            self.timeline.pause()
            view.set_scene(scene, reset_view=reset_view)
            self._stack.setCurrentWidget(view)
        self.timeline.setVisible(bool(scene.frames))
        self.mark(failing)

    def mark(self, failing: Iterable[str], selected: Iterable[str] = ()) -> None:
        """Marks elements as failed, and outlines others."""
        if self.view is not None:
            self._marked = tuple(failing)
            self.view.set_highlight(dict.fromkeys(self._marked, "failed"))
            self.view.set_selection(selected)

    def show_elements(self, ids: Iterable[str]) -> None:
        """Flies to elements; the rest fades."""
        ids = tuple(ids)
        if self.view is not None and ids:
            self.view.set_selection(ids)
            self.view.set_highlight(dict.fromkeys(ids, "failed"), fade_rest=True)
            self.view.frame(ids, animate=not appearance().reduce_motion)

    def film_side(self) -> FilmSide | None:
        """What is played, as it is seen; None where nothing moves."""
        if self._scene is None or not self._scene.frames or self.view is None or self.timeline.isHidden():
            return None
        scene = self._scene if self.timeline.follows else replace(self._scene, tracks=())
        return FilmSide(scene, self._name, self.view.view_state(), self.timeline.index, self.view.aspect)

    def close_view(self) -> None:
        """Releases the graphics resources."""
        self.timeline.pause()
        appearance().changed.disconnect(self._set_theme)
        for view in self._views.values():
            view.close_view()

    def _add_view(self, scene: Scene) -> SceneView:
        view = view_for(Scene(items=(), flat=scene.flat))
        view.set_theme(appearance().theme)
        view.plays_sharply = self._plays_sharply
        view.setAccessibleName(self._name)
        view.show_hint("")
        view.view_changed.connect(self.view_changed)
        self._views[scene.flat] = view
        self._stack.addWidget(view)
        return view

    def _show_frame(self, index: int) -> None:
        if self._scene is not None and self.view is not None and index < len(self._scene.frames):
            self.view.set_scene(self._scene.at(index))
            self._follow(index)

    def _follow(self, index: int) -> None:
        """Lets the camera go along with what the scene is about."""
        if self._follower is not None and self._scene is not None and self._scene.tracks and self.timeline.follows:
            self._follower.follow(self._scene.tracks[0].places[index])

    def _follow_anew(self) -> None:
        if self._follower is not None:
            self._follower.begin_anew()
            self._follow(self.timeline.index)

    def _set_playing(self, playing: bool) -> None:
        for view in self._views.values():
            view.set_playing(playing)

    def _set_theme(self, theme: Theme) -> None:
        for view in self._views.values():
            view.set_theme(theme)
