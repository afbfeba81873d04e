"""An animation in place of the document, with the timeline below the views."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from spatial_workbench.engine.core import Scene
from spatial_workbench.widgets.editing.abilities import MakesFrames
from spatial_workbench.widgets.scene_views.timeline import Timeline
from spatial_workbench.widgets.scene_views.view import SceneView


class Animation(QObject):
    """Plays a scene with frames in a view.

    editor: may make the frames itself (`MakesFrames`).

    Signals:
        starting(): another scene is about to be played.
        stopping(): `stop` was called, while a scene is played or not.
        ended(): the document is to be shown again.
    """

    starting = Signal()
    stopping = Signal()
    ended = Signal()

    def __init__(self, editor: QObject, view: SceneView, timeline: Timeline) -> None:
        super().__init__(editor)
        self.scene: Scene | None = None
        """The playing animation; None while the document is shown."""
        self._editor = editor
        self._view = view
        self._timeline = timeline
        timeline.hide()
        timeline.frame_changed.connect(self._show_frame)
        timeline.playing_changed.connect(view.set_playing)
        timeline.closed.connect(self.stop)

    @property
    def is_playing(self) -> bool:
        """Whether an animation is shown in place of the document."""
        return self.scene is not None

    def play(self, scene: Scene) -> None:
        """Shows a scene with frames; `stop` goes back to the document."""
        self.starting.emit()
        self.scene = scene
        self._timeline.set_scene(scene)
        self._timeline.show()
        self._timeline.play()

    def stop(self) -> None:
        """Ends the animation and shows the document again."""
        self.stopping.emit()
        if self.scene is not None:
            self.scene = None
            self._timeline.pause()
            self._timeline.hide()
            self.ended.emit()

    def show_again(self) -> None:
        """Draws the current frame again, after its drawing has changed."""
        if self.scene is not None:
            self._show_frame(self._timeline.index)

    def _show_frame(self, index: int) -> None:
        if self.scene is not None:
            editor = self._editor
            frame = editor.make_frame(self.scene, index) if isinstance(editor, MakesFrames) else self.scene.at(index)
            self._view.set_scene(frame)
