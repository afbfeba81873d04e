"""New instances of fluid_simulation: a terrain, one or two goals, and earthworks that prove them possible."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Literal

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import InstanceError
from spatial_workbench.engine.core.contract import Difficulty, vary_field
from spatial_workbench.engine.tasks.fluid_simulation.bodies import Aftermath
from spatial_workbench.engine.tasks.fluid_simulation.goals import Goal, read_goals
from spatial_workbench.engine.tasks.fluid_simulation.presets import FluidRectangle, island, pit, roof, walled_pool
from spatial_workbench.engine.tasks.fluid_simulation.rain import let_it_rain
from spatial_workbench.engine.tasks.fluid_simulation.stability import let_fall
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH, GROUND, Corner, FluidBox, Terrain

GoalType = Literal[
    "any", "surface", "bodies", "high", "hidden", "levels", "depth", "volumes", "ring", "bands", "exact",
    "hidden_bodies",
]  # fmt: skip

MAX_DRAWS = 200
MAX_LIMIT = 12
BOULDERS_PER_COLUMN = 0.05
MAX_BOULDER = 4

TOGETHER = ("surface", "bodies", "high", "levels", "depth", "volumes", "ring", "bands")
"""Goals that can be combined; every other goal concerns all the water in the world."""


class FluidDifficulty(Difficulty):
    """What a new instance is like."""

    size: int = Field(32, ge=8, le=64, multiple_of=2, description="Columns along a side, an even number")
    goal: GoalType = Field("any", description="What is asked for")
    goals: int = Field(1, ge=1, le=2, description="How many goals have to be met at once")
    terrain: Literal["flat", "boulders"] = Field("flat", description="What lies on the ground at the start")
    limit: Literal["none", "loose", "tight"] = Field("none", description="How many operations are allowed")
    hardness: float = Field(0.3, ge=0, le=1, description="How close thresholds are to what the world can hold")
    vary: bool = vary_field("size, terrain, limit and hardness")

    def drawn(self, rng: np.random.Generator) -> "FluidDifficulty":
        """This, with what is usual drawn if it is to vary."""
        if not self.vary:
            return self
        drawn = {
            "size": 2 * int(rng.integers(8, 25)),
            "terrain": str(rng.choice(["flat", "boulders"])),
            "limit": str(rng.choice(["none", "loose", "tight"])),
            "hardness": round(float(rng.uniform(0.1, 0.9)), 2),
        }
        return self.model_copy(update=drawn | self.model_dump(exclude_defaults=True))


@dataclass(frozen=True)
class FluidDraft:
    """Room for one goal: an area of the world, the generator, and the hardness, which sets the sizes."""

    rng: np.random.Generator
    n: int
    area: FluidRectangle
    hardness: float

    @property
    def middle(self) -> tuple[int, int]:
        """The middle column of the area."""
        return (self.area.x0 + self.area.x1 + 1) // 2, (self.area.y0 + self.area.y1 + 1) // 2

    @property
    def span(self) -> int:
        """The shorter side of the area."""
        return min(self.area.width, self.area.height)

    def between(self, low: int, high: int) -> int:
        """A random whole number near low + hardness * (high - low).

        Raises:
            NoRoom: high is below low.
        """
        if high < low:
            raise NoRoom
        share = min(1.0, max(0.0, self.hardness + self.rng.uniform(-0.15, 0.15)))
        return low + round(share * (high - low))

    def square(self, side: int) -> FluidRectangle:
        """A square around the middle."""
        return FluidRectangle.around(*self.middle, side, side)

    def plots(self, count: int, side: int) -> list[FluidRectangle]:
        """Squares in rows around the middle, two columns apart.

        Raises:
            NoRoom: they do not fit.
        """
        pitch = side + 2
        per_row = min(count, (self.area.width + 2) // pitch)
        rows = -(-count // per_row) if per_row else 0
        if not per_row or rows * pitch - 2 > self.area.height:
            raise NoRoom
        left = self.middle[0] - (per_row * pitch - 2) // 2
        front = self.middle[1] - (rows * pitch - 2) // 2
        corners = [(left + i % per_row * pitch, front + i // per_row * pitch) for i in range(count)]
        return [FluidRectangle(x, y, x + side - 1, y + side - 1) for x, y in corners]


class NoRoom(Exception):
    """A goal does not fit its area, though another draw might."""


Plan = tuple[dict[str, Any], list[FluidBox]]
"""A goal as data, and the earthworks that meet it on flat ground."""


def draw(seed: int, difficulty: FluidDifficulty) -> dict[str, Any]:
    """The parameters of a new instance, including its proof.

    Raises:
        InstanceError: nothing of that kind fits.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    usual = difficulty
    for _ in range(MAX_DRAWS):
        difficulty = usual.drawn(rng)
        try:
            goals, boxes = _plan(rng, difficulty)
        except NoRoom:
            continue
        boulders = _boulders(rng, difficulty.size) if difficulty.terrain == "boulders" else ()
        terrain = Terrain(difficulty.size, tuple(boulders))
        proof = _proof(terrain, read_goals(goals), boxes)
        if proof is None or (difficulty.limit != "none" and len(proof) > MAX_LIMIT):
            continue
        return {
            "n": difficulty.size,
            "boulders": [[*low, *high] for low, high in terrain.boulders],
            "goals": goals,
            "limit": _limit(rng, difficulty, len(proof)),
            "caption": " + ".join(goal.short() for goal in read_goals(goals)),
            "proof": [[*box.low, *box.high, "Rock" if box.rock else "Air"] for box in proof],
        }
    raise InstanceError(
        f"goal: nothing of this kind was found for a world of {difficulty.size} x {difficulty.size} columns"
    )


def passes(terrain: Terrain, goals: Sequence[Goal], boxes: Sequence[FluidBox]) -> bool:
    """Whether earthworks meet every goal, by the documented tests and by the published ones."""
    rock, _ = let_fall(terrain.after(boxes))
    after = Aftermath(rock, let_it_rain(rock).water())
    return all(goal.judge(after).score == 1 and goal.published(after).score == 1 for goal in goals)


def _proof(terrain: Terrain, goals: Sequence[Goal], boxes: list[FluidBox]) -> list[FluidBox] | None:
    """The earthworks if they meet the goals, preceded by clearing the ground if boulders are in the way."""
    last = terrain.n - 1
    clearing = FluidBox((0, 0, GROUND), (last, last, DEPTH - 1), False)
    for proof in (boxes, [clearing, *boxes]):
        if passes(terrain, goals, proof):
            return proof
    return None


def _plan(rng: np.random.Generator, difficulty: FluidDifficulty) -> tuple[list[dict[str, Any]], list[FluidBox]]:
    """One or two goals with their earthworks."""
    kinds = _kinds(rng, difficulty)
    plans = [
        RECIPES[kind](FluidDraft(rng, difficulty.size, area, difficulty.hardness))
        for kind, area in zip(kinds, _areas(kinds, difficulty.size), strict=True)
    ]
    return [goal for goal, _ in plans], [box for _, boxes in plans for box in boxes]


def _kinds(rng: np.random.Generator, difficulty: FluidDifficulty) -> list[str]:
    choice = list(RECIPES) if difficulty.goals == 1 else list(TOGETHER)
    if difficulty.goals == 2 and difficulty.goal not in ("any", *TOGETHER):
        raise InstanceError(f"goal: {difficulty.goal} speaks of all water and cannot be combined with another goal")
    first = str(rng.choice(choice)) if difficulty.goal == "any" else difficulty.goal
    if difficulty.goals == 1:
        return [first]
    return [first, str(rng.choice([kind for kind in choice if kind != first]))]


def _areas(kinds: Sequence[str], n: int) -> list[FluidRectangle]:
    """An area for each goal. Deep ones get the centre, where it rains most."""
    c = n // 2
    whole = FluidRectangle(2, 2, n - 3, n - 3)
    if len(kinds) == 1:
        return [whole]
    left, right = whole._replace(x1=c - 2), whole._replace(x0=c + 3)
    if "depth" in kinds:
        beside = whole._replace(x1=c - 4)
        return [whole if kind == "depth" else beside for kind in kinds]
    return [left, right]


def _limit(rng: np.random.Generator, difficulty: FluidDifficulty, needed: int) -> int | None:
    if difficulty.limit == "none":
        return None
    spare = int(rng.integers(2, 5)) if difficulty.limit == "loose" else 0
    return max(2, min(MAX_LIMIT, needed + spare))


def _boulders(rng: np.random.Generator, n: int) -> Iterator[tuple[Corner, Corner]]:
    """Boxes on the ground, 1 to 4 voxels along each edge."""
    for _ in range(int(rng.integers(1, max(2, int(BOULDERS_PER_COLUMN * n * n) + 1)))):
        dx, dy, dz = rng.integers(1, MAX_BOULDER + 1, 3).tolist()
        x, y = int(rng.integers(0, n - dx + 1)), int(rng.integers(0, n - dy + 1))
        yield (x, y, GROUND), (x + dx - 1, y + dy - 1, GROUND + dz - 1)


# Recipes: a goal and its earthworks for an area -----------------------------------------------------------------------


def _surface(draft: FluidDraft) -> Plan:
    side = draft.between(2, draft.span)
    k = side * side - int(draft.rng.integers(0, side))
    return {"type": "surface", "k": k}, pit(draft.square(side))


def _bodies(draft: FluidDraft) -> Plan:
    m = int(draft.rng.integers(2, 4))
    count = draft.between(2, 9)
    boxes = [box for plot in draft.plots(count, m) for box in pit(plot)]
    return {"type": "bodies", "n": count, "m": m}, boxes


def _high(draft: FluidDraft) -> Plan:
    z = int(draft.rng.integers(3, DEPTH - 1))
    side = draft.between(1, draft.span - 2)
    k = int(draft.rng.integers(max(1, side * side // 2), side * side + 1))
    return {"type": "high", "z": z, "k": k}, walled_pool(draft.square(side + 2), z + 1)


def _hidden(draft: FluidDraft) -> Plan:
    side = draft.between(2, draft.span - 2)
    k = 2 * side * side - int(draft.rng.integers(0, side))
    return {"type": "hidden", "k": k}, [*pit(draft.square(side), 1), *roof(draft.square(side))]


def _levels(draft: FluidDraft) -> Plan:
    count = draft.between(2, DEPTH - 2)
    levels = sorted(draft.rng.choice(np.arange(2, DEPTH), count, replace=False).tolist())
    return {"type": "levels", "n": count}, _pools(draft, levels)


def _depth(draft: FluidDraft) -> Plan:
    d = draft.between(2, DEPTH - 1)
    c = draft.n // 2
    hole = FluidRectangle(c - 1, c - 1, c + 2, c + 2)
    return {"type": "depth", "d": d}, pit(hole, GROUND - d) if d < GROUND else walled_pool(hole.grown(1), d, floor=1)


def _volumes(draft: FluidDraft) -> Plan:
    count = int(draft.rng.integers(2, 5))
    side = draft.between(2, (draft.span + 2) // (2 if count > 2 else 1) - 2)
    k = 2 * side * side - 1 - int(draft.rng.integers(0, side))
    boxes = [box for plot in draft.plots(count, side) for box in pit(plot, 1)]
    return {"type": "volumes", "n": count, "k": k}, boxes


def _ring(draft: FluidDraft) -> Plan:
    m = draft.between(3, min(9, draft.span - 2))
    width = int(draft.rng.integers(1, 4))
    if m + 2 * width > draft.span:
        raise NoRoom
    return {"type": "ring", "m": m}, [*pit(draft.square(m).grown(width), 2), *island(draft.square(m), 2)]


def _bands(draft: FluidDraft) -> Plan:
    levels = draft.rng.permutation(np.arange(2, DEPTH)).tolist()
    wet = sorted(levels[: draft.between(1, 3)])
    dry = sorted(levels[3 : 3 + int(draft.rng.integers(1, 3))])
    return {"type": "bands", "wet": wet, "dry": dry}, _pools(draft, wet)


def _exact(draft: FluidDraft) -> Plan:
    """A rectangle of full rows, and the remainder in a row beside it."""
    k = draft.between(4, draft.span * (draft.span - 1)) + int(draft.rng.integers(0, 3))
    side = isqrt(k)
    rows, rest = divmod(k, side)
    if rows + bool(rest) > draft.span:
        raise NoRoom
    area = FluidRectangle.around(*draft.middle, side, rows)
    beside = FluidRectangle(area.x0, area.y1 + 1, area.x0 + rest - 1, area.y1 + 1)
    return {"type": "exact", "k": k}, [*pit(area), *(pit(beside) if rest else [])]


def _hidden_bodies(draft: FluidDraft) -> Plan:
    count = draft.between(2, 5)
    k = int(draft.rng.integers(5, 19))
    plots = draft.plots(count, 3)
    around = FluidRectangle(
        min(p.x0 for p in plots), min(p.y0 for p in plots), max(p.x1 for p in plots), max(p.y1 for p in plots)
    )
    boxes = [box for plot in plots for box in pit(plot, 1)]
    return {"type": "hidden_bodies", "n": count, "k": k}, [*boxes, *roof(around)]


def _pools(draft: FluidDraft, levels: Sequence[int]) -> list[FluidBox]:
    """A pool of 3 x 3 at each level: a pit in the ground, or walled."""
    boxes: list[FluidBox] = []
    for plot, level in zip(draft.plots(len(levels), 5), levels, strict=True):
        boxes += pit(plot.grown(-1), level) if level < GROUND else walled_pool(plot, level)
    return boxes


RECIPES: dict[str, Callable[[FluidDraft], Plan]] = {
    "surface": _surface,
    "bodies": _bodies,
    "high": _high,
    "hidden": _hidden,
    "levels": _levels,
    "depth": _depth,
    "volumes": _volumes,
    "ring": _ring,
    "bands": _bands,
    "exact": _exact,
    "hidden_bodies": _hidden_bodies,
}
