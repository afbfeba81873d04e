"""Where a view looks at a page."""

from PySide6.QtCore import QPointF, QRectF, QSizeF

from spatial_workbench.widgets.sketch.camera import SketchCamera


def test_mirroring_a_turned_view_mirrors_what_is_seen():
    room = QSizeF(400, 300)
    turned = SketchCamera(middle=(100, 50)).turned()
    seen = turned.transform(room).map(QPointF(120, 60))
    mirrored = turned.flipped().transform(room).map(QPointF(120, 60))
    assert (mirrored.x(), mirrored.y()) == (400 - seen.x(), seen.y())


def test_a_page_of_any_size_can_be_seen_whole():
    room = QSizeF(400, 300)
    whole = SketchCamera().fitted(QRectF(0, 0, 20_000, 9_000), room)
    assert whole.transform(room).mapRect(QRectF(0, 0, 20_000, 9_000)).width() <= 400
    nearer = whole.zoomed(3, QPointF(0, 0), room, whole.scale)
    assert nearer.zoomed(0.01, QPointF(0, 0), room, whole.scale).scale == whole.scale
