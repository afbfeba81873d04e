"""Grabbers: each holds the first thing that comes near its face, as long as it is switched on (docs/machines.md)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import hypot

from spatial_workbench.engine.machines.building.blocks import GRABBER, Vector, block_types
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import turn
from spatial_workbench.engine.physics.places import Place, Places, glue, pose_of


@dataclass(eq=False)
class _Grip:
    """What a grabber holds: the body and link, and the engine's constraint."""

    body: int
    link: int
    constraint: int
    forces: deque[float] = field(default_factory=deque)


class Grabbers:
    """The grabbers of a machine, as far as no block is attached to their faces.

    Args:
        averaged_steps: Over how many steps the force of a grip is averaged before it may slip.
    """

    def __init__(self, engine: Engine, blocks: Iterable[int], averaged_steps: int) -> None:
        self._engine = engine
        self._steps = averaged_steps
        self._grips: dict[int, _Grip | None] = dict.fromkeys(blocks)
        self._slipped: set[int] = set()
        special = block_types()[GRABBER].special["grab"]
        self._reach_m = special["reach"]
        self._limit_n = special["break_force"]

    @property
    def blocks(self) -> Collection[int]:
        """The grabbers."""
        return self._grips.keys()

    def update(self, places: Places, others: Mapping[int, Collection[int]], is_on: bool) -> None:
        """Grips or lets go after a step; `others` are the bodies that each grabber may hold.

        A grabber whose grip slipped grips nothing until it has been switched off.
        """
        for block, grip in self._grips.items():
            if not is_on:
                self.release(block, places)
                self._slipped.discard(block)
            elif grip is None and block not in self._slipped:
                self._grips[block] = self._grip(places[block], others[block])
            elif grip is not None and self._slips(grip):
                self.release(block, places)
                self._slipped.add(block)

    def release_all(self, places: Places) -> None:
        """Lets go of everything, since bodies are about to be replaced."""
        for block in self._grips:
            self.release(block, places)

    def release(self, block: int, places: Places) -> None:
        """Lets go of what one grabber holds."""
        grip = self._grips[block]
        if grip is not None:
            self._engine.removeConstraint(grip.constraint)
            self._set_collision(places[block], (grip.body, grip.link), True)
            self._grips[block] = None

    def _grip(self, place: Place, others: Collection[int]) -> _Grip | None:
        for other in others:
            for contact in self._engine.getClosestPoints(place[0], other, self._reach_m, place[1]):
                if self._is_at_face(place, contact[5]):
                    return self._hold(place, (other, contact[4]), contact[5])
        return None

    def _is_at_face(self, place: Place, point: Vector) -> bool:
        """Whether a point of the grabber is on its front."""
        center, rotation = pose_of(self._engine, place)
        inverse = (-rotation[0], -rotation[1], -rotation[2], rotation[3])
        ahead = turn(inverse, [a - b for a, b in zip(point, center, strict=True)])[1]
        return ahead > block_types()[GRABBER].size[2] / 4

    def _hold(self, place: Place, other: Place, point: Vector) -> _Grip:
        self._set_collision(place, other, False)
        return _Grip(*other, glue(self._engine, place, other, point))

    def _set_collision(self, place: Place, other: Place, collides: bool) -> None:
        self._engine.setCollisionFilterPair(place[0], other[0], place[1], other[1], collides)

    def _slips(self, grip: _Grip) -> bool:
        grip.forces.append(hypot(*self._engine.getConstraintState(grip.constraint)[:3]))
        if len(grip.forces) > self._steps:
            grip.forces.popleft()
        return len(grip.forces) == self._steps and sum(grip.forces) / self._steps > self._limit_n
