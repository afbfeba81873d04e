"""What the cameras see, shown beside the plan; the pictures are made in the background."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hide_and_seek import FARTHEST_DRAWN_M, cameras
from spatial_workbench.engine.tasks.hide_and_seek.field import CrowdField
from spatial_workbench.engine.tasks.hide_and_seek.pixels import HEIGHT, WIDTH, red_pixels, render
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.runner import Runner
from spatial_workbench.widgets.editors.hide_and_seek.crowd import PlacedCrowd
from spatial_workbench.widgets.panels.verdict_panel import SHOW_WRONG
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

CAMERAS = {"fitted": "Published camera", "sniper": "The sniper's eye"}
WITHHELD = marked("You learn who can be seen when you submit, or while “{switch}” is on.")
_COLORS = np.array([[0, 0, 0], [0, 150, 60], [255, 40, 40]], np.uint8)


Pictures = dict[str, tuple[NDArray[np.int8], int]]
"""The picture of each camera, and the number of its red pixels."""


def take_pictures(parameters: Mapping[str, Any], centers: Floats, progress: Progress = silent) -> Pictures:
    """Makes the picture of each camera and counts its red pixels."""
    field = CrowdField.of(parameters)
    pictures = {}
    for k, (name, camera) in enumerate(cameras(field, centers).items()):
        progress(k, 2, "taking pictures")
        picture = render(field, centers, camera)
        pictures[name] = picture, red_pixels(picture)
    return pictures


class Photograph(QWidget):
    """A picture, as large as possible, in its own proportions."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(200, 150)
        self.setAccessibleName(tr("What the camera sees"))
        self._image: QImage | None = None

    def sizeHint(self) -> QSize:
        return QSize(400, 300)

    def clear(self) -> None:
        """Shows no picture, and says when there will be one."""
        self._image = None
        self.update()

    def show_picture(self, picture: NDArray[np.int8]) -> None:
        """Shows a picture of the rasteriser."""
        pixels = np.ascontiguousarray(_COLORS[picture])
        self._image = QImage(pixels.data, WIDTH, HEIGHT, WIDTH * 3, QImage.Format.Format_RGB888).copy()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._image is None:
            painter.fillRect(self.rect(), appearance().theme.color("viewport_bottom"))
            painter.setPen(appearance().theme.color("secondary"))
            room = self.rect().adjusted(SPACE, SPACE, -SPACE, -SPACE)
            words = tr(WITHHELD, switch=tr(SHOW_WRONG))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
            return
        painter.fillRect(self.rect(), Qt.GlobalColor.black)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        scale = min(self.width() / WIDTH, self.height() / HEIGHT)
        w, h = WIDTH * scale, HEIGHT * scale
        painter.drawImage(QRectF((self.width() - w) / 2, (self.height() - h) / 2, w, h), self._image)


class CameraPane(QWidget):
    """A choice of cameras, the red pixels of each, and the picture of the chosen one.

    Signals:
        camera_changed(): the other camera was chosen.
    """

    camera_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pictures: Pictures = {}
        self._choice = ChoiceBox()
        self._choice.addItems([said(name) for name in CAMERAS.values()])
        self._choice.setAccessibleName(tr("Camera"))
        self._choice.setToolTip(tr("The published score counts the red pixels of the published camera"))
        self._choice.currentIndexChanged.connect(self._show_pictures)
        self.counts = QLabel()
        self.counts.setObjectName("caption")
        self.photograph = Photograph()
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 12, 4)
        row.addWidget(self._choice)
        row.addWidget(self.counts, 1, Qt.AlignmentFlag.AlignRight)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.photograph, 1)

    def show_pictures(self, pictures: Pictures) -> None:
        """Shows new pictures; without any, says when there will be some."""
        self._pictures = pictures
        self._show_pictures()

    def _show_pictures(self) -> None:
        if not self._pictures:
            self.photograph.clear()
            self.counts.setText("")
            self.counts.setToolTip("")
        else:
            picture, red = self._pictures[list(CAMERAS)[self._choice.currentIndex()]]
            self.photograph.show_picture(picture)
            self.counts.setText(said(counted(red, "red pixel")))
            self.counts.setToolTip(
                "\n".join(f"{said(CAMERAS[n])}: {count}" for n, (_, count) in self._pictures.items())
            )


class CameraPictures:
    """Makes the pictures of both cameras in the background, and shows them in `pane`."""

    def __init__(self, crowd: PlacedCrowd, runner: Runner, parameters: Mapping[str, Any]) -> None:
        self.pane = CameraPane()
        self._crowd = crowd
        self._runner = runner
        self._parameters = parameters
        self._is_taking = False
        self._takes_again = False

    def clear(self) -> None:
        """Shows no pictures."""
        self.pane.show_pictures({})

    def request_pictures(self) -> None:
        """Requests the pictures of both cameras; if pictures are being made, requests new ones afterwards."""
        if self._is_taking or not (np.abs(self._crowd.centers) < FARTHEST_DRAWN_M).all():
            self._takes_again = self._is_taking
            return
        self._is_taking = True
        job = "Taking pictures", take_pictures, dict(self._parameters), self._crowd.centers
        self._runner.run(*job, done=self._pictures_arrived, failed=lambda _: self._pictures_arrived({}), quiet=True)

    def _pictures_arrived(self, pictures: Pictures) -> None:
        self._is_taking = False
        again = self._takes_again
        self._takes_again = False
        self.pane.show_pictures(pictures if self._crowd.judges() else {})
        if again:
            self.request_pictures()
