"""The command palette: finds every action of the window and every instance by a few typed letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import Index
from spatial_workbench.widgets.theme import SPACE

SHOWN = 60
_COMMAND = Qt.ItemDataRole.UserRole
_HINT = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class WindowCommand:
    """A command: its text, a hint at the right (its keys), a function, and the subtask's number."""

    text: str
    hint: str
    run: Callable[[], object]
    number: int | None = None
    also: str = ""
    """Words that find it too, such as the id of its task."""


def rank(query: str, text: str, number: int | None = None, also: str = "") -> int | None:
    """How well the typed words match a text: smaller is better, None means no match.

    Every word has to fit: as a word, as its beginning, inside it, or as letters in order, in that order of preference.
    A number has to be the subtask's (`number`), or at least a number of the text. An address is as good as words:
    "lego_hemisphere:3" finds what "lego_hemisphere 3" does. `also` holds more words to find.
    """
    lowered = f"{text} {also}".lower()
    costs = [_cost(word, lowered, number) for word in query.lower().replace(":", " ").split()]
    if None in costs:
        return None
    shown = text if number is None else text.partition(":")[0].rstrip("0123456789")
    return sum(cost for cost in costs if cost is not None) * 1000 + len(shown)


_ELSEWHERE = 40
_INSIDE = 60
_SCATTERED = 100


def _cost(word: str, text: str, number: int | None) -> int | None:
    if word.isdecimal():
        if number is not None and int(word) == number:
            return 0
        return _ELSEWHERE if word in re.findall(r"\d+", text) else None
    words = re.findall(r"\w+", text)
    if word in words:
        return words.index(word)
    beginnings = [place for place, other in enumerate(words) if other.startswith(word)]
    if beginnings:
        return 5 + beginnings[0]
    if word in text:
        return _INSIDE
    gaps = _gaps(word, text)
    return None if gaps is None else _SCATTERED + gaps


def _gaps(letters: str, text: str) -> int | None:
    """A penalty for letters that match in order, but neither adjacently nor at the starts of words."""
    position = 0
    gaps = 0
    previous = -1
    for letter in letters:
        place = text.find(letter, position)
        if place < 0:
            return None
        starts_word = place == 0 or not text[place - 1].isalnum()
        gaps += 0 if starts_word or place == previous + 1 else place - position + 1
        previous = place
        position = place + 1
    return gaps


def natural_key(text: str) -> tuple[tuple[str, int], ...]:
    """A key that sorts texts with numbers in them by the numbers' values: 6, 16, 106."""
    return tuple((words, int(digits or 0)) for words, digits in re.findall(r"(\D*)(\d*)", text))


class CommandPalette(QFrame):
    """A popup with a field and a list of at most `most` commands; Return runs the chosen one."""

    def __init__(
        self,
        commands: Iterable[WindowCommand],
        parent: QWidget,
        placeholder: str = "Type what you want to do, or which subtask to open",
        most: int = SHOWN,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._commands = list(commands)
        self.field = QLineEdit()
        self._most = most
        self.field.setPlaceholderText(placeholder)
        self.field.setAccessibleName("Command")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands")
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_WithHint(self.list))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._run)
        self.list.itemClicked.connect(lambda _: self._run())
        self.field.installEventFilter(self)
        self._search("")

    def open_over(self, window: QWidget) -> None:
        """Shows the palette at the top middle of a window."""
        width = min(640, window.width() - 8 * SPACE)
        self.resize(width, 420)
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - width) // 2, corner.y() + 64)
        self.show()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up)
        ):
            step = 1 if event.key() == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + step) % max(1, self.list.count()))
            return True
        return super().eventFilter(watched, event)

    def _search(self, query: str) -> None:
        ranked = [
            (place, natural_key(command.text), index)
            for index, command in enumerate(self._commands)
            if (place := rank(query, command.text, command.number, command.also)) is not None
        ]
        self.list.clear()
        for *_, index in sorted(ranked)[: self._most] if query.strip() else ranked[: self._most]:
            item = QListWidgetItem(self._commands[index].text)
            item.setData(_COMMAND, index)
            item.setData(_HINT, self._commands[index].hint)
            self.list.addItem(item)
        if not ranked:
            nothing = QListWidgetItem(f"Nothing matches “{query.strip()}”.")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(nothing)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is None or item.data(_COMMAND) is None:
            return
        command = self._commands[item.data(_COMMAND)]
        self.close()
        command.run()


class _WithHint(QStyledItemDelegate):
    """Draws the hint at the right end of the row, and of the words before it as much as there is room for."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        room = option.rect.width() - option.fontMetrics.horizontalAdvance(index.data(_HINT) or "") - 6 * SPACE
        option.text = option.fontMetrics.elidedText(option.text, Qt.TextElideMode.ElideRight, room)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        chosen = option.state & QStyle.StateFlag.State_Selected
        painter.setPen(appearance().theme.color("on_accent" if chosen else "secondary"))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(option.rect.adjusted(0, 0, -2 * SPACE, 0), align, index.data(_HINT) or "")
