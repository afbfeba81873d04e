"""Pictures of scenes, made without any widget, for reports, thumbnails and the command line."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.formats.png import png
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.widgets.render3d.camera import STANDARD_VIEWS, Camera, box_corners
from spatial_workbench.widgets.render3d.extent import bounds_of, points_of, shown_bounds
from spatial_workbench.widgets.render3d.renderer import Renderer3D
from spatial_workbench.widgets.render3d.style import Style
from spatial_workbench.widgets.theme import LIGHT, Theme

Bytes = NDArray[np.uint8]


def render_scene(
    scene: Scene,
    size: tuple[int, int],
    theme: Theme = LIGHT,
    *,
    view: str | Camera | None = None,
    style: Style | None = None,
    scale: float = 1.0,
    samples: int = 8,
) -> Bytes:
    """Draws a scene off screen.

    Args:
        size: width and height in pixels.
        view: a standard view, or a camera; None: the scene's own first view.
        style: what is marked; None: nothing. Its theme overrides `theme`.
        scale: factor for widths of lines and sizes of points, above 1 for large pictures.
        samples: samples per pixel.

    Returns:
        (height, width, 4) red, green, blue, alpha. Labels are not in it.

    Raises:
        NoRenderer: no OpenGL driver works here.
    """
    renderer = _shared_renderer()
    renderer.resize(*size, pixel_ratio=scale)
    renderer.set_scene(scene, style or Style(theme))
    renderer.camera = view if isinstance(view, Camera) else first_camera(scene, size[0] / size[1], view)
    picture = renderer.picture(samples)
    renderer.set_scene(Scene(items=()), Style(theme))
    return picture


def first_camera(scene: Scene, aspect: float, view: str | None = None) -> Camera:
    """The camera that shows a scene as a whole, from a standard view or from where it is best seen."""
    if scene.flat:
        camera = Camera(orthographic=True).looking("top" if scene.y_up else "bottom")
    else:
        camera = Camera().looking(view or "isometric")
    return camera.framing(framed_points(scene), aspect)


def framed_points(scene: Scene) -> NDArray[np.float64]:
    """The points that the first view of a scene has to show."""
    if scene.bounds is not None or bounds_of(scene.items) is None:
        return box_corners(shown_bounds(scene))
    return np.concatenate([points_of(item) for item in scene.items])


@cache
def _shared_renderer() -> Renderer3D:
    return Renderer3D()


def write_png(picture: Bytes, path: Path) -> None:
    """Writes an array (h, w, 4) as a PNG file."""
    write_whole(path, png(picture))


__all__ = ["STANDARD_VIEWS", "first_camera", "framed_points", "png", "render_scene", "write_png"]
