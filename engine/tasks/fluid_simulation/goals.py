"""Goals: what the water must look like after the rain. Goals are data, so new instances use the same rules.

Each goal says its rule in a sentence, and judges an Aftermath: a score from 0 to 1, checks, and the numbers that a
meter shows. `published` is the published test of the same goal where it differs (docs/tasks/fluid_simulation.md).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from spatial_workbench.engine.core import Check, Problem
from spatial_workbench.engine.tasks.fluid_simulation.bodies import Aftermath, FluidBody, has_block
from spatial_workbench.engine.tasks.fluid_simulation.world import DEPTH

Count = Annotated[int, Field(ge=1)]
Level = Annotated[int, Field(ge=0, lt=DEPTH)]


class FluidMeter(NamedTuple):
    """A number that a test compares: "31/36", "visible 4/0"."""

    name: str
    value: int
    target: int
    met: bool

    def __str__(self) -> str:
        return f"{self.name} {self.value}/{self.target}"


@dataclass(frozen=True)
class GoalJudgement:
    """The judgement of a goal: partial credit, one check per condition, and the meters."""

    score: float
    checks: tuple[Check, ...]
    meters: tuple[FluidMeter, ...]
    warnings: tuple[str, ...] = ()


class Goal(BaseModel):
    """Base of the goals."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: str

    def short(self) -> str:
        """The goal in a few words."""
        raise NotImplementedError

    def sentence(self) -> str:
        """The goal as the solver is told it."""
        raise NotImplementedError

    def judge(self, after: Aftermath) -> GoalJudgement:
        """The goal's score, checks and meters."""
        raise NotImplementedError

    def published(self, after: Aftermath) -> GoalJudgement:
        """The published test's result, with its faults."""
        return self.judge(after)

    def is_too_small(self, body: FluidBody) -> bool:
        """Whether a body is below the goal's threshold and does not count."""
        return False


class FluidSurface(Goal):
    """A lake with a large surface."""

    type: Literal["surface"] = "surface"
    k: Count

    def short(self) -> str:
        return f"a lake of {self.k} columns"

    def sentence(self) -> str:
        return f"There is a lake whose surface is at least {self.k} voxels (columns that it has water in)."

    def judge(self, after: Aftermath) -> GoalJudgement:
        largest = max((body.surface for body in after.bodies), default=0)
        meter = FluidMeter("surface", largest, self.k, largest >= self.k)
        return simple(self.short(), meter, names_of(after, lambda body: body.surface == largest))

    def is_too_small(self, body: FluidBody) -> bool:
        return body.surface < self.k


class Bodies(Goal):
    """Several separate bodies, none just a gutter."""

    type: Literal["bodies"] = "bodies"
    n: Count
    m: Count = 2

    def short(self) -> str:
        return f"{self.n} bodies of {self.m} x {self.m}"

    def sentence(self) -> str:
        return f"There are at least {self.n} unconnected bodies of water, each at least {self.m} x {self.m} in extent."

    def judge(self, after: Aftermath) -> GoalJudgement:
        count = sum(not self.is_too_small(body) for body in after.bodies)
        meter = FluidMeter("bodies", count, self.n, count >= self.n)
        return simple(self.short(), meter, names_of(after, self.is_too_small))

    def is_too_small(self, body: FluidBody) -> bool:
        return not body.holds_block(self.m)


class High(Goal):
    """Water high up."""

    type: Literal["high"] = "high"
    z: Level
    k: Count

    def short(self) -> str:
        return f"{self.k} voxels above z = {self.z}"

    def sentence(self) -> str:
        return f"There is a lake of at least {self.k} voxels at z > {self.z}."

    def judge(self, after: Aftermath) -> GoalJudgement:
        count = sum(after.at_level(z) for z in range(self.z + 1, DEPTH))
        meter = FluidMeter(f"above z = {self.z}", count, self.k, count >= self.k)
        judged = simple(self.short(), meter)
        touching = max((int((body.cells[:, 2] > self.z).sum()) for body in after.bodies), default=0)
        if meter.met and touching < self.k:
            apart = f"The voxels above z = {self.z} count together, though no {self.k} of them are in one body"
            return GoalJudgement(judged.score, judged.checks, judged.meters, (apart,))
        return judged


class Hidden(Goal):
    """An underground lake."""

    type: Literal["hidden"] = "hidden"
    k: Count

    def short(self) -> str:
        return f"an underground lake of {self.k} voxels"

    def sentence(self) -> str:
        return (
            f"There is an underground lake of at least {self.k} voxels in volume, and no water voxel anywhere is "
            "visible from above."
        )

    def judge(self, after: Aftermath) -> GoalJudgement:
        largest = max((body.size for body in after.bodies), default=0)
        return self._judged(after, FluidMeter("underground", largest, self.k, largest >= self.k))

    def published(self, after: Aftermath) -> GoalJudgement:
        """Adds up all hidden water."""
        total = after.total
        return self._judged(after, FluidMeter("underground", total, self.k, total >= self.k))

    def is_too_small(self, body: FluidBody) -> bool:
        return body.size < self.k

    def _judged(self, after: Aftermath, meter: FluidMeter) -> GoalJudgement:
        return unseen(after, simple(self.short(), meter))


class Levels(Goal):
    """Lakes at different heights."""

    type: Literal["levels"] = "levels"
    n: Count

    def short(self) -> str:
        return f"{self.n} lakes on {self.n} levels"

    def sentence(self) -> str:
        return (
            f"There are at least {self.n} lakes on {self.n} different z levels (a lake counts for the level that most "
            "of its voxels are on, the lowest of equal ones)."
        )

    def judge(self, after: Aftermath) -> GoalJudgement:
        return self._judged(after, {body.main_level for body in after.bodies})

    def published(self, after: Aftermath) -> GoalJudgement:
        """Breaks ties between levels by the order of a search from the body's first cell."""
        return self._judged(after, {first_met_level(body) for body in after.bodies})

    def _judged(self, after: Aftermath, levels: set[int]) -> GoalJudgement:
        lakes = FluidMeter("lakes", len(after.bodies), self.n, len(after.bodies) >= self.n)
        heights = FluidMeter("levels", len(levels), self.n, len(levels) >= self.n)
        checks = (check_of(f"{self.n} lakes", lakes), check_of(f"{self.n} different levels", heights))
        return GoalJudgement(credit(heights if lakes.met else lakes), checks, (lakes, heights))


class Depth(Goal):
    """A deep lake."""

    type: Literal["depth"] = "depth"
    d: Annotated[int, Field(ge=1, lt=DEPTH)]

    def short(self) -> str:
        return f"a lake {self.d} deep"

    def sentence(self) -> str:
        return f"There is a lake at least {self.d} voxels deep (water voxels one above another in a column)."

    def judge(self, after: Aftermath) -> GoalJudgement:
        meter = FluidMeter("depth", after.deepest_run, self.d, after.deepest_run >= self.d)
        return simple(self.short(), meter)


class FluidVolumes(Goal):
    """Several large lakes."""

    type: Literal["volumes"] = "volumes"
    n: Count
    k: Count

    def short(self) -> str:
        return f"{self.n} lakes over {self.k} voxels"

    def sentence(self) -> str:
        return f"There are at least {self.n} unconnected lakes, each over {self.k} voxels in volume."

    def judge(self, after: Aftermath) -> GoalJudgement:
        return self._judged(after, sum(body.size > self.k for body in after.bodies))

    def published(self, after: Aftermath) -> GoalJudgement:
        """Accepts exactly k voxels where more than k are required."""
        return self._judged(after, sum(body.size >= self.k for body in after.bodies))

    def is_too_small(self, body: FluidBody) -> bool:
        return body.size <= self.k

    def _judged(self, after: Aftermath, count: int) -> GoalJudgement:
        meter = FluidMeter("lakes", count, self.n, count >= self.n)
        return simple(self.short(), meter, names_of(after, self.is_too_small))


class Ring(Goal):
    """A lake around a dry centre."""

    type: Literal["ring"] = "ring"
    m: Count = 3

    def short(self) -> str:
        return f"water around a dry {self.m} x {self.m}"

    def sentence(self) -> str:
        return f"There is a ring-shaped lake: its water surrounds a dry centre of at least {self.m} x {self.m}."

    def judge(self, after: Aftermath) -> GoalJudgement:
        wet: NDArray[np.bool_] = np.any(after.water, axis=2)
        return self._judged(any(self._surrounds(body.columns, wet) for body in self._long_enough(after)))

    def published(self, after: Aftermath) -> GoalJudgement:
        """Sees only dry blocks of exactly m x m with the lake on all sides; takes other water in them for dry."""
        return self._judged(any(self._frames_block(body.columns) for body in self._long_enough(after)))

    def _long_enough(self, after: Aftermath) -> Iterator[FluidBody]:
        return (body for body in after.bodies if body.surface >= 4 * self.m)

    def _surrounds(self, columns: NDArray[np.bool_], wet: NDArray[np.bool_]) -> bool:
        """Whether some columns outside the lake are cut off from the border and contain a dry block."""
        from scipy import ndimage

        labels, _ = ndimage.label(~columns)
        large = np.bincount(labels.ravel()) >= self.m**2
        large[[0, *np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])]] = False
        return any(has_block((labels == label) & ~wet, self.m) for label in np.flatnonzero(large))

    def _frames_block(self, columns: NDArray[np.bool_]) -> bool:
        m = self.m
        n = len(columns)
        if n < m + 2:
            return False
        blocks: NDArray[np.bool_] = np.any(sliding_window_view(columns, (m, m)), axis=(2, 3))
        along_y: NDArray[np.bool_] = np.all(sliding_window_view(columns, m, axis=1), axis=2)
        along_x: NDArray[np.bool_] = np.all(sliding_window_view(columns, m, axis=0), axis=2)
        inner = slice(1, n - m)
        before = slice(0, n - m - 1)
        after = slice(m + 1, n)
        beside = along_y[before, inner] & along_y[after, inner] & along_x[inner, before] & along_x[inner, after]
        return bool((beside & ~blocks[inner, inner]).any())

    def _judged(self, holds: bool) -> GoalJudgement:
        return simple(self.short(), FluidMeter("rings", int(holds), 1, holds))


class Bands(Goal):
    """Water on some levels and not on others."""

    type: Literal["bands"] = "bands"
    wet: Annotated[tuple[Level, ...], Field(min_length=1)]
    dry: tuple[Level, ...]

    def short(self) -> str:
        wet, dry = (", ".join(map(str, levels)) for levels in (self.wet, self.dry))
        return f"water at z = {wet}" + (f", none at {dry}" if dry else "")

    def sentence(self) -> str:
        wet = " and ".join(f"z = {z}" for z in self.wet)
        dry = " or ".join(f"z = {z}" for z in self.dry)
        return f"There is water at {wet}" + (f", and no water at {dry}." if dry else ".")

    def judge(self, after: Aftermath) -> GoalJudgement:
        wet = [FluidMeter(f"z = {z}", after.at_level(z), 1, after.at_level(z) > 0) for z in self.wet]
        dry = [FluidMeter(f"z = {z}", after.at_level(z), 0, after.at_level(z) == 0) for z in self.dry]
        checks = [check_of(f"water at {meter.name}", meter) for meter in wet]
        for z, meter in zip(self.dry, dry, strict=True):
            checks.append(check_of(f"no water at {meter.name}", meter, voxels_at(after.water, z)))
        share = sum(meter.met for meter in wet) / len(wet)
        return GoalJudgement(share if all(meter.met for meter in dry) else 0.0, tuple(checks), (*wet, *dry))


class ExactGoal(Goal):
    """An exact amount of water."""

    type: Literal["exact"] = "exact"
    k: Count

    def short(self) -> str:
        return f"exactly {self.k} voxels of water"

    def sentence(self) -> str:
        return f"There are exactly {self.k} voxels of water in total."

    def judge(self, after: Aftermath) -> GoalJudgement:
        meter = FluidMeter("water", after.total, self.k, after.total == self.k)
        score = max(0.0, 1 - abs(after.total - self.k) / self.k)
        return GoalJudgement(score, (check_of(self.short(), meter),), (meter,))


class HiddenBodies(Goal):
    """Several underground lakes."""

    type: Literal["hidden_bodies"] = "hidden_bodies"
    n: Count
    k: Count

    def short(self) -> str:
        return f"{self.n} underground lakes of {self.k} voxels"

    def sentence(self) -> str:
        return (
            f"There are at least {self.n} separate underground lakes of at least {self.k} voxels each, and no water "
            "voxel anywhere is visible from above."
        )

    def judge(self, after: Aftermath) -> GoalJudgement:
        count = sum(not self.is_too_small(body) for body in after.bodies)
        meter = FluidMeter("underground lakes", count, self.n, count >= self.n)
        return unseen(after, simple(self.short(), meter, names_of(after, self.is_too_small)))

    def is_too_small(self, body: FluidBody) -> bool:
        return body.size < self.k


AnyGoal = Annotated[
    FluidSurface | Bodies | High | Hidden | Levels | Depth | FluidVolumes | Ring | Bands | ExactGoal | HiddenBodies,
    Field(discriminator="type"),
]
_GOALS: TypeAdapter[tuple[Goal, ...]] = TypeAdapter(tuple[AnyGoal, ...])

MAX_VOXELS_NAMED = 100
"""How many voxels a check names; the rest are only counted."""


def read_goals(data: Sequence[Any]) -> tuple[Goal, ...]:
    """The goals in plain data, such as [{"type": "surface", "k": 36}].

    Raises:
        pydantic.ValidationError: an unknown goal or threshold.
    """
    return _GOALS.validate_python(data)


def score_of(judgements: Sequence[GoalJudgement]) -> float:
    """The score of an answer: the mean of its goals' scores."""
    return sum(judgement.score for judgement in judgements) / len(judgements)


def credit(meter: FluidMeter) -> float:
    """Partial credit: the value as a share of the target, at most 1."""
    return 1.0 if meter.met else min(1.0, meter.value / meter.target)


def check_of(name: str, meter: FluidMeter, elements: Iterable[str] = ()) -> Check:
    """The check for a meter."""
    problems = [] if meter.met else [Problem(f"{meter.name}: {meter.value}, wanted {meter.target}", elements)]
    return Check.of(name, problems, passed=f"{meter.name}: {meter.value}, wanted {meter.target}")


def simple(name: str, meter: FluidMeter, elements: Iterable[str] = ()) -> GoalJudgement:
    """The judgement of a goal with a single meter."""
    return GoalJudgement(credit(meter), (check_of(name, meter, elements),), (meter,))


def unseen(after: Aftermath, judged: GoalJudgement) -> GoalJudgement:
    """A judgement with the added condition that no water is visible; otherwise its score is 0."""
    count = int(np.count_nonzero(after.visible))
    meter = FluidMeter("visible", count, 0, count == 0)
    named = [f"water {x},{y},{z}" for x, y, z in np.argwhere(after.visible)[:MAX_VOXELS_NAMED].tolist()]
    check = check_of("no water visible from above", meter, named)
    return GoalJudgement(judged.score if meter.met else 0.0, (check, *judged.checks), (meter, *judged.meters))


def names_of(after: Aftermath, which: Callable[[FluidBody], bool]) -> list[str]:
    """The ids of the bodies that satisfy a condition."""
    return [f"body {i}" for i, body in enumerate(after.bodies) if which(body)][:MAX_VOXELS_NAMED]


def voxels_at(water: NDArray[np.bool_], z: int) -> list[str]:
    """The ids of the first water voxels of a level."""
    return [f"water {x},{y},{z}" for x, y in np.argwhere(water[:, :, z])[:MAX_VOXELS_NAMED].tolist()]


def first_met_level(body: FluidBody) -> int:
    """The level with most cells; ties go to the first that a breadth-first search from the first cell meets."""
    most = max(body.levels.values())
    if sum(count == most for count in body.levels.values()) == 1:
        return body.main_level
    cells = set(map(tuple, body.cells.tolist()))
    queue = [tuple(body.cells[0].tolist())]
    met = set(queue)
    for x, y, z in queue:
        if body.levels[z] == most:
            return int(z)
        for near in ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (x, y, z + 1), (x, y, z - 1)):
            if near in cells and near not in met:
                met.add(near)
                queue.append(near)
    return body.main_level
