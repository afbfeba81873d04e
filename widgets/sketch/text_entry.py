"""The field in which a text of a sketch is typed."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.puzzles.annotation.layers import Point, Text
from spatial_workbench.widgets.qt import sized_font
from spatial_workbench.widgets.sketch.desk import SketchDesk


class TextEntry(QObject):
    """Opens a field over the page when a text is wanted, and puts what is typed on the layer."""

    def __init__(self, desk: SketchDesk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.field: _TextField | None = None
        """The field while it is open."""
        desk.text_wanted.connect(self.open)

    def open(self, text: Text, corner: Point) -> None:
        """Opens the field with a text at a point of the page; without words, the text is a new one."""
        self.keep()
        if not self._desk.can_draw:
            return
        view = self._desk.view
        field = self.field = _TextField(view, text)
        field.returnPressed.connect(self.keep)
        field.escaped.connect(self.drop)
        spot = view.transform.map(QPointF(*corner)).toPoint()
        field.setFont(sized_font(max(10, min(96, round(text.size * view.camera.scale)))))
        field.setStyleSheet(f"color: {text.color}; background: #ffffff;")
        field.move(spot)
        field.resize(max(160, min(360, view.width() - spot.x() - 8)), field.sizeHint().height())
        field.show()
        field.setFocus()

    def keep(self) -> None:
        """Closes the field, and puts its text on the layer."""
        field = self.field
        if field is not None:
            self.drop()
            self._put(field.shape, field.text().strip())

    def drop(self) -> None:
        """Closes the field; the layer stays as it is."""
        field = self.field
        self.field = None
        if field is not None:
            field.deleteLater()
            field.hide()
            self._desk.view.setFocus()

    def _put(self, shape: Text, words: str) -> None:
        """Replaces the opened text; a new one goes on top, an empty one is removed."""
        layer = self._desk.current
        is_known = bool(shape.text) and shape in layer.shapes
        if words == shape.text or not (is_known or words):
            return
        written = (shape.model_copy(update={"text": words}),) if words else ()
        place = layer.shapes.index(shape) if is_known else len(layer.shapes)
        shapes = (*layer.shapes[:place], *written, *layer.shapes[place + 1 :])
        label = "Write" if not is_known else "Edit text" if words else "Delete text"
        self._desk.begin_gesture()
        self._desk.select(())
        self._desk.put(label, layer.model_copy(update={"shapes": shapes}))


class _TextField(QLineEdit):
    """A field with a text of the sketch.

    Signals:
        escaped(): the person does not want what was typed.
    """

    escaped = Signal()

    def __init__(self, parent: QWidget, shape: Text) -> None:
        super().__init__(shape.text, parent)
        self.shape = shape
        """The text as it was before; without words, it is a new one."""
        self.setMaxLength(1000)
        self.setAccessibleName(tr("Text on the page"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
