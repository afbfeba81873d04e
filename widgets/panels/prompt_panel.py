"""The prompt, with its text and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
    QTextLength,
)
from PySide6.QtWidgets import QFrame, QPushButton, QTextEdit, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Prompt
from spatial_workbench.engine.core.formats.typesetting import (
    FIGURES_PX,
    LIST_ENTRY,
    LineKind,
    is_unbroken,
    trimmed_lines,
    unbroken_lines,
)
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.clipboard import copy_text
from spatial_workbench.widgets.theme import SPACE

CHROME_PX = 56
"""What a panel is wider than its lines: margins, the frame of the themes, and the bar that scrolls up and down."""


def width_needed(lines: Sequence[str]) -> int:
    """How wide a panel has to be for lines that are not broken, so that it is not scrolled sideways."""
    metrics = QFontMetricsF(_figures_font())
    return CHROME_PX + math.ceil(max((metrics.horizontalAdvance(line) for line in lines), default=0))


class PromptPanel(QWidget):
    """Shows a Prompt, and copies its text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._prompt = Prompt("")
        self.text = QTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setAccessibleName(tr("What a solver is told"))
        copy = self.copy_button = QPushButton(tr("Copy text"))
        copy.setToolTip(tr("Copy what a solver is told"))
        copy.clicked.connect(lambda: copy_text(self._prompt.whole_text))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.text, 1)
        layout.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def width_needed(self) -> int:
        """How wide it has to be to show its prompt without being scrolled sideways."""
        return width_needed(unbroken_lines(self._prompt.whole_text))

    def show_prompt(self, prompt: Prompt) -> None:
        """Shows a prompt: pictures at their size if there is room, prose in the window's font, figures monospaced."""
        self._prompt = prompt
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        for number, data in enumerate(prompt.pictures, 1):
            _insert_picture(cursor, self.text.document(), number, data)
        for line, kind in trimmed_lines(prompt.whole_text):
            cursor.insertBlock(_block_format(line, kind), _char_format(kind))
            cursor.insertText(line)
        if prompt.pictures:
            _flatten_first_block(self.text.document())
        else:
            _drop_first_block(self.text.document())
        self.text.moveCursor(QTextCursor.MoveOperation.Start)


def _block_format(line: str, kind: LineKind) -> QTextBlockFormat:
    block = QTextBlockFormat()
    block.setNonBreakableLines(is_unbroken(line, kind))
    if LIST_ENTRY.match(line):
        block.setLeftMargin(3 * SPACE)
        block.setTextIndent(-3 * SPACE)
        block.setTopMargin(SPACE / 2)
    return block


def _char_format(kind: LineKind) -> QTextCharFormat:
    style = QTextCharFormat()
    if kind is LineKind.FIGURES:
        style.setFont(_figures_font())
    if kind is LineKind.HEADING:
        style.setFontWeight(QFont.Weight.DemiBold)
    return style


def _figures_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(scaled(FIGURES_PX))
    return font


def _insert_picture(cursor: QTextCursor, document: QTextDocument, number: int, data: bytes) -> None:
    image = QImage.fromData(data)
    url = QUrl(f"picture:{number}")
    document.addResource(QTextDocument.ResourceType.ImageResource, url, image)
    picture = QTextImageFormat()
    picture.setName(url.toString())
    picture.setMaximumWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    picture.setProperty(QTextImageFormat.Property.ImageAltText, tr("Picture {number}", number=number))
    cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
    cursor.insertImage(picture)


def _flatten_first_block(document: QTextDocument) -> None:
    """Makes the empty first block a line of one pixel. Before a picture the cursor would stand at the picture's lower
    edge, and a view that is too small at first would scroll down to it."""
    cursor = QTextCursor(document)
    line = QTextBlockFormat()
    line.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    cursor.setBlockFormat(line)


def _drop_first_block(document: QTextDocument) -> None:
    """Removes the empty block that every document begins with."""
    cursor = QTextCursor(document)
    cursor.deleteChar()
