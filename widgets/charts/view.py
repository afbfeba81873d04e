"""The widget that shows a chart: hovering and keys describe its marks, and a click opens their attempts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QToolTip, QVBoxLayout, QWidget

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.evaluation.export import write_rows
from spatial_workbench.engine.evaluation.results.charts import Chart, ChartMark
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.charts.drawing import Place, Surface, height_of, picture, svg
from spatial_workbench.widgets.clipboard import copy_image
from spatial_workbench.widgets.encoding import encoded
from spatial_workbench.widgets.icons import icon

_STEPS = {
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Down: (0, 1),
    Qt.Key.Key_Up: (0, -1),
}
_SAVED_AT = 2.0


class ChartFiles:
    """Writes and copies a chart as it is shown.

    window: the widget to which menus and dialogs belong.
    shown: returns the chart. size: returns the size in which it is shown. failed: called if a file cannot be written.
    """

    def __init__(
        self, window: QWidget, shown: Callable[[], Chart], size: Callable[[], QSize], failed: Callable[[str], object]
    ) -> None:
        self._window = window
        self._shown = shown
        self._size = size
        self._failed = failed

    def save_png(self, path: Path) -> None:
        """Writes the chart as a picture, at twice its size in pixels. Raises OSError."""
        write_whole(path, encoded(picture(self._shown(), appearance().theme, self._size(), _SAVED_AT)))

    def save_svg(self, path: Path) -> None:
        """Writes the chart as a drawing that scales. Raises OSError."""
        write_whole(path, svg(self._shown(), appearance().theme, self._size()).encode())

    def save_csv(self, path: Path) -> None:
        """Writes the figures. Raises OSError."""
        write_rows(path, self._shown().header, self._shown().rows)

    def copy(self) -> None:
        """Puts the chart on the clipboard, as a picture."""
        copy_image(picture(self._shown(), appearance().theme, self._size(), _SAVED_AT))

    def make_menu(self) -> QMenu:
        """A menu of all this."""
        menu = QMenu(self._window)
        menu.addAction(self._window.tr("Copy picture"), self.copy)
        for text, suffix, save in (
            (self._window.tr("Save as PNG…"), "png", self.save_png),
            (self._window.tr("Save as SVG…"), "svg", self.save_svg),
            (self._window.tr("Save figures as CSV…"), "csv", self.save_csv),
        ):
            menu.addAction(text, partial(self._ask_and_save, suffix, save))
        return menu

    def _ask_and_save(self, suffix: str, save: Callable[[Path], None]) -> None:
        name = f"{self._shown().title.lower().replace(' ', '-')}.{suffix}"
        path, _ = QFileDialog.getSaveFileName(self._window, self._window.tr("Save the chart"), name, f"*.{suffix}")
        if path:
            try:
                save(Path(path))
            except OSError as error:
                self._failed(str(error))


class ChartView(QWidget):
    """Shows a chart, as high as it needs to be.

    Signals:
        chosen(Target): a mark that stands for attempts of the project was clicked, or activated with Enter.
        failed(str): a file could not be written.
    """

    chosen = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._chart: Chart | None = None
        self._place: Place | None = None
        self._surface = Surface(self)
        self._surface.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._surface.viewport().installEventFilter(self)
        self._surface.viewport().setMouseTracking(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.addWidget(self._surface)
        self.files = ChartFiles(self, self._shown, lambda: self._surface.size(), self.failed.emit)
        self._menu_button = QToolButton(self)
        self._menu_button.setIcon(icon("more", "secondary"))
        self._menu_button.setToolTip(self.tr("Save or copy this chart"))
        self._menu_button.setAccessibleName(self.tr("Save or copy this chart"))
        self._menu_button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu_button.setMenu(self.files.make_menu())
        appearance().changed.connect(self._draw)

    # What is shown -----------------------------------------------------------------------------------------------

    @property
    def chart(self) -> Chart | None:
        """The chart that is shown."""
        return self._chart

    @property
    def current(self) -> ChartMark | None:
        """The mark that was reached with the keyboard."""
        return self._mark(self._place)

    def set_chart(self, chart: Chart) -> None:
        """Shows a chart."""
        if chart == self._chart:
            return
        self._chart = chart
        self._place = None
        self.setAccessibleName(chart.title)
        self.setAccessibleDescription(chart.description)
        self._draw()
        self.setMinimumHeight(height_of(chart, self.width()))

    def place_of(self, place: Place) -> QPointF:
        """The middle of a mark, in pixels of the plot."""
        assert self._surface.marks is not None
        return QPointF(self._surface.mapFromScene(self._surface.marks.place_of(place)))

    def click_at(self, position: QPointF) -> None:
        """Simulates a click at a position, in pixels of the plot."""
        self._choose(self._find(position))

    def close_view(self) -> None:
        """Stops following the theme."""
        appearance().changed.disconnect(self._draw)

    def _shown(self) -> Chart:
        assert self._chart is not None
        return self._chart

    def _draw(self) -> None:
        if self._chart is not None:
            self._surface.set_chart(self._chart, appearance().theme)

    def _mark(self, place: Place | None) -> ChartMark | None:
        if place is None or self._chart is None:
            return None
        return self._chart.series[place[0]].marks[place[1]]

    # Events ------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._menu_button.adjustSize()
        self._menu_button.move(self.width() - self._menu_button.width() - 6, 6)
        self._menu_button.raise_()
        if self._chart is not None:
            self.setMinimumHeight(height_of(self._chart, self.width()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseMove:
                self._point_at(event)
            elif event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton:
                self.click_at(event.position())
            return True
        # The wheel scrolls the page; the chart itself does not zoom.
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS and self._chart is not None:
            self._go_to(self._chart.neighbour(self._place, *_STEPS[key]))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._place)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._set_place(None)

    def _find(self, position: QPointF) -> Place | None:
        if self._surface.marks is None:
            return None
        return self._surface.marks.find(self._surface.mapToScene(position.toPoint()))

    def _point_at(self, event: QMouseEvent) -> None:
        mark = self._mark(self._find(event.position()))
        is_target = mark is not None and mark.target is not None
        self._surface.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if is_target else Qt.CursorShape.ArrowCursor
        )
        QToolTip.showText(event.globalPosition().toPoint(), mark.tip if mark else "", self._surface)

    def _choose(self, place: Place | None) -> None:
        mark = self._mark(place)
        if mark is not None and mark.target is not None:
            self.chosen.emit(mark.target)

    def _set_place(self, place: Place | None) -> None:
        self._place = place
        if self._surface.marks is not None:
            self._surface.marks.set_current(place)

    def _go_to(self, place: Place | None) -> None:
        self._set_place(place)
        mark = self.current
        if mark is None or place is None:
            return
        self.setAccessibleDescription(mark.tip)
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))
        where = self._surface.viewport().mapToGlobal(self.place_of(place).toPoint())
        QToolTip.showText(where, mark.tip, self._surface)
