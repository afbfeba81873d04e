"""The measurements that need a window: frames, picking, stalls, memory. As a module it takes one, and prints it."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from spatial_workbench.app.studio.pictures import offscreen_application

SIZE = (1200, 800)


def placed_brick() -> Iterator[float]:
    """From the edit to the composited picture, with 1500 bricks in the scene."""
    view = _view(1500)
    for i in range(10):
        start = time.perf_counter()
        view.set_ghost([_bricks(1, first=5000 + i, offset=200.0 + 8 * i)])
        view.repaint()
        yield (time.perf_counter() - start) * 1000
    view.close_view()


def still_frame() -> Iterator[float]:
    """A full frame at rest."""
    view = _view(1500)
    for i in range(6):
        view.standard_view("front" if i % 2 else "isometric")
        start = time.perf_counter()
        view.flush()
        yield (time.perf_counter() - start) * 1000
    view.close_view()


def pick() -> Iterator[float]:
    """One pick in the middle of the view."""
    from PySide6.QtCore import QPointF

    view = _view(10_000)
    for i in range(20):
        start = time.perf_counter()
        view.pick(QPointF(SIZE[0] / 2 + i, SIZE[1] / 2))
        yield (time.perf_counter() - start) * 1000
    view.close_view()


def orbit() -> Iterator[float]:
    """Frames a second while the middle button drags."""
    from PySide6.QtCore import QEvent, QPointF, Qt
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QApplication

    view = _view(10_000)
    none = Qt.KeyboardModifier.NoModifier
    middle = Qt.MouseButton.MiddleButton

    def send(kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        place = QPointF(x, 400)
        QApplication.sendEvent(view, QMouseEvent(kind, place, view.mapToGlobal(place), button, middle, none))

    send(QEvent.Type.MouseButtonPress, 300, middle)
    for run in range(5):
        frames = []
        start = time.perf_counter()
        connection = view.frame_drawn.connect(frames.append)
        while time.perf_counter() - start < 1.0:
            send(QEvent.Type.MouseMove, 300 + 400 * ((time.perf_counter() - start + run) % 1), Qt.MouseButton.NoButton)
            QApplication.processEvents()
        view.frame_drawn.disconnect(connection)
        yield len(frames) / (time.perf_counter() - start)
    view.close_view()


def longest_stall() -> Iterator[float]:
    """The longest gap of a 5 ms timer while a 1146-brick answer is edited and judged, less the frames drawn in it."""
    from PySide6.QtCore import QTimer

    from spatial_workbench.widgets.scene_views.view import SceneView

    stage = new_stage()
    workspace = stage.open("lego_hemisphere:7")
    stage.solve()
    stage.settle(seconds=3.0)
    ticks: list[float] = []
    frames: list[tuple[float, float]] = []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: ticks.append(time.perf_counter()))
    for view in workspace.findChildren(SceneView):
        view.frame_drawn.connect(lambda ms: frames.append((time.perf_counter(), ms)))
    answer = workspace.document.answer
    timer.start()
    for i in range(10):
        workspace.document.edit("Remove brick", answer.model_copy(update={"bricks": answer.bricks[: -1 - i]}))
        stage.wait(lambda: workspace.document.is_verdict_current)
    timer.stop()
    stage.close()
    yield max(
        (after - before) * 1000 - sum(ms for moment, ms in frames if before < moment <= after)
        for before, after in pairwise(ticks)
    )


def memory() -> Iterator[float]:
    """The resident memory of the window's process."""
    stage = new_stage()
    stage.open("lego_hemisphere:7")
    stage.solve()
    stage.settle()
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            yield int(line.split()[1]) / 1024
    stage.close()


def new_stage():
    """A window on an empty project of its own, on a screen that nobody sees."""
    from PySide6.QtCore import QSettings

    from tools.studio.screenshots import WindowStage

    application = offscreen_application()
    folder = tempfile.mkdtemp()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
    return WindowStage(application, Path(folder), (1440, 900), "light")


def _view(count: int):
    offscreen_application()
    from spatial_workbench.engine.core import Scene
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

    view = Viewport3D()
    view.resize(*SIZE)
    view.set_scene(Scene(items=(_bricks(count),), unit="mm"), reset_view=True)
    view.show()
    view.flush()
    return view


def _bricks(count: int, first: int = 0, offset: float = 0.0):
    """Bricks in six full layers."""
    import numpy as np

    from spatial_workbench.engine.core.scene import Boxes

    side = max(1, round((count / 6 / 2) ** 0.5))
    index = np.arange(count)
    layer, rest = np.divmod(index, max(1, count // 6))
    centers = np.stack([32.0 * (rest % side) + offset, 16.0 * (rest // side), 4.8 + 9.6 * layer], axis=1)
    return Boxes(
        name=f"bricks {first}" if first else "bricks",
        ids=[f"brick {first + i}" for i in index],
        centers=centers.astype(float),
        sizes=np.array([32.0, 16.0, 9.6]),
        colors=[f"series {i % 7}" for i in layer],
        studs=(4, 2),
    )


def first_paint() -> Iterator[float]:
    """The moment at which the first window is painted, in seconds since the epoch."""
    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.app.window.application import build_window

    with tempfile.TemporaryDirectory() as folder:
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        application = QApplication([])
        window = build_window(application)
        window.show()
        application.processEvents()
        yield time.time()
        window.close()


if __name__ == "__main__":
    measurements = {"first_paint": first_paint, "longest_stall": longest_stall, "memory": memory}
    for value in measurements[sys.argv[1]]():
        print(repr(value), flush=True)
