"""The command palette: every action of the window, and every instance, by typing a few letters of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from widgets.appearance import appearance
from widgets.theme import SPACE

SHOWN = 60
_COMMAND, _HINT = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class Command:
    """Something that can be done: its text, a hint at the right (its keys), and what does it."""

    text: str
    hint: str
    run: Callable[[], object]


def rank(query: str, text: str) -> int | None:
    """How well letters typed in order fit a text: smaller is better, None not at all."""
    position, gaps, previous = 0, 0, -1
    lowered = text.lower()
    for letter in query.lower().replace(" ", ""):
        found = lowered.find(letter, position)
        if found < 0:
            return None
        starts_word = found == 0 or not lowered[found - 1].isalnum()
        gaps += 0 if starts_word or found == previous + 1 else found - position + 1
        previous, position = found, found + 1
    return gaps * 100 + len(text)


class Palette(QFrame):
    """A popup with a field and a list; Return runs the chosen command."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._commands = list(commands)
        self.field = QLineEdit()
        self.field.setPlaceholderText("Type what you want to do, or which subtask to open")
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

    def eventFilter(self, watched, event) -> bool:
        if event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            step = 1 if event.key() == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + step) % max(1, self.list.count()))
            return True
        return super().eventFilter(watched, event)

    def _search(self, query: str) -> None:
        ranked = [(place, command) for command in self._commands if (place := rank(query, command.text)) is not None]
        if query.strip():
            ranked.sort(key=lambda pair: pair[0])
        self.list.clear()
        for _, command in ranked[:SHOWN]:
            item = QListWidgetItem(command.text)
            item.setData(_COMMAND, self._commands.index(command))
            item.setData(_HINT, command.hint)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        command = self._commands[item.data(_COMMAND)]
        self.close()
        command.run()


class _WithHint(QStyledItemDelegate):
    """Draws the hint at the right end of the row."""

    def paint(self, painter, option, index) -> None:
        super().paint(painter, option, index)
        chosen = option.state & QStyle.StateFlag.State_Selected
        painter.setPen(appearance().theme.color("on_accent" if chosen else "secondary"))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(option.rect.adjusted(0, 0, -2 * SPACE, 0), align, index.data(_HINT) or "")
