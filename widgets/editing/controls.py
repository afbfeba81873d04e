"""The controls of an editor as data: what stands in its panel, what its keys do, and what each does for a person.

An editor lists them once. Panel, palette, key list, tooltips and help are made from the list. What a control shows (a
tick, a number, a sentence) is asked of the editor by a function, so nothing has to be kept in step by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

from engine.core import Aid

ValueT = TypeVar("ValueT")
Asked = Callable[[], bool] | None
"""Asks the editor whether something holds now; None: always."""


class Setting(Generic[ValueT]):
    """What a switch, a choice or a number of an editor is set to; the editor is told of another value."""

    def __init__(self, value: ValueT, changed: Callable[[], object]) -> None:
        self.value = value
        self._changed = changed

    def get(self) -> ValueT:
        """The value."""
        return self.value

    def put(self, value: ValueT) -> None:
        """Takes another value."""
        self.value = value
        self._changed()


class Control:
    """What all controls have.

    Attributes:
        text: What it is called, in the panel, in the palette and on record.
        tip: What its tooltip says.
        aid: What it does for a person who solves by hand.
        enabled: Whether it can be used now.
        shown: Whether it is to be seen now.
    """

    text: str
    tip: str
    aid: Aid
    enabled: Asked
    shown: Asked


ControlT = TypeVar("ControlT", bound=Control)


@dataclass(frozen=True)
class Action(Control):
    """Something to be done, by button, key or palette.

    Attributes:
        run: Does it.
        key: Its shortcuts, separated by ", ".
        icon: Name of its icon.
        checked: Whether its button is down; None: it has no such state.
    """

    text: str
    run: Callable[[], object]
    key: str = ""
    icon: str = ""
    tip: str = ""
    aid: Aid = Aid.EDITING
    enabled: Asked = None
    shown: Asked = None
    checked: Asked = None


@dataclass(frozen=True)
class Switch(Control):
    """A box to tick."""

    text: str
    is_on: Callable[[], bool]
    turn: Callable[[bool], object]
    tip: str = ""
    aid: Aid = Aid.EDITING
    enabled: Asked = None
    shown: Asked = None


@dataclass(frozen=True)
class Choice(Control):
    """One of several options, by their places in the list."""

    text: str
    options: Sequence[str]
    chosen: Callable[[], int]
    choose: Callable[[int], object]
    tip: str = ""
    aid: Aid = Aid.EDITING
    enabled: Asked = None
    shown: Asked = None


@dataclass(frozen=True)
class Number(Control):
    """A number to type or to step.

    Attributes:
        least: What stands there in place of the least value.
    """

    text: str
    value: Callable[[], float]
    put: Callable[[float], object]
    bounds: tuple[float, float]
    tip: str = ""
    step: float = 1.0
    decimals: int = 0
    unit: str = ""
    least: str = ""
    aid: Aid = Aid.EDITING
    enabled: Asked = None
    shown: Asked = None


@dataclass(frozen=True)
class Slider(Control):
    """A whole number to slide.

    Attributes:
        caption: A line above it; "" where the section's title says enough.
        greatest: Asks for the upper bound where that changes.
    """

    text: str
    value: Callable[[], float]
    put: Callable[[int], object]
    bounds: tuple[int, int]
    tip: str = ""
    caption: str = ""
    aid: Aid = Aid.VIEWING
    enabled: Asked = None
    shown: Asked = None
    greatest: Callable[[], int] | None = None


@dataclass(frozen=True)
class Numbers(Control):
    """Several numbers with short labels, such as x, y and z of what is selected.

    Attributes:
        values: Asks for them; None greys the fields.
        put: Takes the place of the number that was typed, and the number.
        field_px: How narrow a field may be.
    """

    text: str
    labels: Sequence[str]
    values: Callable[[], Sequence[float] | None]
    put: Callable[[int, float], object]
    bounds: tuple[float, float]
    tip: str = ""
    step: float = 1.0
    decimals: int = 0
    unit: str = ""
    columns: int = 1
    field_px: int = 76
    aid: Aid = Aid.EDITING
    enabled: Asked = None
    shown: Asked = None


@dataclass(frozen=True)
class Note(Control):
    """A sentence: what `says` answers, where it changes, else its text."""

    text: str
    says: Callable[[], str] | None = None
    tip: str = ""
    aid: Aid = Aid.VIEWING
    enabled: Asked = None
    shown: Asked = None


@dataclass(frozen=True)
class Reading:
    """What a gauge shows: a figure, words below, whether that is good (None: neither), and more as a tooltip."""

    figure: str
    words: str = ""
    is_met: bool | None = None
    tip: str = ""


@dataclass(frozen=True)
class Gauge(Control):
    """A figure with what it means; perhaps a picture before it.

    Attributes:
        wraps: Whether its words may take several lines.
    """

    text: str
    read: Callable[[], Reading]
    picture: QWidget | None = None
    tip: str = ""
    aid: Aid = Aid.JUDGING
    enabled: Asked = None
    shown: Asked = None
    wraps: bool = False


@dataclass(frozen=True)
class Part(Control):
    """Any other widget, which is made only where its class is allowed.

    Attributes:
        refresh: Shows in it what the editor says now.
    """

    text: str
    make: Callable[[], QWidget]
    tip: str = ""
    aid: Aid = Aid.EDITING
    enabled: Asked = None
    shown: Asked = None
    refresh: Callable[[], None] | None = None


class Buttons:
    """Buttons with icon and word, so many in a row; of tools (`exclusive`) one is always down."""

    def __init__(self, *actions: Action, columns: int = 1, exclusive: bool = False) -> None:
        self.actions = actions
        self.columns = columns
        self.exclusive = exclusive


Row = Control | Buttons


class Section:
    """A part of the panel under a title."""

    def __init__(self, title: str, *rows: Row) -> None:
        self.title = title
        self.rows = rows

    @property
    def controls(self) -> Iterator[Control]:
        """Its controls, those of rows of buttons one by one."""
        for row in self.rows:
            yield from row.actions if isinstance(row, Buttons) else (row,)


class Keys:
    """Actions that have no button, but keys and a place in the palette."""

    def __init__(self, *actions: Action) -> None:
        self.actions = self.controls = actions


Declared = Section | Keys


def allowed(declared: Iterable[Declared], aids: frozenset[Aid]) -> Iterator[Declared]:
    """The controls whose class is allowed; sections of which nothing is left are left out."""
    for group in declared:
        if isinstance(group, Keys):
            yield Keys(*_of(group.actions, aids))
        elif rows := list(_rows(group.rows, aids)):
            yield Section(group.title, *rows)


def _rows(rows: Iterable[Row], aids: frozenset[Aid]) -> Iterator[Row]:
    for row in rows:
        if not isinstance(row, Buttons):
            yield from _of((row,), aids)
        elif actions := _of(row.actions, aids):
            yield Buttons(*actions, columns=row.columns, exclusive=row.exclusive)


def _of(controls: Iterable[ControlT], aids: frozenset[Aid]) -> list[ControlT]:
    return [control for control in controls if control.aid in aids]
