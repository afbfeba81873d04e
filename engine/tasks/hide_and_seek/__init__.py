"""Hide and seek: place a crowd behind a building so that a sniper sees nobody (SCBench B.10, Constructive).

Answer    people as [x, y] in metres, each a box 0.5 x 0.5 x 2 m
Score     1 - 0.005 a red pixel in the picture of the published camera; 0 if a basic fact is broken
Passed    if the basic facts hold and, exactly, nobody can be seen

The rules in full: docs/tasks/hide_and_seek.md.

    commands   what can be done to a crowd by editors, agents and other programs
    drawing    the field as a scene: in space, and as a plan
    editing    aids for placing people: snapping, spraying, pushing apart
    field      a building, a sniper, and the ground that the building hides
    pixels     what a camera sees: an 800 x 600 picture of the building and the people, by ray casting
    solver     the reference solution: a block of people on the axis of the shadow that neither camera sees
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
from pydantic import Field as AnswerField

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    AnswerPart,
    Bucket,
    CheckList,
    Difficulty,
    Family,
    Figure,
    Instance,
    InstanceError,
    LiveRule,
    Number,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    State,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import Check
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import beside, counted
from spatial_workbench.engine.tasks.hide_and_seek.drawing import draw_field, without_help
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M, CrowdField, overlapping_pairs, person_corners
from spatial_workbench.engine.tasks.hide_and_seek.pixels import (
    CrowdCamera,
    fitted_camera,
    red_pixels,
    render,
    render_faces,
    sniper_camera,
)
from spatial_workbench.engine.tasks.hide_and_seek.solver import hide

MAX_PEOPLE = 1000
FARTHEST_DRAWN_M = 1000.0
PIXEL_COST = 0.005
BORDERLINE_M = 1e-6
Position = Annotated[tuple[Number, ...], AnswerField(strict=False, min_length=2, max_length=2)]


class Person(AnswerPart):
    """Where a person stands."""

    xy: Position = AnswerField(description="x and y of the centre, metres")


class Crowd(Answer):
    """Everybody's place."""

    people: Annotated[tuple[Person, ...], at_most(MAX_PEOPLE, "people")] = AnswerField(description="one entry a person")

    @classmethod
    def of(cls, centers: Floats) -> Crowd:
        """An answer from places (n, 2)."""
        return cls(people=tuple(Person(xy=(float(x), float(y))) for x, y in centers))

    @property
    def centers(self) -> Floats:
        """The places, (n, 2), metres."""
        return np.array([person.xy for person in self.people], float).reshape(-1, 2)

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if "xy" in path and kind != "missing":
            return f"people[{path[1]}].xy: two finite numbers expected (people stand on the ground)"
        return None


class CrowdDifficulty(Difficulty):
    """What a generated instance looks like."""

    width: float = AnswerField(6.0, ge=1, le=12, description="width of the building, m")
    height: float = AnswerField(10.0, ge=4, le=19, description="height of the building, m")
    fill: float = AnswerField(0.1, ge=0.005, le=0.6, description="share of the hidden places that have to be used")
    oblique: bool = AnswerField(True, description="whether the sniper stands off the diagonal")


checks = CheckList()


@checks.step("the right number of people")
def _count(field: CrowdField, centers: Floats) -> Iterator[Problem]:
    if len(centers) != field.people:
        yield Problem(f"{counted(len(centers), 'person', 'people')}, {field.people} are needed")


@checks.step("within reach")
def _reach(field: CrowdField, centers: Floats) -> Iterator[Problem]:
    distances = np.hypot(*centers.T)
    for i in np.flatnonzero(distances > field.radius):
        away = beside(distances[i], field.radius, 2)
        message = f"Person {i} is {away} m from the origin, at most {field.radius:g} m are allowed"
        yield Problem(message, [f"person {i}"])


@checks.step("people do not overlap")
def _apart(field: CrowdField, centers: Floats) -> Iterator[Problem]:
    for i, j in overlapping_pairs(centers):
        dx, dy = np.abs(centers[i] - centers[j])
        both = [f"person {i}", f"person {j}"]
        size = f"{beside(PERSON_M - dx, 0, 2)} x {beside(PERSON_M - dy, 0, 2)}"
        yield Problem(f"People {i} and {j} overlap by {size} m", both)


@checks.step("clear of the building")
def _clear(field: CrowdField, centers: Floats) -> Iterator[Problem]:
    for i in np.flatnonzero(field.touches_building(centers)):
        yield Problem(f"Person {i} touches the building", [f"person {i}"])


HIDDEN = "nobody can be seen"


class HideAndSeek(HasCommands, Task[Crowd]):
    """Place a crowd where a building hides it."""

    id = "hide_and_seek"
    title = "Hide and seek"
    summary = "Place a crowd on the ground so that a building hides everybody from a sniper."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.of_form(
        "the right number of people",
        "within reach",
        "people do not overlap",
        "clear of the building",
        why="If visible people were marked, filling the field and removing those would hide everybody.",
    )
    answer_type = Crowd
    difficulty = CrowdDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: row[name] for name in ("people", "width", "height", "sniper", "radius")}

    def draw(self, rng: np.random.Generator, difficulty: CrowdDifficulty) -> Mapping[str, Any]:
        """Another building and sniper; as many people as the share of hidden places says."""
        angle = float(rng.uniform(10, 80)) if difficulty.oblique else 45.0
        distance = float(rng.uniform(90, 160))
        sniper = [round(distance * float(f(np.radians(angle))), 1) for f in (np.cos, np.sin)]
        parameters = {
            "people": 1,
            "width": difficulty.width,
            "height": difficulty.height,
            "sniper": [*sniper, round(float(rng.uniform(20, 30)), 1)],
            "radius": 30.0,
        }
        places = len(CrowdField.of(parameters).places())
        parameters["people"] = max(1, round(difficulty.fill * places))
        if not is_hidden(CrowdField.of(parameters), hide(CrowdField.of(parameters))):
            raise InstanceError(f"The shadow has {places} places; ask for a smaller share of them")
        return parameters

    def caption(self, instance: Instance) -> str:
        field = CrowdField.of(instance.parameters)
        return f"{field.people} people · {field.width:g} m wide"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(CrowdField.of(instance.parameters)))

    def empty(self, instance: Instance) -> Crowd:
        return Crowd(people=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.hide_and_seek.commands import commands

        return commands

    def sight(self, instance: Instance, answer: Crowd, aids: Collection[Aid]) -> Scene:
        """The field; the shadow and the safe ground only for who may have solving aids."""
        scene = self.scene(instance, answer)
        return scene if Aid.SOLVING in aids else without_help(scene)

    @verifier("default", "1", "Exact visibility; the score counts pixels of the published camera")
    def _default(self, instance: Instance, answer: Crowd, progress: Progress) -> Outcome:
        field = CrowdField.of(instance.parameters)
        centers = answer.centers
        rows = checks.run(field, centers, stop_at_first=False)
        facts = all(row.state is State.PASSED for row in rows)
        rows.append(Check.of(HIDDEN, _seen(field, centers)))
        return _outcome(field, centers, rows, facts, rows[-1].state is State.PASSED)

    @verifier("published", "1", "Pixels alone, and people overlap only if their centres are nearer than 0.5 m")
    def _published(self, instance: Instance, answer: Crowd, progress: Progress) -> Outcome:
        field = CrowdField.of(instance.parameters)
        centers = answer.centers
        rows = published_checks.run(field, centers)
        facts = all(row.state is State.PASSED for row in rows)
        red = red_pixels(render(field, centers, fitted_camera(field, centers)))
        return Outcome(_score(red) if facts else 0.0, rows, [Figure("red pixels", red)], passed=facts and red == 0)

    def _crosscheck(self, instance: Instance, answer: Crowd, progress: Progress) -> Outcome:
        field = CrowdField.of(instance.parameters)
        centers = answer.centers
        wrong = _wrong_by_polygons(field, centers)
        visible = _visible_by_polygons(field, centers)
        red = red_pixels(render_faces(field, centers, fitted_camera(field, centers)))
        rows = [Check.of("basic facts", wrong), Check.of(HIDDEN, visible)]
        return Outcome(
            0.0 if wrong else _score(red), rows, [Figure("red pixels", red)], passed=not wrong and not visible
        )

    def solve(self, instance: Instance, progress: Progress = silent) -> Crowd:
        """A block on the axis of the shadow."""
        return Crowd.of(hide(CrowdField.of(instance.parameters)))

    def scene(self, instance: Instance, answer: Crowd | None = None, verdict: Verdict | None = None) -> Scene:
        return draw_field(CrowdField.of(instance.parameters), answer.centers if answer else np.zeros((0, 2)))

    def thumbnail(self) -> Scene:
        instance = self.instances()[2]
        return self.scene(instance, self.solve(instance))


published_checks = CheckList()
published_checks.step("the right number of people")(_count)
published_checks.step("within reach")(_reach)


@published_checks.step("people do not overlap")
def _centers_apart(field: CrowdField, centers: Floats) -> Iterator[Problem]:
    from scipy.spatial import cKDTree

    if len(centers) > 1:
        for i, j in sorted(cKDTree(centers).query_pairs(PERSON_M)):
            if np.hypot(*(centers[i] - centers[j])) < PERSON_M:
                yield Problem(f"People {i} and {j} are nearer than {PERSON_M:g} m", [f"person {i}", f"person {j}"])


published_checks.step("clear of the building")(_clear)


def is_hidden(field: CrowdField, centers: Floats) -> bool:
    """Whether a crowd is complete, breaks no rule, and cannot be seen."""
    rows = checks.run(field, centers)
    return all(row.state is State.PASSED for row in rows) and not field.visible_people(centers).any()


def reasons(field: CrowdField, centers: Floats, with_sight: bool = True) -> dict[int, str]:
    """What is wrong with each person, for an editor: too far, overlapping, touching, and `with_sight` also visible;
    those that are fine are left out."""
    by_person: dict[int, str] = {}
    for name, step in (("too far", _reach), ("overlaps", _apart), ("touches the building", _clear)):
        for problem in step(field, centers):
            by_person.update((int(element.split()[1]), name) for element in problem.elements)
    for i in np.flatnonzero(field.visible_people(centers)) if with_sight else ():
        by_person.setdefault(int(i), "visible")
    return by_person


def _seen(field: CrowdField, centers: Floats) -> Iterator[Problem]:
    margins = field.margins(centers)
    for i in np.flatnonzero(field.visible_people(centers)):
        outside = f"Person {i} can be seen: {beside(-margins[i], 0, 2)} m outside the shadow"
        on_edge = f"Person {i} can be seen: on the edge of the shadow"
        yield Problem(outside if margins[i] < 0 else on_edge, [f"person {i}"])


def _outcome(field: CrowdField, centers: Floats, rows: Sequence[Check], facts: bool, hidden: bool) -> Outcome:
    figures = [
        Figure("people", f"{len(centers)}/{field.people}"),
        Figure("visible people", int(field.visible_people(centers).sum())),
    ]
    if (np.abs(centers) > FARTHEST_DRAWN_M).any():
        return Outcome.failed(rows, figures=figures, warnings=["No picture: somebody is more than a kilometre away"])
    margins = field.margins(centers)
    red = {name: red_pixels(render(field, centers, camera)) for name, camera in cameras(field, centers).items()}
    figures += [
        Figure("red pixels, published camera", red["fitted"]),
        Figure("red pixels, from the sniper's eye", red["sniper"]),
        Figure("score from the sniper's eye", _score(red["sniper"]) if facts else 0.0),
    ]
    if len(margins):
        figures.append(Figure("smallest margin", round(float(margins.min()), 4), "m"))
    warnings = []
    if (np.abs(margins) < BORDERLINE_M).any():
        warnings.append("Somebody stands exactly on the edge of the shadow")
    if hidden and facts and red["fitted"]:
        warnings.append("Nobody can be seen, but the published camera, which moves nearer, shows somebody")
    return Outcome(_score(red["fitted"]) if facts else 0.0, rows, figures, warnings, passed=facts and hidden)


def cameras(field: CrowdField, centers: Floats) -> dict[str, CrowdCamera]:
    """The published camera and the sniper's."""
    return {"fitted": fitted_camera(field, centers), "sniper": sniper_camera(field)}


def _score(red: int) -> float:
    return max(0.0, 1 - PIXEL_COST * red)


def _depth(common: Any) -> float:
    """How far two boxes reach into each other, by the rectangle that they share; 0 if they do not."""
    if common.is_empty:
        return 0.0
    low_x, low_y, high_x, high_y = common.bounds
    return float(min(high_x - low_x, high_y - low_y))


def _wrong_by_polygons(field: CrowdField, centers: Floats) -> list[Problem]:
    """The basic facts by polygons in a search tree, instead of comparing coordinates."""
    from shapely import STRtree, box

    bodies = [box(x - 0.25, y - 0.25, x + 0.25, y + 0.25) for x, y in centers]
    house = box(-field.half, -field.half, field.half, field.half)
    problems = [Problem("Wrong number of people")] if len(bodies) != field.people else []
    if bodies:
        tree = STRtree(bodies)
        near = [(i, j) for i, j in tree.query(bodies).T if i < j]
        pairs = [(i, j) for i, j in near if _depth(bodies[i].intersection(bodies[j])) > 1e-9]
        problems += [Problem(f"People {i} and {j} overlap", [f"person {i}", f"person {j}"]) for i, j in pairs]
    for i, body in enumerate(bodies):
        if body.intersects(house):
            problems.append(Problem(f"Person {i} touches the building", [f"person {i}"]))
        if sum(Fraction(float(part)) ** 2 for part in centers[i]) > Fraction(field.radius) ** 2:
            problems.append(Problem(f"Person {i} is too far", [f"person {i}"]))
    return problems


def _visible_by_polygons(field: CrowdField, centers: Floats) -> list[Problem]:
    """Who is visible, by projecting the sniper's rays to the ground and taking their height at the building's back."""
    from shapely import LineString, box

    house = box(-field.half, -field.half, field.half, field.half)
    visible = []
    for i, corners in enumerate(person_corners(centers)):
        for corner in corners[1::2]:
            inside = LineString([field.sniper[:2], corner[:2]]).intersection(house)
            shares = [np.hypot(x - field.sniper[0], y - field.sniper[1]) for x, y in inside.coords]
            whole = np.hypot(*(corner[:2] - field.sniper[:2]))
            last = max(shares, default=-1.0) / whole
            if last < 0 or field.sniper[2] + last * (corner[2] - field.sniper[2]) > field.height:
                visible.append(Problem(f"Person {i} can be seen", [f"person {i}"]))
                break
    return visible


def _prompt(field: CrowdField) -> str:
    h = field.half
    x, y, z = field.sniper
    return f"""A sniper looks at a building from the point ({x:g}, {y:g}, {z:g}); lengths are in metres, z is up. The \
building is the box from ({-h:g}, {-h:g}, 0) to ({h:g}, {h:g}, {field.height:g}).

Place {field.people} people on the ground so that the sniper can see none of them. A person is a box of 0.5 x 0.5 x \
2 m with its sides along the axes, standing on z = 0, centred on (x, y).

- There are exactly {field.people} people.
- The centre of each is at most {field.radius:g} m from the origin.
- People do not overlap each other; they may touch.
- People do not touch the building.
- The building has to hide every part of each person from the sniper. Other people hide nobody.

The score falls by 0.005 for each pixel of a picture of 800 x 600 in which a person shows; if one of the first four \
rules is broken it is 0.
Answer with JSON: {{"people": [{{"xy": [1.5, -2.25]}}, ...]}} (the example shows the form only).
"""
