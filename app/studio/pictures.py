"""Draws scenes in this process, without a window. Who is not a child made for it asks `drawing.drawer` instead."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spatial_workbench.engine.core import Scene
from spatial_workbench.engine.core.drawer import Cut

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QApplication

_log = logging.getLogger(__name__)


def draw(
    scene: Scene,
    size: tuple[int, int],
    theme_name: str,
    view_name: str = "",
    cut: Cut | None = None,
    quick: bool = False,
) -> QImage:
    """Draws a scene from a standard view, or from where it is best seen, and cut open if that is asked for."""
    application = offscreen_application()
    from spatial_workbench.widgets.render3d.section import CuttingPlane
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D
    from spatial_workbench.widgets.scene_views.viewport_frames import QUICK_SAMPLES
    from spatial_workbench.widgets.scene_views.views import view_for
    from spatial_workbench.widgets.theme import THEMES

    view = view_for(scene)
    view.resize(*size)
    view.set_theme(THEMES[theme_name])
    view.reduce_motion = True
    if isinstance(view, Viewport3D):
        if quick:
            view.picture.samples = QUICK_SAMPLES
        if view_name:
            view.standard_view(view_name)
        view.set_section(CuttingPlane(cut.axis, cut.offset) if cut is not None else None)
    view.frame(animate=False)
    image = view.image()
    view.close_view()
    del application
    return image


def pixels(image: QImage) -> NDArray[np.uint8]:
    """The pixels of a picture: (height, width, 3) red, green and blue."""
    from PySide6.QtGui import QImage

    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    width = image.width()
    height = image.height()
    table = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
    return table[:, : 4 * width].reshape(height, width, 4)[:, :, :3].copy()


def offscreen_application() -> QApplication:
    """A Qt application that needs no screen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.app.frame.style import prepare

    application = QApplication.instance()
    if isinstance(application, QApplication):
        return application
    qInstallMessageHandler(_note)
    application = QApplication(["spatial-workbench"])
    prepare(application)
    return application


def _note(kind: object, context: object, text: str) -> None:
    """Logs Qt's messages, except those about the missing abilities of the offscreen platform."""
    if "plugin does not support" not in text:
        _log.warning("Qt: %s", text)
