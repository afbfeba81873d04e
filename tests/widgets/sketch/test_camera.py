"""Where a view looks at a page."""

from PySide6.QtCore import QPointF, QSizeF

from spatial_workbench.widgets.sketch.camera import SketchCamera


def test_mirroring_a_turned_view_mirrors_what_is_seen():
    room = QSizeF(400, 300)
    turned = SketchCamera(middle=(100, 50)).turned()
    seen = turned.transform(room).map(QPointF(120, 60))
    mirrored = turned.flipped().transform(room).map(QPointF(120, 60))
    assert (mirrored.x(), mirrored.y()) == (400 - seen.x(), seen.y())
