"""Delaunay triangulation: triples of numbered points with empty circumcircles (SCBench, bucket Constructive, task q55).

Answer    triangles as triples of point numbers, in any order
Rules     the triangles cover the convex hull without gaps and overlaps, and no circumcircle holds a point; exact, for
          the displayed coordinates (whole thousandths) are the instance
Score     1 if every check passes, else 0

The rules in full: docs/tasks/delaunay.md.

    commands      what can be done to a triangulation by editors, agents and other programs
    crosscheck    the cross-check, by the global definition: no circumcircle holds any of the points
    drawing       drawings of triangulations
    editing       what the editor does with triangles: pure functions that give new lists
    geometry      exact geometry of points with whole-number coordinates: orientation, circumcircles, hulls
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Answer,
    Bucket,
    CheckList,
    CountedDifferently,
    Difficulty,
    DrawsContrasts,
    Family,
    Figure,
    Instance,
    InstanceError,
    Integer,
    LiveRule,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import Check, all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.words import beside, counted
from spatial_workbench.engine.tasks.delaunay import geometry
from spatial_workbench.engine.tasks.delaunay.crosscheck import judge as judge_again
from spatial_workbench.engine.tasks.delaunay.drawing import draw, draw_keys, triangle_name
from spatial_workbench.engine.tasks.delaunay.geometry import Points, Triangle, edge_owners, orient, third

MAX_TRIANGLES = 4000
MAX_DRAWS = 500
Corners = Annotated[tuple[Integer, ...], Field(strict=False, min_length=3, max_length=3)]


class Triangles(Answer):
    """The triangles of a triangulation."""

    triangles: Annotated[tuple[Corners, ...], at_most(MAX_TRIANGLES, "triangles")] = Field(
        description="Triples of point numbers, each ascending"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        return f"Triangle {path[1]}: three indices expected" if len(path) >= 2 else None


class PointsDifficulty(Difficulty):
    """What a new set of points is like."""

    points: int = Field(20, ge=3, le=1024, description="How many points")
    clusters: int = Field(0, ge=0, le=8, description="Around how many places they crowd; 0: spread evenly")


checks = CheckList()


@checks.step("three different points that exist")
def _exist(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    if not triangles:
        yield Problem("No triangles")
    for k, triangle in enumerate(triangles):
        for i in triangle:
            if not 0 <= i < len(points):
                yield Problem(f"Triangle {k}: point {i} does not exist (0..{len(points) - 1})")
        twice = [i for i, count in Counter(triangle).items() if count > 1]
        if twice:
            yield Problem(f"Triangle {k} uses point {twice[0]} twice", [f"point {twice[0]}"])


@checks.step("no triangle twice")
def _once(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    first: dict[tuple[int, ...], int] = {}
    for k, triangle in enumerate(triangles):
        key = tuple(sorted(triangle))
        if key in first:
            yield Problem(f"Triangle {k} repeats triangle {first[key]}", [f"triangle {k}"])
        first.setdefault(key, k)


@checks.step("every triangle has an area")
def _area(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    for k, (a, b, c) in enumerate(triangles):
        if orient(points[a], points[b], points[c]) == 0:
            yield Problem(f"Triangle {k} has no area", [f"triangle {k}"])


@checks.step("no triangles overlap")
def _apart(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    for k, m in geometry.overlapping(points, triangles):
        yield Problem(f"Triangles {k} and {m} overlap", [f"triangle {k}", f"triangle {m}"])


@checks.step("every point is used")
def _used(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    used = {i for triangle in triangles for i in triangle}
    for i in range(len(points)):
        if i not in used:
            yield Problem(f"Point {i} is not connected", [f"point {i}"])


@checks.step("the convex hull is covered")
def _covered(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    boundary = geometry.hull(points)
    sides = {tuple(sorted(pair)) for pair in zip(boundary, [*boundary[1:], boundary[0]], strict=True)}
    for edge, owners in edge_owners(triangles).items():
        if len(owners) == 1 and edge not in sides:
            i, j = edge
            yield Problem(f"There is a gap beside the edge {i}-{j}", [f"edge {i}-{j}"])
    share = covered_share(points, triangles)
    if share < 1:
        yield Problem(f"The triangles cover {beside(100 * share, 100, 1)} % of the convex hull")


@checks.step("every circumcircle is empty")
def _empty(points: Points, triangles: Sequence[Triangle]) -> Iterator[Problem]:
    for (i, j), inside, k in geometry.illegal_edges(points, triangles):
        yield Problem(
            f"Point {inside} lies in the circumcircle of triangle {k}: the edge {i}-{j} has to be flipped",
            [f"edge {i}-{j}", f"point {inside}", f"triangle {k}"],
        )


class Delaunay(HasCommands, DrawsContrasts, Task[Triangles]):
    """Triangulate points in the plane with empty circumcircles."""

    id = "delaunay"
    title = "Delaunay triangulation"
    summary = "Connect points to triangles whose circumcircles hold no other point."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    has_one_answer = True
    live = LiveRule.of_form(
        "three different points that exist",
        "no triangle twice",
        "every triangle has an area",
        "no triangles overlap",
        "every point is used",
        "the convex hull is covered",
        why="Any triangulation is complete in form. "
        "If failing circumcircles were marked, flipping the marked edges would give the key.",
    )
    answer_type = Triangles
    difficulty = PointsDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The points as they are displayed, in thousandths."""
        return {"points": row["points"]}

    def draw(self, rng: np.random.Generator, difficulty: PointsDifficulty) -> Mapping[str, Any]:
        """Whole thousandths without ties. Raises InstanceError where none were drawn."""
        for _ in range(MAX_DRAWS):
            points = _drawn(rng, difficulty)
            if len(set(points)) == len(points) and is_unambiguous(points):
                return {"points": [list(point) for point in points]}
        raise InstanceError(f"points: no {difficulty.points} points without ties in {MAX_DRAWS} draws")

    def caption(self, instance: Instance) -> str:
        return counted(len(points_of(instance)), "point")

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(points_of(instance)))

    def empty(self, instance: Instance) -> Triangles:
        return Triangles(triangles=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.delaunay.commands import commands

        return commands

    def state(self, instance: Instance, answer: Triangles) -> Any:
        return {"triangles": [{"id": k, "points": list(corners)} for k, corners in enumerate(answer.triangles)]}

    @verifier("default", "1", "First principles in exact arithmetic, on the displayed coordinates")
    def _default(self, instance: Instance, answer: Triangles, progress: Progress) -> Outcome:
        points = points_of(instance)
        triangles = as_triangles(answer)
        rows = checks.run(points, triangles)
        key = set(geometry.delaunay(points))
        given = {tuple(sorted(triangle)) for triangle in triangles}
        figures = [
            Figure("triangles", f"{len(triangles)}/{2 * len(points) - 2 - len(geometry.hull(points))}"),
            Figure("missing", len(key - given), is_of_key=True),
            Figure("extra", len(given - key), is_of_key=True),
        ]
        return Outcome(float(all_passed(rows)), rows, figures)

    @verifier("published", "1", "The published key, computed from the points before they were rounded for display")
    def _as_published(self, instance: Instance, answer: Triangles, progress: Progress) -> Outcome:
        key = self.published_key(instance)
        given = Counter(tuple(sorted(triangle)) for triangle in answer.triangles)
        extra = [t for t in given.elements() if t not in key] + [t for t, count in given.items() if count > 1]
        missing = [t for t in key if t not in given]
        problems = [Problem(f"Extra: {triangle_name(t)}") for t in extra]
        problems += [Problem(f"Missing: {triangle_name(t)}", is_omission=True) for t in missing]
        return Outcome(float(not problems), [Check.of("equal to the published key", problems)])

    def published_key(self, instance: Instance) -> set[Triangle]:
        """The key that published scores were made with; for generated instances the right answer."""
        key = set(geometry.delaunay(points_of(instance)))
        if instance.number is None:
            return key
        row = self.published_rows()[instance.number]
        key -= {(a, b, c) for a, b, c in row.get("displayed_only", ())}
        return key | {(a, b, c) for a, b, c in row.get("published_only", ())}

    def _crosscheck(self, instance: Instance, answer: Triangles, progress: Progress) -> Outcome:
        return judge_again(points_of(instance), as_triangles(answer), progress)

    def solve(self, instance: Instance, progress: Progress = silent) -> Triangles:
        """Grown from edge to edge, in exact arithmetic."""
        return Triangles(triangles=geometry.delaunay(points_of(instance)))

    def scene(self, instance: Instance, answer: Triangles | None = None, verdict: Verdict | None = None) -> Scene:
        """The points with the triangles; failing edges with their circles."""
        return draw(points_of(instance), as_triangles(answer) if answer else (), verdict)

    def contrast(
        self, instance: Instance, answer: Triangles, first: Verdict, second: Verdict
    ) -> CountedDifferently | None:
        """The triangles in which the key of the displayed points and the published one differ."""
        if {first.verifier, second.verifier} != {"default", "published"}:
            return None
        points = points_of(instance)
        keys = {"default": set(geometry.delaunay(points)), "published": self.published_key(instance)}
        ours, theirs = keys[first.verifier], keys[second.verifier]
        if ours == theirs:
            return None
        return CountedDifferently(
            draw_keys(points, ours, theirs),
            f"The displayed points give {_listed(keys['default'] - keys['published'])}; the published key, made before "
            f"they were rounded, has {_listed(keys['published'] - keys['default'])} instead. A dashed circle belongs "
            "to a triangle that only the second has: there is a displayed point in it.",
            is_detail=True,
        )

    def thumbnail(self) -> Scene:
        """Points of its own: a published instance would show its key."""
        instance = self.generate(1)
        return self.scene(instance, self.solve(instance))


def points_of(instance: Instance) -> Points:
    """The points of an instance, in thousandths."""
    return tuple((x, y) for x, y in instance.parameters["points"])


def as_triangles(answer: Triangles) -> tuple[Triangle, ...]:
    """The answer's triples."""
    return tuple((a, b, c) for a, b, c in answer.triangles)


def _listed(triangles: set[Triangle]) -> str:
    return ", ".join(triangle_name(triangle) for triangle in sorted(triangles)) or "no triangle"


def covered_share(points: Points, triangles: Sequence[Triangle]) -> float:
    """The summed area of the triangles as a share of the hull's area."""
    area = sum(abs(orient(points[a], points[b], points[c])) for a, b, c in triangles)
    return float(area / geometry.doubled_hull_area(points))


def is_unambiguous(points: Points) -> bool:
    """Whether the hull has no points in the middle of its sides, and no empty circle has four points on it."""
    boundary = geometry.hull(points)
    turns = zip(boundary, (*boundary[1:], boundary[0]), (*boundary[2:], *boundary[:2]), strict=True)
    if len(boundary) < 3 or any(orient(points[a], points[b], points[c]) == 0 for a, b, c in turns):
        return False
    triangles = geometry.delaunay(points)
    for edge, owners in edge_owners(triangles).items():
        if len(owners) == 2:
            a, b, c = geometry.counter_clockwise(points, triangles[owners[0]])
            other = third(triangles[owners[1]], edge)
            if geometry.in_circle(points[a], points[b], points[c], points[other]) == 0:
                return False
    return True


def _drawn(rng: np.random.Generator, difficulty: PointsDifficulty) -> Points:
    if not difficulty.clusters:
        places = rng.integers(0, 1001, (difficulty.points, 2))
    else:
        centers = rng.uniform(150, 850, (difficulty.clusters, 2))
        spread = rng.normal(0, 60, (difficulty.points, 2))
        places = np.clip(np.rint(centers[rng.integers(0, difficulty.clusters, difficulty.points)] + spread), 0, 1000)
    return tuple((int(x), int(y)) for x, y in places)


def _prompt(points: Points) -> str:
    listed = "\n".join(f"{i}: ({x / 1000:.3f}, {y / 1000:.3f})" for i, (x, y) in enumerate(points))
    return f"""Here are {len(points)} points in the plane, numbered from 0. The coordinates are exact as they stand.

{listed}

Give the Delaunay triangulation of these points: triangles with corners at the points that cover their convex hull \
without gaps and overlaps, such that the circumcircle of no triangle has a point inside. Every point is a corner of \
some triangle. No circle without points inside passes through four of the points, so there is one answer.

A triangle is three different point numbers in ascending order; list each once, in any order.
Answer with JSON: {{"triangles": [[0, 1, 2], ...]}} (the example shows the form only).
"""
