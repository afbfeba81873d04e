"""Levels while they are made: what a new one begins with, and how its things are moved, turned and copied.

A draft is the contents of a level's file as plain data, which every change replaces by another one. Things are named by
their place in it, such as "obstacles[3]", "balls[0]", "targets[1]" or "goal".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.machines.levels.level import MachineTask
from spatial_workbench.engine.machines.levels.level_files import name_of_thing

Draft = dict[str, Any]
LISTS = ("obstacles", "balls", "targets")
GOAL = "goal"
GRID_M = 0.5
"""Things that are dragged stand on multiples of this."""
FIRST_FREE_Z = 12.0
"""How far ahead new things stand, behind the place of the largest machine."""

_PLACE = re.compile(r"(obstacles|balls|targets)\[(\d+)\]")
_NUMBERS = re.compile(r"\[\s+(-?[\d.eE+-]+(?:,\s+-?[\d.eE+-]+)*)\s+\]")
_NEW: Mapping[str, Draft] = {
    "box": {"at": [0, 0], "size": [2, 2, 2], "heading_deg": 0, "bottom": 0},
    "wall": {"start": [-5, 0], "end": [5, 0], "height": 3},
    "ramp": {"at": [0, 0], "size": [6, 2, 4], "heading_deg": 0},
    "ridge": {"at": [0, 0], "size": [10, 1, 4], "heading_deg": 0},
    "quarter_pipe": {"at": [0, 0], "size": [10, 3, 3], "heading_deg": 0},
    "quarter_cylinder": {"at": [0, 0], "size": [10, 2, 4], "heading_deg": 0},
    "rod": {"at": [0, 0], "radius": 0.3, "length": 10},
    "cone": {"at": [0, 0], "radius": 0.5, "length": 1},
    "rock": {"at": [0, 0], "radius": 0.5, "seed": 1},
    "ring": {"center": [0, 5, 0], "radius": 3},
    "sticky_ground": {"at": [0, 0], "size": [10, 5]},
}
_NEW_WELL: Draft = {"at": [0, 14], "side": 6, "depth": 3}
KINDS = tuple(_NEW)
"""The kinds of obstacles."""


def new_draft(task: MachineTask = "throw", name: str = "New level") -> Draft:
    """A level that can be built on at once: flat ground, and what its task needs."""
    draft: Draft = {
        "format": "spatial-workbench-level",
        "version": 1,
        "task": task,
        "name": name,
        "about": "Flat ground.",
        "obstacles": [],
    }
    return with_needs(draft)


def with_needs(draft: Draft) -> Draft:
    """A draft with what its task needs: a ball, a goal, a well; and without targets, which only throws have."""
    made = dict(draft)
    task = made.get("task")
    if task in ("delivery", "pick") and not made.get("balls"):
        made["balls"] = [{"at": [0, 15]}] if task == "delivery" else [{"at": [0, 14], "radius": 1}]
    if task == "delivery" and made.get("goal") is None:
        made["goal"] = {"at": [0, 40]}
    if task == "pick" and not (made.get("ground") or {}).get("well"):
        made["ground"] = {**(made.get("ground") or {}), "well": _NEW_WELL}
    if task != "throw":
        made.pop("targets", None)
    return made


def with_whole_well(draft: Draft) -> Draft:
    """A draft in which a well that was begun has all its figures."""
    well = draft.get("ground", {}).get("well")
    return draft if well is None else {**draft, "ground": {**draft["ground"], "well": {**_NEW_WELL, **well}}}


def is_editable(contents: Any) -> bool:
    """Whether contents of a file are so far in order that they can be shown as a form."""
    if not isinstance(contents, dict):
        return False
    lists = [contents.get(name, []) for name in LISTS]
    records = [contents.get(name) or {} for name in (GOAL, "ground")]
    kinds = [thing.get("kind") for thing in lists[0] if isinstance(thing, dict)] if isinstance(lists[0], list) else []
    return (
        all(isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries) for entries in lists)
        and all(isinstance(record, dict) for record in records)
        and all(kind in _NEW for kind in kinds)
    )


def written(draft: Draft) -> bytes:
    """A draft as a file, for people to read: one line for each list of numbers."""
    text = json.dumps(draft, indent=2, ensure_ascii=False)
    return (_NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text) + "\n").encode()


# Things --------------------------------------------------------------------------------------------------------------


def places_of(draft: Draft) -> tuple[str, ...]:
    """The places of all things."""
    listed = [f"{name}[{number}]" for name in LISTS for number in range(len(draft.get(name, ())))]
    return (*listed, *([GOAL] if draft.get(GOAL) is not None else []))


def thing_at(draft: Draft, place: str) -> Draft | None:
    """The thing at a place; None if there is none."""
    if place == GOAL:
        goal: Draft | None = draft.get(GOAL)
        return goal
    match = _PLACE.fullmatch(place)
    entries = draft.get(match[1], ()) if match else ()
    return entries[int(match[2])] if match and int(match[2]) < len(entries) else None


def title_of(draft: Draft, place: str) -> str:
    """What a thing is called."""
    thing = thing_at(draft, place) or {}
    match = _PLACE.fullmatch(place)
    if match is None:
        return "Goal"
    number = int(match[2])
    if match[1] == "targets":
        return f"Target {number + 1}"
    usual = name_of_thing(str(thing.get("kind")), number) if match[1] == "obstacles" else "ball"
    return str(thing.get("name") or usual).capitalize()


def with_thing(draft: Draft, place: str, thing: Draft) -> Draft:
    """A draft with another thing at a place."""
    match = _PLACE.fullmatch(place)
    if match is None:
        return {**draft, GOAL: thing}
    entries = list(draft[match[1]])
    entries[int(match[2])] = thing
    return {**draft, match[1]: entries}


def added_thing(draft: Draft, kind: str) -> tuple[Draft, str]:
    """A draft with a new thing ahead of the machine, and its place.

    kind: of an obstacle; or "ball", "target" or "goal".
    """
    if kind == GOAL:
        return {**draft, GOAL: {"at": [0, 40]}}, GOAL
    if kind == "target":
        return _appended(draft, "targets", {"kind": "zone", "center": [0, 0, 25], "radius": 4})
    ahead = FIRST_FREE_Z + 4 * (len(draft.get("obstacles", ())) % 10)
    if kind == "ball":
        names = {ball.get("name", "ball") for ball in draft.get("balls", ())}
        name = next(name for k in range(1, 12) if (name := "ball" if k == 1 else f"ball {k}") not in names)
        return _appended(draft, "balls", {"name": name, "at": [0, ahead]})
    return _appended(draft, "obstacles", {"kind": kind} | _shifted(_NEW[kind], 0, 0, ahead))


def copied_things(draft: Draft, places: Sequence[str]) -> tuple[Draft, tuple[str, ...]]:
    """A draft with copies of things a step to the right of them, and the places of the copies; there is one goal."""
    copies = []
    for place in places:
        thing, match = thing_at(draft, place), _PLACE.fullmatch(place)
        if thing is None or match is None:
            continue
        copy = {key: value for key, value in thing.items() if key != "name"}
        if match[1] == "balls":
            draft, made = added_thing(draft, "ball")
            copy["name"] = (thing_at(draft, made) or {})["name"]
            draft = with_thing(draft, made, _shifted(copy, 2, 0, 0))
        else:
            draft, made = _appended(draft, match[1], _shifted(copy, 2, 0, 0))
        copies.append(made)
    return draft, tuple(copies)


def without_things(draft: Draft, places: Sequence[str]) -> Draft:
    """A draft without these things."""
    gone = set(places)
    made = {key: value for key, value in draft.items() if key != GOAL or GOAL not in gone}
    for name in LISTS:
        if name in made:
            made[name] = [entry for k, entry in enumerate(made[name]) if f"{name}[{k}]" not in gone]
    return made


def moved_things(draft: Draft, places: Sequence[str], by: Vector) -> Draft:
    """A draft in which things stand elsewhere, `by` along x, y and z in metres; things on the ground stay on it."""
    for place in places:
        thing = thing_at(draft, place)
        if thing is not None:
            draft = with_thing(draft, place, _shifted(thing, *by))
    return draft


def turned_things(draft: Draft, places: Sequence[str], degrees: float) -> Draft:
    """A draft in which things are turned about the vertical, from z+ towards x+; round things stay as they are."""
    for place in places:
        thing = thing_at(draft, place)
        if thing is not None and "size" in thing and thing.get("kind") not in (None, "sticky_ground"):
            heading = (_number(thing.get("heading_deg", 0)) + degrees) % 360
            draft = with_thing(draft, place, {**thing, "heading_deg": plain(heading)})
    return draft


def snapped(thing: Draft, by: Vector) -> Vector:
    """A move that brings a thing to the grid along each axis that it moves along."""
    middle = _middle(thing)
    x, y, z = (
        step if step == 0 else round((start + step) / GRID_M) * GRID_M - start
        for start, step in zip(middle, by, strict=True)
    )
    return x, y, z


def plain(value: float) -> float | int:
    """A number as people write it: without a fraction that is 0, and to a millimetre."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _appended(draft: Draft, name: str, thing: Draft) -> tuple[Draft, str]:
    entries = list(draft.get(name, ()))
    return {**draft, name: [*entries, thing]}, f"{name}[{len(entries)}]"


def _shifted(thing: Draft, x: float, y: float, z: float) -> Draft:
    made = dict(thing)
    for key in ("at", "start", "end"):
        if key in thing:
            made[key] = _sum(thing[key], (x, z))
    if "center" in thing:
        is_on_ground = thing.get("kind") == "zone"
        made["center"] = _sum(thing["center"], (x, 0 if is_on_ground else y, z))
    if y and (thing.get("kind") == "box"):
        made["bottom"] = plain(_number(thing.get("bottom", 0)) + y)
    return made


def _sum(values: Any, by: Sequence[float]) -> Any:
    """A place moved; one that is none stays as it is, and is told as a fault."""
    if not isinstance(values, list | tuple) or len(values) != len(by):
        return values
    return [plain(_number(value) + step) for value, step in zip(values, by, strict=True)]


def _middle(thing: Draft) -> Vector:
    """The place of a thing, x, y and z; 0 where it says none."""
    if "center" in thing:
        x, y, z = _numbers(thing["center"], 3)
        return x, y, z
    x, z = _numbers(thing.get("at", thing.get("start")), 2)
    return x, _number(thing.get("bottom", 0)), z


def _numbers(values: Any, count: int) -> Sequence[float]:
    """So many numbers; 0 in place of what is none."""
    is_fit = isinstance(values, list | tuple) and len(values) == count
    return [_number(value) for value in values] if is_fit else [0.0] * count


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
