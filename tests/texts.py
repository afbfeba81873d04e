"""Finds texts that do not fit where they are shown."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QListView,
    QPushButton,
    QTableView,
    QTreeView,
    QTreeWidget,
    QWidget,
)


def cut_texts(root: QWidget) -> list[str]:
    """The texts inside a widget that are cut off, and not shown in full by a tooltip."""
    return [
        f"{kind}: {text}"
        for kind, text in [*_labels(root), *_fields(root), *_buttons(root), *_headers(root), *_rows(root)]
    ]


def texts_cut_for_good(qtbot, *roots: QWidget) -> list[str]:
    """The texts that are still cut off once timers have drawn and every layout has been asked for room."""
    cut: list[str] = []
    for _ in range(20):
        qtbot.wait(100)
        cut = [text for root in roots for text in cut_texts(root)]
        if not cut:
            break
    return cut


def _visible(root: QWidget, kind: type) -> Iterator:
    return (widget for widget in root.findChildren(kind) if widget.isVisible())


def _labels(root: QWidget) -> Iterator[tuple[str, str]]:
    for label in _visible(root, QLabel):
        if not label.text() or label.text() in _tip(label):
            continue
        if label.wordWrap():
            is_cut = label.height() < label.heightForWidth(label.width()) or label.width() < _longest_word(label)
        else:
            is_cut = label.width() < label.sizeHint().width() or label.height() < label.fontMetrics().height()
        if is_cut:
            yield "label", label.text()


def _tip(widget: QWidget) -> str:
    """The tooltip shown over a widget: its own, or that of the closest parent that has one."""
    while not widget.toolTip() and widget.parentWidget() is not None:
        widget = widget.parentWidget()
    return widget.toolTip()


def _longest_word(label: QLabel) -> int:
    return max(label.fontMetrics().horizontalAdvance(word) for word in label.text().split())


def _fields(root: QWidget) -> Iterator[tuple[str, str]]:
    for field in _visible(root, QLineEdit):
        text = field.placeholderText()
        room = field.width() - 16
        if field.fontMetrics().horizontalAdvance(text) > room and text not in field.toolTip():
            yield "placeholder", text


def _buttons(root: QWidget) -> Iterator[tuple[str, str]]:
    for kind in (QAbstractButton, QComboBox, QGroupBox):
        for widget in _visible(root, kind):
            text = _text(widget)
            if text and text not in widget.toolTip() and widget.width() < _needed(widget, text):
                yield type(widget).__name__, text


def _text(widget: QAbstractButton | QComboBox | QGroupBox) -> str:
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return widget.title() if isinstance(widget, QGroupBox) else widget.text()


def _needed(widget: QWidget, text: str) -> int:
    if isinstance(widget, QComboBox):
        return widget.fontMetrics().horizontalAdvance(text) + 34
    return (
        widget.sizeHint().width() if isinstance(widget, QCheckBox | QPushButton) else widget.minimumSizeHint().width()
    )


def _headers(root: QWidget) -> Iterator[tuple[str, str]]:
    for header in _visible(root, QHeaderView):
        model = header.model()
        if model is None or header.orientation() is not Qt.Orientation.Horizontal:
            continue
        for i in range(header.count()):
            text = str(model.headerData(i, Qt.Orientation.Horizontal) or "")
            tip = str(model.headerData(i, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) or "")
            if text and text not in tip and 0 < header.sectionSize(i) < header.sectionSizeHint(i):
                yield "header", text


def _rows(root: QWidget) -> Iterator[tuple[str, str]]:
    for view in _visible(root, QAbstractItemView):
        if isinstance(view, QHeaderView) or view.model() is None:
            continue
        for index in _indexes(view):
            text = str(index.data() or "")
            tip = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
            area = view.visualRect(index)
            if not text or text in tip or area.isEmpty() or not view.viewport().rect().intersects(area):
                continue
            needed = view.sizeHintForIndex(index)
            if isinstance(view, QTreeWidget) and view.itemFromIndex(index).isFirstColumnSpanned():
                area.setWidth(view.viewport().width() - area.left())
            if needed.width() > area.width() or needed.height() > area.height():
                yield type(view).__name__, text


def _indexes(view: QAbstractItemView) -> Iterator:
    columns = view.header().count() if isinstance(view, QTreeView) else 0
    columns = view.horizontalHeader().count() if isinstance(view, QTableView) else columns
    pending = [view.rootIndex()]
    for parent in pending:
        for row in range(min(view.model().rowCount(parent), 60)):
            for column in range(1 if isinstance(view, QListView) else columns):
                index = view.model().index(row, column, parent)
                yield index
                if column == 0 and isinstance(view, QTreeWidget):
                    pending.append(index)
