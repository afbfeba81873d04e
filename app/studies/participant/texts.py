"""Texts of studies: Markdown without HTML, links or pictures, which are shown as they were typed."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QTextEdit, QWidget

from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.theme import SPACE

TEXT_PX = 15
HEADING_PX = {1: 18, 2: 17}
"""Sizes of headings by their level; deeper ones are as large as the text."""
LINE_PERCENT = 130
_MARKUP = re.compile(r"([\[\]<>])")
_ADDRESS = re.compile(r"(?<=[A-Za-z])://")
_PLAIN = QTextDocument.MarkdownFeature.MarkdownDialectCommonMark | QTextDocument.MarkdownFeature.MarkdownNoHTML


class StudyText(QTextEdit):
    """A text in Markdown, as high as its contents; the page around it scrolls."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setObjectName("studyText")
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)
        self.setAccessibleDescription(text)
        font = self.font()
        font.setPixelSize(scaled(TEXT_PX))
        self.document().setDefaultFont(font)
        self.document().setMarkdown(without_links(text), _PLAIN)
        self.document().setDocumentMargin(0)
        _typeset(self.document())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.document().setTextWidth(self.viewport().width())
        self.setFixedHeight(round(self.document().size().height()) + 2 * SPACE)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # The page scrolls. Qt would scroll the text out of its place, although all of it is visible.
        event.ignore()


def _typeset(document: QTextDocument) -> None:
    """Gives headings, paragraphs and lists their sizes and distances."""
    block = document.begin()
    while block.isValid():
        cursor = QTextCursor(block)
        form = block.blockFormat()
        form.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        level = form.headingLevel()
        form.setTopMargin(scaled(4 * SPACE) if level and block.position() else 0)
        form.setBottomMargin(scaled(SPACE if block.textList() else 2 * SPACE))
        cursor.setBlockFormat(form)
        if level:
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            font = QFont(document.defaultFont())
            font.setPixelSize(scaled(HEADING_PX.get(level, TEXT_PX)))
            font.setBold(True)
            size = QTextCharFormat()
            size.setFont(font)
            cursor.setCharFormat(size)
        block = block.next()


def without_links(text: str) -> str:
    """Markdown in which links, pictures and HTML are plain characters."""
    return _ADDRESS.sub(r"\\://", _MARKUP.sub(r"\\\1", text))


def words(text: str, name: str = "", wraps: bool = True) -> QLabel:
    """A label, in the role of that name."""
    label = QLabel(text)
    label.setObjectName(name)
    label.setWordWrap(wraps)
    return label


def announce(widget: QWidget, text: str, urgent: bool = False) -> None:
    """Makes screen readers announce a change."""
    event = QAccessibleAnnouncementEvent(widget, text)
    if urgent:
        event.setPoliteness(QAccessible.AnnouncementPoliteness.Assertive)
    QAccessible.updateAccessibility(event)
