"""The catalogue: the home page, a card for every task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPixmap, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.app.frame.added import added
from spatial_workbench.app.window.palette import CommandPalette, WindowCommand
from spatial_workbench.engine.core import Bucket, Family, Named, Task, broken_tasks, tasks
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.flow_layout import FlowLayout
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.engine.store import TaskProgress

CARD = QSize(263, 288)
PICTURE_HEIGHT = 150
MOST_IN_MENU = 30
"""A longer collection is shown as a list with a search field."""
STARTERS = ("lego_hemisphere", "two_segments", "fluid_simulation")
"""Tasks that a newcomer is shown first: one in space, one in the plane, one simulated."""


_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class Catalogue(QWidget):
    """Cards of all tasks with search, filters and progress.

    Signals:
        instance_chosen(str): open the instance with this address.
        generate_chosen(str): generate an instance of the task with this id.
        example_chosen(): open the example project.
    """

    instance_chosen = Signal(str)
    generate_chosen = Signal(str)
    example_chosen = Signal()
    title = "Catalogue"
    icon_name = "home"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._progress: Mapping[str, TaskProgress] = {}
        self._cards: list[Card] = []
        self._has_old_pictures = False
        self._headings: dict[Family, QLabel] = {}
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search tasks")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search tasks")
        self.search.addAction(icon("search", "secondary"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setMinimumWidth(260)
        self.search.textChanged.connect(self._filter)
        self.family = self._choice("All systems", [family.label for family in _families()])
        self.bucket = self._choice("All buckets", [bucket.label for bucket in _buckets()])
        self._totals = QLabel()
        self._totals.setObjectName("secondary")
        self._totals.setWordWrap(True)
        self._nothing = QLabel("No task matches. Clear the search or the filters.")
        self._nothing.setObjectName("secondary")
        self._nothing.hide()
        self._broken = QLabel(_broken_words())
        self._broken.setObjectName("error")
        self._broken.setWordWrap(True)
        self._broken.setVisible(bool(broken_tasks()))
        self._welcome = Welcome()
        self._welcome.example.clicked.connect(self.example_chosen)
        self._welcome.task_chosen.connect(lambda task_id: self.instance_chosen.emit(f"{task_id}:0"))
        self._grid = QWidget()
        self._flow = FlowLayout(self._grid, fills=True)
        self._lay_out()
        self._make_cards()
        self._filter()
        appearance().changed.connect(self._retint)
        added().changed.connect(self._show_cards)

    def close_page(self) -> None:
        """Does nothing: the catalogue stays open as long as the window."""

    def show_progress(self, progress: Mapping[str, TaskProgress]) -> None:
        """Shows the progress of each task."""
        self._progress = progress
        self._show_cards()
        self._welcome.setVisible(not progress)
        self._tell_totals()

    def _show_cards(self) -> None:
        for card in self._cards:
            card.show_progress(self._progress.get(card.task.id))

    def _make_cards(self) -> None:
        for task in tasks():
            if task.family not in self._headings:
                self._headings[task.family] = self._add_heading(task.family)
            card = Card(task)
            card.instance_chosen.connect(self.instance_chosen)
            card.generate_chosen.connect(self.generate_chosen)
            card.left.connect(lambda x, y: self._step_card((x, y)))
            self._flow.addWidget(card)
            self._cards.append(card)

    def _add_heading(self, family: Family) -> QLabel:
        heading = QLabel(family.label)
        heading.setObjectName("sectionTitle")
        self._flow.add_heading(heading)
        return heading

    def _filter(self) -> None:
        words = self.search.text().lower().split()
        family = [None, *_families()][self.family.currentIndex()]
        bucket = [None, *_buckets()][self.bucket.currentIndex()]
        for card in self._cards:
            task = card.task
            text = f"{task.title} {task.summary} {task.id} {task.bucket.id} {task.family.label}".lower()
            fits = all(word in text for word in words)
            card.setVisible(fits and family in (None, task.family) and bucket in (None, task.bucket))
        shown = {card.task.family for card in self._cards if not card.isHidden()}
        for heading_family, heading in self._headings.items():
            heading.setVisible(heading_family in shown)
        self._nothing.setText(self._nothing_words())
        self._nothing.setVisible(all(card.isHidden() for card in self._cards))
        self._tell_totals()

    def _nothing_words(self) -> str:
        typed = self.search.text().strip()
        what = f"No task matches “{typed}”" if typed else "No task matches"
        where = " with these filters" if self._is_filtered() else ""
        return f"{what}{where}. Press Esc to see all tasks."

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc clears the search, arrows go from card to card."""
        if event.key() == Qt.Key.Key_Escape and (self.search.text() or self._is_filtered()):
            self.search.clear()
            self.family.setCurrentIndex(0)
            self.bucket.setCurrentIndex(0)
        elif event.key() in _ARROWS:
            self._step_card(_ARROWS[event.key()])
        else:
            super().keyPressEvent(event)

    def _is_filtered(self) -> bool:
        return bool(self.family.currentIndex() or self.bucket.currentIndex())

    def _step_card(self, way: tuple[int, int]) -> None:
        """Moves the focus to the nearest card in a direction; to the first card if none has the focus."""
        shown = [card for card in self._cards if not card.isHidden()]
        current = self.focusWidget()
        if current not in shown:
            target = shown[0] if shown and way[1] > 0 else None
        else:
            target = nearest(current, [card for card in shown if card is not current], way)
        if target is not None:
            target.setFocus()
            self._area.ensureWidgetVisible(target)

    def _tell_totals(self) -> None:
        shown = [card for card in self._cards if not card.isHidden()]
        counts = Counter[str]()
        for card in shown:
            counts[card.task.bucket.id] += len(card.task.instances())
        solved = sum(len(p.solved) for card in shown if (p := self._progress.get(card.task.id)))
        buckets = ", ".join(f"{counts[bucket.id]} {bucket.id}" for bucket in _buckets() if counts[bucket.id])
        buckets = f" ({buckets})" if buckets else ""
        self._totals.setText(
            f"{counted(len(shown), 'task')} · {counted(counts.total(), 'subtask')}{buckets} · {solved} solved"
        )

    def _retint(self) -> None:
        """Loads the pictures of another theme once they are visible."""
        self._has_old_pictures = not self.isVisible()
        if self.isVisible():
            for card in self._cards:
                card.load_picture()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._has_old_pictures:
            self._retint()

    def _choice(self, everything: str, options: list[str]) -> QComboBox:
        combo = QComboBox()
        combo.addItems([everything, *options])
        combo.setAccessibleName(everything)
        combo.currentIndexChanged.connect(self._filter)
        return combo

    def _lay_out(self) -> None:
        title = QLabel("Catalogue")
        title.setObjectName("pageTitle")
        head = QHBoxLayout()
        head.setSpacing(2 * SPACE)
        head.addWidget(title)
        head.addStretch(1)
        for widget in (self.search, self.family, self.bucket):
            head.addWidget(widget)
        body = QWidget()
        body.setObjectName("page")
        column = QVBoxLayout(body)
        column.setContentsMargins(6 * SPACE, 4 * SPACE, 6 * SPACE, 6 * SPACE)
        column.setSpacing(4 * SPACE)
        column.addWidget(self._welcome)
        column.addWidget(self._broken)
        column.addWidget(self._nothing)
        column.addWidget(self._grid)
        column.addStretch(1)
        self._area = area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 2 * SPACE)
        top.setSpacing(SPACE)
        top.addLayout(head)
        top.addWidget(self._totals)
        outer.addLayout(top)
        outer.addWidget(area, 1)


def nearest(start: QWidget, others: list[Card], way: tuple[int, int]) -> Card | None:
    """The next card in a direction: in the same row, or the closest in the next row; None if there is none."""
    x, y = start.x(), start.y()
    if way[0]:
        beside = [card for card in others if card.y() == y and (card.x() - x) * way[0] > 0]
        return min(beside, key=lambda card: abs(card.x() - x), default=None)
    beyond = [card for card in others if (card.y() - y) * way[1] > 0]
    return min(beyond, key=lambda card: (abs(card.y() - y), abs(card.x() - x)), default=None)


class Welcome(QFrame):
    """The welcome for newcomers above the cards.

    Signals:
        task_chosen(str): a task to try.
    """

    task_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        title = QLabel("Start here")
        title.setObjectName("panelTitle")
        text = QLabel(
            "Pick a task, build an answer with mouse and keyboard, and watch the verdict change as you go. "
            "Everything you do is stored. The example project shows drafts and attempts to look at."
        )
        text.setWordWrap(True)
        text.setObjectName("secondary")
        self.example = QPushButton("Open the example project")
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        for task in tasks():
            if task.id in STARTERS:
                button = QPushButton(f"Try {task.title}")
                button.clicked.connect(lambda _=False, chosen=task.id: self.task_chosen.emit(chosen))
                row.addWidget(button)
        row.addWidget(self.example)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(title)
        layout.addWidget(text)
        layout.addLayout(row)


class Card(QFrame):
    """One task: picture, title, bucket, progress; a click chooses among its instances.

    Signals:
        instance_chosen(str): an address.
        generate_chosen(str): the task's id.
        left(int, int): move the focus in this direction; right and down are 1.
    """

    instance_chosen = Signal(str)
    generate_chosen = Signal(str)
    left = Signal(int, int)

    def __init__(self, task: Task[Any]) -> None:
        super().__init__()
        self.task = task
        self._solved: frozenset[str] = frozenset()
        self._drafts: frozenset[str] = frozenset()
        self.setObjectName("card")
        self.setFixedHeight(CARD.height())
        self.setMinimumWidth(CARD.width())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(task.title)
        self.setAccessibleDescription(task.summary)
        self.setToolTip(f"{task.summary}\nClick to choose a subtask.")
        self._picture = QLabel()
        self._picture.setMinimumWidth(1)
        self._picture.setFixedHeight(PICTURE_HEIGHT)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._count = QLabel()
        self._count.setObjectName("caption")
        self._best = QLabel()
        self._best.setObjectName("caption")
        self._lay_out()
        self.load_picture()
        self.show_progress(None)

    def load_picture(self) -> None:
        """Shows the thumbnail for the current theme, cropped to the card's width."""
        width = max(CARD.width(), self.width()) - 2
        picture = _rounded_thumbnail(self.task, appearance().theme.name, width, self.devicePixelRatioF())
        if picture is None:
            self._picture.setPixmap(icon("box", "secondary").pixmap(QSize(48, 48)))
            return
        self._picture.setPixmap(QPixmap.fromImage(picture))

    def sizeHint(self) -> QSize:
        return CARD

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.load_picture()

    def show_progress(self, progress: TaskProgress | None) -> None:
        """Shows how many subtasks are solved, and the best scores."""
        known = {instance.address for instance in self.task.instances()}
        entries = chain.from_iterable(added().to(self.task.id).values())
        known |= {f"{self.task.id}:{entry.name}" for entry in entries}
        self._solved = progress.solved if progress else frozenset()
        self._helped = progress.solved_with_help if progress else frozenset()
        self._drafts = progress.drafts if progress else frozenset()
        solved, with_help, begun = (len(group & known) for group in (self._solved, self._helped, self._drafts))
        helped = f" · {with_help} with help" if with_help else ""
        drafts = f" · {begun} started" if begun else ""
        self._count.setText(f"{solved} of {len(known)} solved{helped}{drafts}")
        self._count.setToolTip("Subtasks solved with a hint, a solver, the key or the reference are counted separately")
        best = progress.best_person if progress else None
        model = progress.best_model if progress else None
        parts = [
            f"{who} {score_words(score)}" for who, score in (("best", best), ("model", model)) if score is not None
        ]
        self._best.setText(" · ".join(parts))

    def menu(self) -> QMenu:
        """The subtasks to choose from; those that a person added stand in a menu for each collection."""
        menu = QMenu(self)
        for instance in self.task.instances():
            self._add_to(menu, instance.address, f"{instance.number}   {self.task.caption(instance)}")
        for collection, entries in added().to(self.task.id).items():
            self._add_collection(menu, collection, entries)
        if self.task.generates:
            menu.addSeparator()
            generate = menu.addAction("Generate a new one…")
            generate.triggered.connect(lambda _=False: self.generate_chosen.emit(self.task.id))
        return menu

    def _add_to(self, menu: QMenu, address: str, text: str) -> None:
        state = self._state_of(address)
        action = menu.addAction(f"{text}\t{state}" if state else text)
        if state == "solved":
            action.setIcon(icon("passed", "passed"))
        action.triggered.connect(lambda _=False: self.instance_chosen.emit(address))

    def _add_collection(self, menu: QMenu, collection: str, entries: Sequence[Named]) -> None:
        """A short collection becomes a menu, a long one a list with a search field."""
        title = f"{collection}  ({len(entries)})".replace("&", "&&")
        if len(entries) > MOST_IN_MENU:
            menu.addAction(f"{title}…").triggered.connect(lambda _=False: self._choose_from(collection, entries))
            return
        inner = menu.addMenu(title)
        for entry in entries:
            self._add_to(inner, f"{self.task.id}:{entry.name}", entry.caption.replace("&", "&&"))

    def _choose_from(self, collection: str, entries: Sequence[Named]) -> None:
        commands = [
            WindowCommand(
                entry.caption,
                self._state_of(f"{self.task.id}:{entry.name}"),
                partial(self.instance_chosen.emit, f"{self.task.id}:{entry.name}"),
            )
            for entry in entries
        ]
        CommandPalette(commands, self.window(), f"Search {collection}", most=len(commands)).open_over(self.window())

    def _state_of(self, address: str) -> str:
        if address in self._solved:
            return "solved"
        if address in self._helped:
            return "solved with help"
        return "begun" if address in self._drafts else ""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._open_menu(event.globalPosition().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open_menu(self.mapToGlobal(QPoint(4 * SPACE, PICTURE_HEIGHT)))
        elif event.key() in _ARROWS:
            self.left.emit(*_ARROWS[event.key()])
        else:
            super().keyPressEvent(event)

    def _open_menu(self, where: QPoint) -> None:
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def _lay_out(self) -> None:
        title = QLabel(self.task.title)
        title.setObjectName("panelTitle")
        bucket = QLabel(f"{self.task.family.label} · {self.task.bucket.id}")
        bucket.setObjectName("caption")
        summary = QLabel(self.task.summary)
        summary.setObjectName("secondary")
        summary.setWordWrap(True)
        summary.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        foot = QHBoxLayout()
        foot.addWidget(self._count)
        foot.addStretch(1)
        foot.addWidget(self._best)
        words = QVBoxLayout()
        words.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 3 * SPACE)
        words.setSpacing(SPACE)
        for widget in (title, bucket, summary):
            words.addWidget(widget)
        words.addLayout(foot)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self._picture)
        layout.addLayout(words, 1)


def _broken_words() -> str:
    """Which tasks cannot be used, and why."""
    broken = broken_tasks()
    reasons = "; ".join(f"{task.name}: {task.reason}" for task in broken)
    return f"{counted(len(broken), 'task cannot', 'tasks cannot')} be used. {reasons}. The log says more."


def _families() -> list[Family]:
    return list(dict.fromkeys(task.family for task in tasks()))


def _buckets() -> list[Bucket]:
    """The benchmark's three buckets in their order, then those that other packages add."""
    present = dict.fromkeys(task.bucket for task in tasks())
    return [
        *(bucket for bucket in Bucket.PUBLISHED if bucket in present),
        *(bucket for bucket in present if bucket not in Bucket.PUBLISHED),
    ]


@lru_cache(maxsize=48)
def _thumbnail(task: Task[Any], theme: str) -> QImage | None:
    """A task's thumbnail as it was drawn; kept once for all windows, since a wider card crops it again."""
    source = task.resources().joinpath("thumbnails", f"{task.id}-{theme}.png")
    return QImage.fromData(source.read_bytes()) if source.is_file() else None


@lru_cache(maxsize=128)
def _rounded_thumbnail(task: Task[Any], theme: str, width: int, ratio: float) -> QImage | None:
    """A task's thumbnail as a card of this width shows it; kept, since each window shows the cards several times."""
    picture = _thumbnail(task, theme)
    return None if picture is None else _rounded(picture, QSize(width, PICTURE_HEIGHT), ratio)


def _rounded(picture: QImage, size: QSize, ratio: float) -> QImage:
    """Crops the picture to the card's upper half, with the card's rounded corners."""
    target = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    target.setDevicePixelRatio(ratio)
    target.fill(Qt.GlobalColor.transparent)
    painter = QPainter(target)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    path = QPainterPath()
    path.addRoundedRect(0, 0, size.width(), size.height() + 8, 5, 5)
    painter.setClipPath(path)
    scaled = picture.scaled(
        size * ratio, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
    )
    scaled.setDevicePixelRatio(ratio)
    painter.drawImage(
        round((size.width() - scaled.width() / ratio) / 2), round((size.height() - scaled.height() / ratio) / 2), scaled
    )
    painter.end()
    return target
