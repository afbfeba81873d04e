"""The fields of each part of a level."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from spatial_workbench.engine.machines.building.blocks import block_types
from spatial_workbench.engine.machines.building.settings import PARAMETERS
from spatial_workbench.engine.machines.levels.level import SIZE_LIMITS
from spatial_workbench.engine.machines.levels.level_drafts import (
    Draft,
    thing_at,
    with_needs,
    with_thing,
    with_whole_well,
)
from spatial_workbench.widgets.forms.checks_field import ChecksField
from spatial_workbench.widgets.forms.data_field import DataField
from spatial_workbench.widgets.forms.fields import ChoiceField, FormField, LineField, NumberField, TickField
from spatial_workbench.widgets.forms.texts import TextField
from spatial_workbench.widgets.forms.vector_field import VectorField

PLACE, SPOT, SIZE = ("x", "z"), ("x", "y", "z"), ("width", "height", "length")
LEVEL, GROUND, MACHINES, MORE = "level", "air and ground", "machines", "more"
SECTIONS: Mapping[str, str] = {
    LEVEL: "Level",
    GROUND: "Wind and ground",
    MACHINES: "Start and machines",
    MORE: "Programme and path",
}
"""The parts of a level that are no things, with their titles."""
TASKS = (
    ("throw", "Throw: a catapult"),
    ("movement", "Movement: a car"),
    ("delivery", "Delivery: a ball to a goal"),
    ("pick", "Pick: a stone out of a well"),
)

Make = Callable[[], FormField]


@dataclass(frozen=True)
class PartForm:
    """The form of a part.

    Attributes:
        about: A sentence above the fields.
        base: The place of the record that the fields' paths lie in; "": the level itself.
        makes: Make the fields.
    """

    about: str
    base: str
    makes: tuple[Make, ...]


def form_of(draft: Draft, place: str) -> PartForm:
    """The form of a section or of a thing."""
    if place in _SECTION_FORMS:
        return _SECTION_FORMS[place]
    thing = thing_at(draft, place) or {}
    if place == "goal":
        return PartForm("The ball has to come to rest in this zone.", place, _GOAL)
    if place.startswith("balls"):
        return PartForm("A ball that lies on the ground. The first one counts.", place, _BALL)
    if place.startswith("targets"):
        return PartForm("The boulder has to hit the targets in their order.", place, _TARGET)
    about, makes = _THINGS.get(str(thing.get("kind")), ("", ()))
    return PartForm(about, place, (*makes, *_SURFACE))


def _vector(
    path: str,
    label: str,
    names: Sequence[str],
    hint: str = "",
    step: float = 0.5,
    usual: Sequence[float] | None = None,
) -> Make:
    return partial(VectorField, path, label, names, hint, step, usual)


def _number(path: str, label: str, empty: str = "", hint: str = "", whole: bool = False) -> Make:
    return partial(NumberField, path, label, hint, whole, empty)


_AT = _vector("at", "Place, m", PLACE, "x to the right, z ahead of the machine")
_SIZE = _vector("size", "Size, m", SIZE)
_HEADING = _number("heading_deg", "Turned, degrees", "0", "From z towards x")
_SOLID = (_AT, _SIZE, _HEADING)
_NAME: Make = partial(LineField, "name", "Name", "", "by its kind")
_SURFACE: tuple[Make, ...] = (
    _number("friction", "Friction", "as usual"),
    _number("restitution", "Bounce", "as usual"),
    _NAME,
)
_RADIUS = _number("radius", "Radius, m")
_THINGS: Mapping[str, tuple[str, tuple[Make, ...]]] = {
    "box": ("A box, which may hang in the air.", (*_SOLID, _number("bottom", "Underside at, m", "0"))),
    "ramp": ("A wedge that rises along its direction and ends upright.", _SOLID),
    "ridge": ("A ridge with its crest in the middle.", _SOLID),
    "quarter_cylinder": ("A convex ramp that begins upright.", _SOLID),
    "quarter_pipe": (
        "A concave ramp that ends upright.",
        (
            *_SOLID,
            partial(TickField, "on_side", "Stands on its side, and bends to the right"),
            partial(TickField, "is_ground", "Touching it ends a flight, as on the ground"),
        ),
    ),
    "wall": (
        "A wall from one point to another.",
        (
            _vector("start", "From, m", PLACE),
            _vector("end", "To, m", PLACE),
            _number("height", "Height, m"),
            _number("thickness", "Thickness, m", "1"),
        ),
    ),
    "rod": ("A rod that lies half-buried across the way.", (_AT, _RADIUS, _number("length", "Length, m", "1"))),
    "cone": ("A cone.", (_AT, _RADIUS, _number("length", "Height, m", "1"))),
    "rock": (
        "A rock of a random shape.",
        (_AT, _RADIUS, _number("seed", "Shape", "0", "Another number, another shape", True)),
    ),
    "ring": (
        "A ring around an opening.",
        (_vector("center", "Middle, m", SPOT), _RADIUS, partial(TickField, "upright", "Upright, across z")),
    ),
    "sticky_ground": (
        "Ground on which balls hardly roll.",
        (_AT, _vector("size", "Size, m", PLACE), _number("rolling_friction", "Rolling friction", "0.5")),
    ),
}
_GOAL: tuple[Make, ...] = (_AT, _vector("size", "Size, m", SIZE, usual=(20, 5, 6)))
_BALL: tuple[Make, ...] = (
    _AT,
    _number("radius", "Radius, m", "1.5"),
    _number("mass", "Mass, kg", "2"),
    _number("friction", "Friction", "0.6"),
    _number("restitution", "Bounce", "0.15"),
    _number("rolling_friction", "Rolling friction", "0.02"),
    _number("spinning_friction", "Spinning friction", "0"),
    partial(LineField, "name", "Name", "", "ball"),
)
_TARGET: tuple[Make, ...] = (
    partial(ChoiceField, "kind", "Kind", (("zone", "Zone to land in"), ("ring", "Ring to throw through"))),
    _vector("center", "Middle, m", SPOT),
    _RADIUS,
)
_TYPES = tuple((number, kind.name) for number, kind in sorted(block_types().items()) if number != 0)
_PARAMETERS = (
    ("speed", "Speed of motors"),
    ("reversed", "Direction in which motors turn"),
    ("strength", "Strength of springs"),
    ("mass", "Mass of ballast"),
)
_SECTION_FORMS: Mapping[str, PartForm] = {
    LEVEL: PartForm(
        "What the level is for, and what solvers are told of it.",
        "",
        (
            partial(LineField, "name", "Name"),
            partial(ChoiceField, "task", "Task", TASKS),
            partial(TextField, "about", "What solvers are told", "", 4),
            _number("window_s", "Simulated, s", "5"),
            _number("par", "Reward that scores 1", "usual"),
        ),
    ),
    GROUND: PartForm(
        "Ground of its own replaces the endless plane.",
        "",
        (
            _vector("wind_m_s", "Wind, m/s", SPOT, "x to the right, y up, z ahead", 1.0, (0, 0, 0)),
            _number("ground.friction", "Friction of the ground", "plane", "Empty: the endless plane"),
            _number("ground.restitution", "Bounce of the ground", "plane"),
            _number("ground.reach_m", "Ground ends at, m", "100"),
            _vector("ground.well.at", "Well: middle, m", PLACE, "Empty: no well"),
            _number("ground.well.side", "Well: side, m"),
            _number("ground.well.depth", "Well: depth, m"),
        ),
    ),
    MACHINES: PartForm(
        "The largest machine stands in the blue box; nothing else may stand there.",
        "",
        (
            _vector("size_limits", "Largest machine, m", SIZE, "", 1.0, SIZE_LIMITS),
            partial(ChecksField, "parameters", "Parameters of blocks that count", _PARAMETERS, "", 1),
            partial(ChecksField, "types", "Blocks meant for the level", _TYPES, "None ticked: those of the task"),
        ),
    ),
    MORE: PartForm(
        "Lists, as in files of levels.",
        "",
        (
            partial(
                DataField,
                "path",
                "Path along which progress counts: x, z",
                "Empty: straight ahead",
                "[0, 0], [0, 20], [15, 35]",
                True,
            ),
            partial(
                DataField,
                "programme",
                "Programme of the channels",
                "Channels: drive, spin, contract, grab, steer_hinge, steer_block",
                '{"time": 0, "channel": "drive", "value": 1}',
            ),
        ),
    ),
}


def shown_value(path: str, value: Any) -> Any:
    """What a field shows of a value; of an absent one, what it means."""
    if path == "parameters" and value is None:
        return list(PARAMETERS)
    if path in ("name", "about") and value is None:
        return ""
    return True if path == "upright" and value is None else value


def with_field(draft: Draft, base: str, path: str, value: Any) -> Draft:
    """A draft after a field of a form was changed; what is empty is left out."""
    if base:
        record = thing_at(draft, base) or {}
        return with_thing(draft, base, _with_part(record, (path,), value))
    if path == "task":
        return with_needs({**draft, "task": value})
    if path == "types":
        others = [kind for kind in value if kind != 0]
        value = [0, *others] if others else None
    elif path == "parameters":
        value = None if set(value) == set(PARAMETERS) else value
    elif path == "programme" and isinstance(value, dict):
        value = [value]
    elif path.startswith("ground.well.") and value is None and path.endswith(".at"):
        return _with_part(draft, ("ground", "well"), None)
    made = _with_part(draft, tuple(path.split(".")), value)
    return with_whole_well(made) if path.startswith("ground.well.") else made


def _with_part(record: Draft, path: tuple[str, ...], value: Any) -> Draft:
    """A record with another part; a part that is None, and a record in it that has become empty, are left out."""
    name, *rest = path
    if rest:
        value = _with_part(record.get(name) or {}, tuple(rest), value) or None
    return {**record, name: value} if value is not None else {key: row for key, row in record.items() if key != name}
