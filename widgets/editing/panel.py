"""The panel on the left of an editor: tools, options, and the properties of the selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.widgets.appearance import scaled
from spatial_workbench.widgets.editing.controls import BUTTON_ICON_PX
from spatial_workbench.widgets.number_box import ShortField, number_field
from spatial_workbench.widgets.theme import SPACE
from spatial_workbench.widgets.wheel_fields import ChoiceBox

MIN_WIDTH = 184
SHORT_WORDS = 11
"""Words of so many signs fit beside the icon of one of two buttons."""
MUTED = "muted"
"""The property of actions that are drawn faintly, and of their buttons."""


class ToolPanel(QScrollArea):
    """A column of sections; each has a title and rows of controls.

    Signals:
        aid_used(str, Aid): a control with an aid class above editing was used.
    """

    aid_used = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body = QWidget()
        self._body.setObjectName("panel")
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        self._column.setSpacing(SPACE)
        self._column.addStretch(1)
        self.setWidget(self._body)

    def minimumSizeHint(self) -> QSize:
        """As wide as the widest row, since there is no horizontal scrolling."""
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(max(MIN_WIDTH, self._body.minimumSizeHint().width() + bar), 80)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._body and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def add_section(self, title: str) -> QLabel:
        """Starts a section; returns its heading."""
        label = QLabel(said(title))
        label.setObjectName("caption")
        label.setContentsMargins(0, 3 * SPACE if self._column.count() > 1 else 0, 0, 0)
        self.add_widget(label)
        return label

    def row_of(self, widget: QWidget) -> QWidget:
        """The row of a control, which may also hold its label."""
        parent = widget.parentWidget()
        return widget if parent is None or parent is self._body else parent

    def add_tools(
        self,
        actions: Sequence[QAction],
        exclusive: bool = True,
        columns: int = 1,
        has_words: bool = True,
        icon_px: int = BUTTON_ICON_PX,
        wraps: bool = False,
    ) -> QActionGroup | None:
        """Adds buttons with icons, `columns` to a row; exclusive ones are checkable, and one is always on.

        wraps: Whether words are small, and stand in two lines where they are long.
        """
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if has_words else Qt.ToolButtonStyle.ToolButtonIconOnly
        group = QActionGroup(self) if exclusive else None
        rows = QWidget()
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(SPACE)
        for column in range(min(columns, len(actions)) if has_words else columns):
            grid.setColumnStretch(column, 1)
        buttons: list[QToolButton] = []
        for i, action in enumerate(actions):
            if group is not None:
                action.setCheckable(True)
                group.addAction(action)
            button = QToolButton()
            if wraps:
                action.setIconText(in_two_lines(action.text()))
                button.setObjectName("small")
            button.setDefaultAction(action)
            button.setToolButtonStyle(style)
            button.setIconSize(QSize(scaled(icon_px), scaled(icon_px)))
            button.setAutoRaise(True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setAccessibleName(action.text())
            button.setProperty(MUTED, action.property(MUTED))
            buttons.append(button)
            action.changed.connect(partial(_follow, button, action, buttons, columns))
            grid.addWidget(button, i // columns, i % columns)
        self.add_widget(rows)
        if group is not None and actions:
            actions[0].setChecked(True)
        return group

    def add_check(
        self, text: str, checked: bool, changed: Callable[[bool], object], tip: str = "", aid: Aid = Aid.EDITING
    ) -> QCheckBox:
        """Adds a check box; `aid` is its aid class."""
        box = QCheckBox(said(text))
        box.setChecked(checked)
        box.setToolTip(said(tip))
        box.setProperty("aid", aid.value)
        box.toggled.connect(lambda on: self._report_aid(text, aid) if on else None)
        box.toggled.connect(changed)
        self.add_widget(box)
        return box

    def add_choice(
        self,
        label: str,
        options: Sequence[str],
        changed: Callable[[int], object],
        tip: str = "",
        aids: Sequence[Aid] = (),
    ) -> QComboBox:
        """Adds a list to choose from; `aids` are the aid classes of its options."""
        combo = ChoiceBox()
        combo.addItems([said(option) for option in options])
        combo.setToolTip(said(tip))
        combo.setAccessibleName(said(label))
        if aids:
            combo.currentIndexChanged.connect(lambda i: self._report_aid(f"{label}: {options[i]}", aids[i]))
        combo.currentIndexChanged.connect(changed)
        self._add_labelled(label, combo)
        return combo

    def add_number(
        self,
        label: str,
        value: float,
        bounds: tuple[float, float],
        changed: Callable[[float], object],
        step: float = 1.0,
        decimals: int = 0,
        unit: str = "",
        tip: str = "",
    ) -> QDoubleSpinBox:
        """Adds a field for a number to type or step."""
        box = number_field(label, bounds, step, decimals, unit, tip)
        box.setValue(value)
        box.valueChanged.connect(changed)
        self._add_labelled(label, box)
        return box

    def add_note(self, text: str) -> QLabel:
        """Adds a line of explanation."""
        note = QLabel(said(text))
        note.setObjectName("secondary")
        note.setWordWrap(True)
        self.add_widget(note)
        return note

    def add_widget(self, widget: QWidget) -> None:
        """Adds any other widget as a row."""
        self._column.insertWidget(self._column.count() - 1, widget)

    def _report_aid(self, name: str, aid: Aid) -> None:
        if aid not in (Aid.VIEWING, Aid.EDITING):
            self.aid_used.emit(name, aid)

    def _add_labelled(self, label: str, field: QWidget) -> None:
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * SPACE)
        name = QLabel(said(label))
        name.setBuddy(field)
        layout.addWidget(name)
        layout.addWidget(field, 1)
        self.add_widget(row)


def _follow(button: QToolButton, action: QAction, buttons: Sequence[QToolButton], columns: int) -> None:
    """Keeps a button's text and visibility in step with its action; those that are shown close ranks."""
    button.setAccessibleName(action.text())
    if button.isHidden() != action.isVisible():
        return
    button.setVisible(action.isVisible())
    rows = button.parentWidget()
    assert rows is not None
    grid = rows.layout()
    assert isinstance(grid, QGridLayout)
    shown = [other for other in buttons if not other.isHidden()]
    for i, other in enumerate(shown):
        grid.addWidget(other, i // columns, i % columns)
    rows.setVisible(bool(shown))


def in_two_lines(words: str) -> str:
    """Words broken where both lines are as equal as can be; a single word, or a short text, stays as it is."""
    spaces = [k for k, sign in enumerate(words) if sign == " "]
    if not spaces or len(words) <= SHORT_WORDS:
        return words
    middle = min(spaces, key=lambda k: abs(2 * k + 1 - len(words)))
    return f"{words[:middle]}\n{words[middle + 1 :]}"


class NumberGrid(QWidget):
    """Several numbers with short labels, such as x, y, z: the properties of a selection.

    Signals:
        edited(int, float): the person changed the number at that index.
    """

    edited = Signal(int, float)

    def __init__(
        self,
        labels: Sequence[str],
        bounds: tuple[float, float],
        step: float = 1.0,
        decimals: int = 0,
        unit: str = "",
        columns: int = 1,
        above: bool = False,
    ) -> None:
        """With `above`, labels stand above their fields, which are short."""
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE if above else 2 * SPACE)
        grid.setVerticalSpacing(SPACE // 2 if above else SPACE)
        self.fields: list[QDoubleSpinBox] = []
        for i, label in enumerate(labels):
            short = ShortField(label, bounds, step, decimals) if above else None
            field = short or number_field(label, bounds, step, decimals, unit)
            field.valueChanged.connect(lambda value, i=i: self.edited.emit(i, value))
            name = QLabel(said(label))
            name.setBuddy(field)
            row, column = divmod(i, columns)
            if above:
                name.setObjectName("caption")
                grid.setColumnStretch(column, 1)
            grid.addWidget(name, *((2 * row, column) if above else (row, 2 * column)))
            grid.addWidget(field, *((2 * row + 1, column) if above else (row, 2 * column + 1)))
            self.fields.append(field)

    def set_values(self, values: Sequence[float] | None) -> None:
        """Shows these numbers without emitting `edited`; None disables the fields."""
        self.setEnabled(values is not None)
        for field, value in zip(self.fields, values or (), strict=False):
            field.blockSignals(True)
            field.setValue(value)
            field.blockSignals(False)
