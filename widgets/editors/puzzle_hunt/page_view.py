"""The sketch pad as the view of an editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFocusEvent, QImage, QUndoStack
from PySide6.QtWidgets import QVBoxLayout

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.scene import Floats, Item, Scene
from spatial_workbench.engine.core.scene import Picture as ScenePicture
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.scene_views.view import Pick, SceneView
from spatial_workbench.widgets.sketch import SketchPad
from spatial_workbench.widgets.theme import Theme


class SketchView(SceneView):
    """Shows the pages of a flat scene in a sketch pad; what is picked is a page."""

    def __init__(self, undo_stack: QUndoStack) -> None:
        super().__init__()
        self.style_ = Style(self.theme)
        self.pad = SketchPad(undo_stack, offers_view=False)
        self.setAccessibleName(tr("Puzzle"))
        self.setAccessibleDescription(self.pad.view.accessibleDescription())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pad)
        self.setFocusProxy(self.pad.view)
        self.addActions(self.pad.actions())
        self.view_actions = {"frame": self.pad.actions_by_name["Fit page"]}
        self.pad.view.view_changed.connect(self.view_changed)
        self.pad.view.frame_drawn.connect(self.frame_drawn)

    # What is shown -----------------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene, reset_view: bool = False) -> None:
        pages = {item.id: item.png for item in _pictures(scene)}
        if scene is not self.scene and pages != {item.id: item.png for item in _pictures(self.scene)}:
            self.pad.pages.replace(pages)
        self.scene = scene

    def set_highlight(self, roles: Mapping[str, str], fade_rest: bool = False) -> None:
        """A verdict on a puzzle names no part of its pages."""

    def set_selection(self, ids: Iterable[str]) -> None:
        chosen = tuple(ids)
        if chosen != self.selection:
            self.selection = chosen
            self.selection_changed.emit(chosen)

    def set_ghost(self, items: Sequence[Item], reason: str = "", guides: Sequence[Item] = ()) -> None:
        """Nothing is placed here."""

    def set_hidden(self, ids: Iterable[str]) -> None:
        """Pages are not hidden."""

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.pad.view.refresh()

    def set_describe(self, describe: Callable[[Pick], tuple[str, str]]) -> None:
        """There is no label beside the pointer."""

    def show_hint(self, text: str) -> None:
        """The line below the page has the hints."""

    def set_empty_text(self, text: str) -> None:
        """A puzzle always has a page."""

    # Camera ------------------------------------------------------------------------------------------------------

    def frame(self, ids: Iterable[str] | None = None, animate: bool = True) -> None:
        self.pad.view.fit()

    def go_to(self, ids: Iterable[str], context: Iterable[str] = (), animate: bool = True) -> bool:
        page = next((name for name in ids if name in self.pad.pages.names), None)
        if page is not None:
            self.pad.pages.turn_to(page)
        return page is not None

    def shows_everything(self) -> bool:
        return True

    def standard_view(self, name: str) -> None:
        self.pad.view.fit()

    def view_state(self) -> object:
        return self.pad.view.camera

    def set_view_state(self, state: object) -> None:
        from spatial_workbench.widgets.sketch.camera import SketchCamera

        if isinstance(state, SketchCamera):
            self.pad.view.set_camera(state)

    # Queries -----------------------------------------------------------------------------------------------------

    def pick(self, pos: QPointF) -> Pick | None:
        if not self.pad.pages.front:
            return None
        x, y = self._on_page(pos)
        width, height = self.pad.pages.layer(self.pad.pages.front).size
        return (
            Pick(self.pad.pages.front, self.pad.pages.front, (x, y, 0.0))
            if 0 <= x < width and 0 <= y < height
            else None
        )

    def pick_box(self, first: QPointF, second: QPointF) -> tuple[str, ...]:
        return ()

    def ray(self, pos: QPointF) -> tuple[Floats, Floats]:
        x, y = self._on_page(pos)
        return np.array([x, y, 0.0]), np.array([0.0, 0.0, -1.0])

    def project(self, points: Floats) -> Floats:
        transform = self.pad.view.transform
        corner = self.pad.view.mapTo(self, QPointF())
        spots = [transform.map(QPointF(float(p[0]), float(p[1]))) + corner for p in points]
        return np.array([(spot.x(), spot.y()) for spot in spots], float).reshape(-1, 2)

    def image(self, scale: float = 1.0) -> QImage:
        self.pad.pages.wait()
        return self.pad.view.grab().toImage()

    def flush(self) -> None:
        self.pad.pages.wait()

    def close_view(self) -> None:
        self.pad.close_pad()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.pad.view.setFocus()

    def _on_page(self, pos: QPointF) -> tuple[float, float]:
        point = self.pad.view.on_page(self.pad.view.mapFrom(self, pos))
        return point.x(), point.y()


def _pictures(scene: Scene) -> list[ScenePicture]:
    return [item for item in scene.items if isinstance(item, ScenePicture)]
