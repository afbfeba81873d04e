"""The controls of an editor as data: its panel, its keys, and the aid class of each control.

An editor lists them once. Panel, palette, key list, tooltips and help are made from the list. A control asks the editor
for what it shows (a tick, a number, a sentence) by calling a function, so that nothing has to be synchronised by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid
from spatial_workbench.widgets.scene_views.view import SceneView, Tool

ValueT = TypeVar("ValueT")
WidgetT = TypeVar("WidgetT", bound=QWidget)
Bounds = tuple[float, float]
BUTTON_ICON_PX = 20
SHORT_FIELD_PX = 44
"""Three fields of this width stand side by side in a panel."""
Condition = Callable[[], bool] | None
"""Returns whether something holds now; None means always."""


class Setting(Generic[ValueT]):
    """The value of a switch, a choice or a number; `changed` is called after it is set."""

    def __init__(self, value: ValueT, changed: Callable[[], object] = lambda: None) -> None:
        self.value = value
        self._changed = changed

    def get(self) -> ValueT:
        """The value."""
        return self.value

    def put(self, value: ValueT) -> None:
        """Sets the value."""
        self.value = value
        self._changed()


class TypedNumbers:
    """Several numbers that are typed side by side, such as a step; `changed` is called after one of them is set."""

    def __init__(self, values: Iterable[float], changed: Callable[[], object] = lambda: None) -> None:
        self.values = list(values)
        self._changed = changed

    def get(self) -> list[float]:
        """The numbers."""
        return self.values

    def put(self, place: int, value: float) -> None:
        """Sets one of the numbers."""
        self.values[place] = value
        self._changed()


def attribute(owner: object, name: str) -> tuple[Callable[[], Any], Callable[[Any], None]]:
    """A getter and a setter of an attribute, as a switch or a number needs them."""
    return partial(getattr, owner, name), partial(setattr, owner, name)


class Described:
    """Fields that every control has, but each kind at its own position among the arguments.

    Attributes:
        tip: The tooltip.
        aid: The aid class: how the control helps a person who solves by hand.
    """

    tip: str
    aid: Aid


@dataclass(frozen=True)
class Control(Described):
    """Fields common to all controls.

    Attributes:
        text: The name in the panel, in the palette, and in the record of the aids that were used.
        enabled: Whether the control can be used now.
        shown: Whether the control is visible now.
    """

    text: str
    _: KW_ONLY
    enabled: Condition = None
    shown: Condition = None


ControlT = TypeVar("ControlT", bound=Control)


class Verb(StrEnum):
    """The entries of the *Edit* menu in every editor."""

    CUT = "Cut"
    COPY = "Copy"
    PASTE = "Paste"
    DUPLICATE = "Duplicate"
    SELECT_ALL = "Select all"
    INVERT = "Invert selection"
    DELETE = "Delete"


@dataclass(frozen=True)
class Action(Control):
    """An action, by button, key or palette.

    Attributes:
        run: Performs the action.
        key: Its shortcuts, separated by ", ".
        icon: Name of the icon.
        picture: Makes the icon where it is a drawing of its own.
        verb: The entry of the *Edit* menu that it stands for.
        checked: Whether the button is down; None if it is not checkable.
        says: Returns the button's text where it changes (Relax, Stop); None: the text is `text`.
        is_muted: Whether it is drawn faintly, because it is not meant here; it can be used all the same.
    """

    run: Callable[[], object]
    key: str = ""
    icon: str = ""
    tip: str = ""
    aid: Aid = Aid.EDITING
    checked: Condition = None
    says: Callable[[], str] | None = None
    picture: Callable[[], QIcon] | None = None
    verb: Verb | None = None
    is_muted: bool = False


@dataclass(frozen=True)
class Switch(Control):
    """A box to tick."""

    is_on: Callable[[], bool]
    turn: Callable[[bool], object]
    tip: str = ""
    aid: Aid = Aid.EDITING


@dataclass(frozen=True)
class Option:
    """An option with a higher aid class than the choice it belongs to."""

    text: str
    aid: Aid


@dataclass(frozen=True)
class Choice(Control):
    """One of several options, by index; indices stay the same if an option is not allowed."""

    options: Sequence[str | Option]
    chosen: Callable[[], int]
    choose: Callable[[int], object]
    tip: str = ""
    aid: Aid = Aid.EDITING


@dataclass(frozen=True)
class Number(Control):
    """A number to type or to step.

    Attributes:
        least: The text shown instead of the lowest value.
    """

    value: Callable[[], float]
    put: Callable[[float], object]
    bounds: Bounds
    tip: str = ""
    step: float = 1.0
    decimals: int = 0
    unit: str = ""
    least: str = ""
    aid: Aid = Aid.EDITING


@dataclass(frozen=True)
class Slider(Control):
    """A whole number to slide.

    Attributes:
        caption: A line above it; "" if the section's title is enough.
        greatest: Returns the upper bound, where it changes.
    """

    value: Callable[[], float]
    put: Callable[[int], object]
    bounds: tuple[int, int]
    tip: str = ""
    caption: str = ""
    aid: Aid = Aid.VIEWING
    greatest: Callable[[], int] | None = None


@dataclass(frozen=True)
class Numbers(Control):
    """Several numbers with short labels, such as the coordinates of a selection.

    Attributes:
        values: Returns the numbers; None disables the fields.
        put: Called with the index of the typed number, and the number.
        bounds_each: The bounds of each field, where they differ.
        field_px: The minimum width of a field.
        above: Whether labels stand above their fields, which then have no arrows and no trailing zeros.
    """

    labels: Sequence[str]
    values: Callable[[], Sequence[float] | None]
    put: Callable[[int, float], object]
    bounds: Bounds
    tip: str = ""
    step: float = 1.0
    decimals: int = 0
    unit: str = ""
    columns: int = 1
    field_px: int = 76
    aid: Aid = Aid.EDITING
    bounds_each: Sequence[Bounds] = ()
    above: bool = False


def typed_fields(
    text: str,
    labels: Sequence[str],
    numbers: TypedNumbers,
    reach: float,
    tip: str = "",
    step: float = 1.0,
    decimals: int = 4,
) -> Numbers:
    """Short fields side by side, for numbers from -reach to reach."""
    bounds = (-reach, reach)
    columns = len(labels)
    return Numbers(
        text,
        labels,
        numbers.get,
        numbers.put,
        bounds,
        tip,
        step,
        decimals,
        columns=columns,
        field_px=SHORT_FIELD_PX,
        above=True,
    )


@dataclass(frozen=True)
class Note(Control):
    """A sentence: what `says` returns, or `text` if it never changes."""

    says: Callable[[], str] | None = None
    tip: str = ""
    aid: Aid = Aid.VIEWING
    lines: int = 1
    """How many lines it reserves even while it is shorter, so that the controls below keep their places."""


@dataclass(frozen=True)
class Reading:
    """The contents of a gauge: a figure, words below, whether it is as it should be (None: unmarked), and a tooltip."""

    figure: str
    words: str = ""
    is_met: bool | None = None
    tip: str = ""


@dataclass(frozen=True)
class Gauge(Control):
    """A figure and its meaning, with an optional picture.

    Attributes:
        wraps: Whether its words may take several lines.
    """

    read: Callable[[], Reading]
    picture: QWidget | None = None
    tip: str = ""
    aid: Aid = Aid.JUDGING
    wraps: bool = False


@dataclass(frozen=True)
class CustomPart(Control, Generic[WidgetT]):
    """Any other widget, only made if its aid class is allowed.

    Attributes:
        refresh: Updates the widget.
        caption: A line above it.
    """

    make: Callable[[], WidgetT]
    tip: str = ""
    aid: Aid = Aid.EDITING
    refresh: Callable[[WidgetT], None] | None = None
    caption: str = ""


class Buttons:
    """Buttons with icons, with or without words, in `columns`; one of `exclusive` buttons is always down."""

    def __init__(
        self,
        *actions: Action,
        columns: int = 1,
        exclusive: bool = False,
        has_words: bool = True,
        icon_px: int = BUTTON_ICON_PX,
        wraps: bool = False,
    ) -> None:
        """wraps: whether words are small, and stand in two lines where they are long."""
        self.actions = actions
        self.columns = columns
        self.exclusive = exclusive
        self.has_words = has_words
        self.icon_px = icon_px
        self.wraps = wraps

    def of(self, actions: Sequence[Action]) -> Buttons:
        """The same kind of buttons for other actions."""
        return Buttons(
            *actions,
            columns=self.columns,
            exclusive=self.exclusive,
            has_words=self.has_words,
            icon_px=self.icon_px,
            wraps=self.wraps,
        )


@dataclass(frozen=True)
class ToolButton(Control):
    """A button that activates a tool of a view."""

    tool: Tool
    key: str = ""
    icon: str = ""
    tip: str = ""
    aid: Aid = Aid.EDITING


class Tools(Buttons):
    """The tools of a view as buttons; the active one is down.

    take: activates a tool, if this takes more than passing it to the view.
    """

    def __init__(
        self,
        view: SceneView,
        *tools: ToolButton,
        columns: int = 1,
        take: Callable[[Tool], object] | None = None,
    ) -> None:
        actions = [self._action(view, button, take or view.set_tool) for button in tools]
        super().__init__(*actions, columns=columns, exclusive=True)

    @staticmethod
    def _action(view: SceneView, button: ToolButton, take: Callable[[Tool], object]) -> Action:
        return Action(
            button.text,
            lambda: take(button.tool),
            button.key,
            button.icon,
            button.tip,
            button.aid,
            enabled=button.enabled,
            shown=button.shown,
            checked=lambda: view.tool is button.tool,
        )


Row = Control | Buttons


class Section:
    """A part of the panel under a title."""

    def __init__(self, title: str, *rows: Row) -> None:
        self.title = title
        self.rows = rows

    @property
    def controls(self) -> Iterator[Control]:
        """Its controls; buttons in a row are listed one by one."""
        for row in self.rows:
            yield from row.actions if isinstance(row, Buttons) else (row,)


class Keys:
    """Actions without a button, reached by keys and the palette."""

    def __init__(self, *actions: Action) -> None:
        self.actions = self.controls = actions


class Bars:
    """Widgets around the views: above them, unless `place` puts them elsewhere."""

    def __init__(self, *parts: CustomPart[Any], place: Callable[[QWidget], object] | None = None) -> None:
        self.parts = self.controls = parts
        self.place = place


Declared = Section | Keys | Bars


Names = frozenset[str]


def allowed(declared: Iterable[Declared], aids: frozenset[Aid], withheld: Names = frozenset()) -> Iterator[Declared]:
    """The controls whose class is allowed, and that are not withheld by their texts; empty sections are left out."""
    for group in declared:
        if isinstance(group, Keys):
            yield Keys(*_allowed_controls(group.actions, aids, withheld))
        elif isinstance(group, Bars):
            yield Bars(*_allowed_controls(group.parts, aids, withheld), place=group.place)
        elif rows := list(_allowed_rows(group.rows, aids, withheld)):
            yield Section(group.title, *rows)


def _allowed_rows(rows: Iterable[Row], aids: frozenset[Aid], withheld: Names) -> Iterator[Row]:
    for row in rows:
        if not isinstance(row, Buttons):
            yield from _allowed_controls((row,), aids, withheld)
        elif actions := _allowed_controls(row.actions, aids, withheld):
            yield row.of(actions)


def _allowed_controls(controls: Iterable[ControlT], aids: frozenset[Aid], withheld: Names) -> list[ControlT]:
    return [_narrowed(control, aids) for control in controls if control.aid in aids and control.text not in withheld]


def _narrowed(control: ControlT, aids: frozenset[Aid]) -> ControlT:
    """A choice without the options that are not allowed; the editor's indices still count them."""
    if not isinstance(control, Choice):
        return control
    places = [i for i, option in enumerate(control.options) if aid_of(option, control) in aids]
    chosen = control.chosen
    choose = control.choose
    return replace(
        control,
        options=[control.options[place] for place in places],
        chosen=lambda: places.index(chosen()) if chosen() in places else -1,
        choose=lambda index: choose(places[index]),
    )


def aid_of(option: str | Option, choice: Choice) -> Aid:
    """The aid class of an option of a choice."""
    return option.aid if isinstance(option, Option) else choice.aid
