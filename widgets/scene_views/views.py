"""The view that fits a scene."""

from __future__ import annotations

from spatial_workbench.engine.core import Scene
from spatial_workbench.widgets.scene_views.view import SceneView


def view_for(scene: Scene) -> SceneView:
    """A new view that shows this scene as a whole: a canvas if it is flat, else a viewport."""
    if scene.flat:
        from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D

        view: SceneView = Canvas2D()
    else:
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        view = Viewport3D()
    view.set_scene(scene, reset_view=True)
    return view
