"""Texts and frames painted over a view's picture."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.scene import Item, Label
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.render3d.style import FADED, Style
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.theme import Theme

CORNER = 6
PADDING = 8
_LINES = int(Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)
_WRAPPED = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)


def pixel_font(painter: QPainter, pixels: float, bold: bool = False) -> QFont:
    """The painter's font in a size in pixels."""
    font = QFont(painter.font())
    font.setPixelSize(max(1, round(pixels)))
    font.setBold(bold)
    return font


def paint_labels(painter: QPainter, view: SceneView, items: Iterable[Item], style: Style) -> None:
    """Paints labels where they are in the view."""
    labels = [item for item in items if isinstance(item, Label) and item.id not in style.hidden]
    if not labels:
        return
    points = np.array([(*label.position, 0.0)[:3] for label in labels])
    places = view.project(points)
    inside: np.ndarray = np.all((places >= 0) & (places <= (view.width(), view.height())), axis=1)
    in_sight = [label for label, is_inside in zip(labels, inside, strict=True) if is_inside]
    paint_words(painter, in_sight, kept_inside(painter, in_sight, places[inside], view.rect()), style)


def kept_inside(painter: QPainter, labels: Iterable[Label], places: np.ndarray, area: QRect) -> np.ndarray:
    """The places of labels, moved just far enough that no text leaves the view."""
    moved = places.copy()
    labels = list(labels)
    metrics = {size: QFontMetricsF(pixel_font(painter, size)) for size in {label.size_px for label in labels}}
    for i, label in enumerate(labels):
        size = metrics[label.size_px]
        half = (
            np.array([size.horizontalAdvance(said(label.text)), size.height() * (1 + label.text.count("\n"))]) / 2 + 2
        )
        room = np.maximum(half, np.array([area.width(), area.height()]) - half)
        moved[i] = np.clip(places[i], half, room)
    return moved


def paint_words(painter: QPainter, labels: Iterable[Label], places: np.ndarray, style: Style, scale: float = 1) -> None:
    """Paints labels centred at places (n, 2), with a thin halo of the background."""
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    halo = style.theme.color("viewport_top")
    for label, (x, y) in zip(labels, places, strict=True):
        if np.isnan(x):
            continue
        color = style.theme.color(style.roles.get(label.id, label.color))
        faded = style.fade_rest and style.roles and label.id not in style.roles
        painter.setOpacity(FADED if faded else 1.0)
        painter.setFont(pixel_font(painter, label.size_px * scale))
        box = QRectF(x - 500, y - 100, 1000, 200)
        text = said(label.text)
        painter.setPen(halo)
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            painter.drawText(box.translated(dx * scale, dy * scale), Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(color)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.setOpacity(1.0)


def paint_box(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Paints the frame of a box selection."""
    fill = theme.color("accent")
    painter.setPen(QPen(fill, 1))
    fill.setAlphaF(0.12)
    painter.setBrush(fill)
    painter.drawRect(box)


def paint_note(
    painter: QPainter, area: QRect, pointer: QPointF, lines: tuple[str, str], theme: Theme, role: str = "text"
) -> None:
    """Paints a label of up to two lines beside the pointer, translated, and kept inside the view."""
    first = pixel_font(painter, 13, bold=True)
    second = pixel_font(painter, 11)
    shown = [(said(text), font) for text, font in zip(lines, (first, second), strict=True) if text]
    if not shown:
        return
    sizes = [QFontMetricsF(font) for _, font in shown]
    room = QRectF(0, 0, area.width() - 8 - 2 * PADDING, 10_000)
    words = [size.boundingRect(room, _LINES, text) for size, (text, _) in zip(sizes, shown, strict=True)]
    width = max(word.width() for word in words) + 2 * PADDING + 1
    height = sum(word.height() for word in words) + PADDING
    x = min(pointer.x() + 16, area.right() - width - 4)
    y = pointer.y() + 18 if pointer.y() + 18 + height < area.bottom() - 4 else pointer.y() - height - 8
    box = QRectF(max(4.0, x), max(4.0, y), width, height)
    _card(painter, box, theme)
    top = box.top() + PADDING / 2
    for word, (text, font), colour in zip(words, shown, (role, "secondary"), strict=False):
        painter.setFont(font)
        painter.setPen(theme.color(colour))
        painter.drawText(QRectF(box.left() + PADDING, top, width - 2 * PADDING + 1, word.height()), _LINES, text)
        top += word.height()


def paint_status(painter: QPainter, area: QRect, text: str, theme: Theme) -> None:
    """Paints a line about the element under the pointer, at the bottom left."""
    font = pixel_font(painter, 11)
    size = QFontMetricsF(font)
    text = size.elidedText(text, Qt.TextElideMode.ElideRight, area.width() - 16 - 2 * PADDING)
    box = QRectF(8, area.height() - size.height() - 16, size.horizontalAdvance(text) + 2 * PADDING, size.height() + 8)
    _card(painter, box, theme)
    painter.setFont(font)
    painter.setPen(theme.color("secondary"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def paint_empty(painter: QPainter, area: QRect, text: str, theme: Theme) -> None:
    """Paints a sentence in the middle of a view that has nothing to show."""
    painter.setFont(pixel_font(painter, 13))
    painter.setPen(theme.color("secondary"))
    box = QRectF(area).adjusted(24, 24, -24, -24)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), text)


def hint_box(area: QRect, font: QFont, text: str) -> QRectF:
    """Where the card of a hint stands: at the bottom, above the coordinates along the edge."""
    room = QRectF(area).adjusted(24, 24, -24, -32)
    words = QFontMetricsF(hint_font(font)).boundingRect(room.adjusted(12, 8, -12, -8), _WRAPPED, text)
    box = words.adjusted(-12, -8, 12, 8)
    box.moveCenter(QPointF(area.center()))
    box.moveBottom(room.bottom())
    return box


def hint_font(font: QFont) -> QFont:
    """A view's font in the size of hints."""
    sized = QFont(font)
    sized.setPixelSize(scaled(13))
    return sized


def paint_hint(painter: QPainter, area: QRect, text: str, theme: Theme) -> None:
    """Paints a card at the bottom that explains the gestures once."""
    box = hint_box(area, painter.font(), text)
    _card(painter, box, theme)
    painter.setFont(hint_font(painter.font()))
    painter.setPen(theme.color("text"))
    painter.drawText(box, _WRAPPED, text)


def _card(painter: QPainter, box: QRectF, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QColor(theme.panel)
    ground.setAlphaF(0.94)
    painter.setBrush(ground)
    painter.setPen(QPen(theme.color("line"), 1))
    painter.drawRoundedRect(box, CORNER, CORNER)
