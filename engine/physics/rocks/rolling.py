"""Rock spheres rolling over a height map: what one blast does (docs/tasks/terrain_levelling.md).

Frame: metres; the cell of column c and row r covers [c, c + 1] x [r, r + 1] and has its height in the middle; z up.
Runs inside the physics process; elsewhere ask `engine.physics.client`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, floor, pi, sin, sqrt

import numpy as np

from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.physics.engine import Engine

GRAVITY = -9.81
STEP_S = 1 / 240
SOLVER_ITERATIONS = 50
RADIUS = 0.2
MASS = 0.1
FRICTION = 0.9
ROLLING = 0.05
SPINNING = 0.05
LOOK_EVERY = 12
SLOW_M_S = 0.05
STILL_STEPS = 60
MOST_STEPS = 2400
PUBLISHED_STEPS = 360
DROP_M = 0.6
BELOW_M = 1.0
_GOLDEN_ANGLE = pi * (3 - sqrt(5))

DEFAULT = "default"
REFERENCE = "reference"


@dataclass(frozen=True, eq=False)
class Blast:
    """What a blast did.

    Attributes:
        gains: (k, 2) cell index (row * n + column) and the height that it gained, in metres.
        lost: Rock that left the map, in metres of height on one cell.
        steps: Simulated steps.
        is_still: Whether everything had come to rest when the simulation stopped.
        tracks: (frames, k, 3) centres of the spheres, NaN once lost; only where they were asked for.
    """

    gains: Floats
    lost: float
    steps: int
    is_still: bool
    tracks: Floats | None = field(default=None, repr=False)


def sphere_count(depth: float) -> int:
    """How many spheres represent a blast of that depth, m."""
    return max(3, min(120, floor(4 * depth)))


class RockWorld:
    """One connection to the physics engine; every blast gets a fresh world in it.

    Args:
        profile: "default", or "reference": the published set-up with its faults.
        step_s: Length of a step, for checking how much it matters.
    """

    def __init__(self, profile: str = DEFAULT, step_s: float = STEP_S) -> None:
        self._engine = Engine()
        self._is_default = profile == DEFAULT
        self._step_s = step_s
        self._scale = round(STEP_S / step_s)

    def blast(self, heights: Floats, row: int, column: int, depth: float, tracks: bool = False) -> Blast:
        """Simulates the rock of one blast.

        Args:
            heights: (n, n) the map in m, already lowered by `depth` in the blast's cell.
            row, column: The cell.
            depth: How much was blasted off, m.
            tracks: Whether to record where the spheres are at every look.
        """
        count = sphere_count(depth)
        self._new_world(heights)
        balls = self._spheres(count, column + 0.5, row + 0.5, float(heights[row, column]))
        run = self._settle if self._is_default else self._run_published
        return run(heights, balls, depth / count, tracks)

    def ground_at(self, x: float, y: float) -> float:
        """Height of the terrain under a point in the present world, by a ray; NaN where there is none."""
        hit = self._engine.rayTest([x, y, 1000.0], [x, y, -1000.0])[0]
        return float(hit[3][2]) if hit[0] >= 0 else float("nan")

    def close(self) -> None:
        """Ends the connection."""
        self._engine.close()

    def _new_world(self, heights: Floats) -> None:
        engine = self._engine
        engine.resetSimulation()
        engine.setGravity(0, 0, GRAVITY)
        engine.setPhysicsEngineParameter(
            fixedTimeStep=self._step_s,
            numSolverIterations=SOLVER_ITERATIONS,
            deterministicOverlappingPairs=1,
        )
        vertices = np.pad(heights, 1, mode="edge") if self._is_default else heights
        rows, columns = vertices.shape
        shape = engine.createCollisionShape(
            engine.GEOM_HEIGHTFIELD,
            meshScale=[1, 1, 1],
            heightfieldData=np.ascontiguousarray(vertices, float).ravel().tolist(),
            numHeightfieldRows=columns,
            numHeightfieldColumns=rows,
        )
        middle = (vertices.min() + vertices.max()) / 2 if self._is_default else 0.0
        center = [heights.shape[1] / 2, heights.shape[0] / 2, float(middle)]
        engine.createMultiBody(0, shape, basePosition=center)

    def _spheres(self, count: int, x: float, y: float, ground: float) -> list[int]:
        engine = self._engine
        shape = engine.createCollisionShape(engine.GEOM_SPHERE, radius=RADIUS)
        balls = []
        for i in range(count):
            angle = i * _GOLDEN_ANGLE
            if self._is_default:
                reach = 0.02
                height = ground + DROP_M + 0.4 * i
            else:
                reach = 0.25 * sqrt((i + 1) / count)
                height = ground + DROP_M + 0.02 * (i % 5)
            place = [x + reach * cos(angle), y + reach * sin(angle), height]
            ball = engine.createMultiBody(MASS, shape, basePosition=place)
            engine.changeDynamics(
                ball,
                -1,
                lateralFriction=FRICTION,
                rollingFriction=ROLLING,
                spinningFriction=SPINNING,
            )
            balls.append(ball)
        return balls

    def _settle(self, heights: Floats, balls: list[int], share: float, tracks: bool) -> Blast:
        """Runs until everything has been slow for a while; spheres that leave the map meanwhile are removed."""
        engine = self._engine
        lowest = float(heights.min()) - BELOW_M
        live = dict(enumerate(balls))
        frames: list[Floats] = []
        steps = slow_steps = 0
        look = LOOK_EVERY * self._scale
        while live and steps < MOST_STEPS * self._scale and slow_steps < STILL_STEPS * self._scale:
            for _ in range(look):
                engine.stepSimulation()
            steps += look
            for i, ball in list(live.items()):
                x, y, z = engine.getBasePositionAndOrientation(ball)[0]
                if not _inside(heights, x, y) or z < lowest:
                    engine.removeBody(ball)
                    del live[i]
            slow_steps = slow_steps + look if self._all_slow(live) else 0
            if tracks:
                frames.append(self._places(live, len(balls)))
        is_still = not live or slow_steps >= STILL_STEPS * self._scale
        return self._blast_of(heights, live, len(balls), share, steps, is_still, frames if tracks else None)

    def _run_published(self, heights: Floats, balls: list[int], share: float, tracks: bool) -> Blast:
        """Runs the published number of steps, moving or not."""
        live = dict(enumerate(balls))
        frames = []
        for _ in range(PUBLISHED_STEPS // LOOK_EVERY):
            for _ in range(LOOK_EVERY * self._scale):
                self._engine.stepSimulation()
            if tracks:
                frames.append(self._places(live, len(balls)))
        is_still = self._all_slow(live)
        steps = PUBLISHED_STEPS * self._scale
        return self._blast_of(heights, live, len(balls), share, steps, is_still, frames if tracks else None)

    def _all_slow(self, live: dict[int, int]) -> bool:
        for ball in live.values():
            vx, vy, vz = self._engine.getBaseVelocity(ball)[0]
            if vx * vx + vy * vy + vz * vz >= SLOW_M_S**2:
                return False
        return True

    def _places(self, live: dict[int, int], count: int) -> Floats:
        places = np.full((count, 3), np.nan)
        for i, ball in live.items():
            places[i] = self._engine.getBasePositionAndOrientation(ball)[0]
        return places

    def _blast_of(
        self,
        heights: Floats,
        live: dict[int, int],
        count: int,
        share: float,
        steps: int,
        is_still: bool,
        frames: list[Floats] | None,
    ) -> Blast:
        """The result of a blast: each sphere adds its share to the cell under its centre."""
        cells = []
        for x, y, _ in self._places(live, count):
            if np.isfinite(x) and _inside(heights, x, y):
                cells.append(floor(y) * heights.shape[1] + floor(x))
        where, number = np.unique(np.array(cells, int), return_counts=True)
        gains = np.column_stack([where.astype(float), number * share])
        lost = (count - len(cells)) * share
        return Blast(gains, lost, steps, is_still, np.array(frames) if frames else None)


def _inside(heights: Floats, x: float, y: float) -> bool:
    rows, columns = heights.shape
    return bool(0 <= x < columns and 0 <= y < rows)
