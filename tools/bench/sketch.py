"""Speed of the sketch pad on a page of 4000 × 6000 pixels with 300 strokes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

SIZE = (4000, 6000)
STROKES = 300


def pan() -> Iterator[float]:
    """Milliseconds of a frame while the page is moved, at 100 %."""
    pad, application = _opened()
    view = pad.view
    view.show_actual_size()
    from PySide6.QtCore import QPointF

    for _ in range(120):
        start = time.perf_counter()
        view.set_camera(view.camera.moved(QPointF(-9, -14), view.room))
        view.repaint()
        yield 1000 * (time.perf_counter() - start)
        application.processEvents()


def zoom() -> Iterator[float]:
    """Milliseconds of a frame while the wheel zooms from the whole page to its pixels."""
    pad, application = _opened()
    for _ in range(20):
        start = time.perf_counter()
        pad.view.zoom(1.25)
        pad.view.repaint()
        yield 1000 * (time.perf_counter() - start)
        application.processEvents()


def draw() -> Iterator[float]:
    """Milliseconds from a move of the pen to the picture, the last ones of a long stroke."""
    pad, application = _opened()
    from PySide6.QtCore import QPointF, Qt

    pad.toolbox.take("Pen")
    view = pad.view
    none = Qt.KeyboardModifier.NoModifier
    view.pointer.go_down(QPointF(20, 20), Qt.MouseButton.LeftButton, none)
    for i in range(600):
        start = time.perf_counter()
        view.pointer.go_along(QPointF(20 + i % 900, 20 + (i * 7) % 600), none)
        application.processEvents()
        if i > 100:
            yield 1000 * (time.perf_counter() - start)
    view.pointer.go_up(QPointF(20, 20), none)


def finish() -> Iterator[float]:
    """Milliseconds from the end of a stroke across the page to the picture."""
    pad, application = _opened()
    from spatial_workbench.engine.puzzles.annotation.layers import Stroke

    for i in range(20):
        line = Stroke(points=((0.0, 100.0 * i), (4000.0, 6000.0 - 100 * i)))
        start = time.perf_counter()
        pad.desk.put("Draw", pad.desk.current.model_copy(update={"shapes": (*pad.desk.current.shapes, line)}))
        pad.view.repaint()
        yield 1000 * (time.perf_counter() - start)
        application.processEvents()


def _opened():  # type: ignore[no-untyped-def]
    from PySide6.QtWidgets import QApplication

    from spatial_workbench.engine.puzzles.sets.pages import png_of
    from spatial_workbench.widgets.sketch import SketchPad

    application = QApplication.instance() or QApplication([])
    pad = SketchPad()
    pad.resize(1200, 900)
    pad.show()
    pad.pages.replace({"content.png": png_of(_page())})
    pad.pages.wait()
    pad.desk.set_layer(pad.desk.current.model_copy(update={"shapes": _strokes()}))
    application.processEvents()
    return pad, application


def _page():  # type: ignore[no-untyped-def]
    """A page with something on every part of it."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(1)
    coarse = rng.integers(120, 255, (SIZE[1] // 20, SIZE[0] // 20, 3), np.uint8)
    return Image.fromarray(coarse).resize(SIZE)


def _strokes():  # type: ignore[no-untyped-def]
    import numpy as np

    from spatial_workbench.engine.puzzles.annotation.layers import Stroke

    rng = np.random.default_rng(2)
    starts = rng.uniform((0, 0), SIZE, (STROKES, 2))
    paths = starts[:, None] + rng.normal(0, 12, (STROKES, 100, 2)).cumsum(axis=1)
    return tuple(Stroke(points=tuple(map(tuple, path.round(1)))) for path in paths)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for value in globals()[sys.argv[1]]():
        print(value)
