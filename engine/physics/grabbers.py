"""Grabbers: each holds the first thing that comes near its face, as long as it is switched on (docs/machines.md)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import hypot

from spatial_workbench.engine.machines.building.blocks import GRABBER, Vector, block_types
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.motion import Motion
from spatial_workbench.engine.physics.outside import Hold
from spatial_workbench.engine.physics.places import Place, Places, glue


@dataclass(eq=False)
class _Grip:
    """What a grabber holds: the body and link, and how."""

    body: int
    link: int
    hold: Hold
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
        self._places: Places = {}
        self._others: Mapping[int, Collection[int]] = {}

    @property
    def blocks(self) -> Collection[int]:
        """The grabbers."""
        return self._grips.keys()

    def replace_bodies(self, motion: Motion, places: Places, others: Mapping[int, Collection[int]]) -> None:
        """Makes new bodies known, of which each grabber may hold `others`, after everything was let go."""
        self._motion = motion
        self._places = places
        self._others = others

    def update(self, is_on: bool) -> None:
        """Grips or lets go after a step.

        A grabber whose grip slipped grips nothing until it has been switched off.
        """
        for block, grip in self._grips.items():
            if not is_on:
                self.release(block)
                self._slipped.discard(block)
            elif grip is None and block not in self._slipped:
                self._grips[block] = self._grip(block)
            elif grip is not None and self._slips(grip):
                self.release(block)
                self._slipped.add(block)

    def release_all(self) -> None:
        """Lets go of everything, since bodies are about to be replaced."""
        for block in self._grips:
            self.release(block)

    @property
    def holds(self) -> list[Hold]:
        """All grips."""
        return [grip.hold for grip in self._grips.values() if grip is not None]

    def release(self, block: int) -> None:
        """Lets go of what one grabber holds."""
        grip = self._grips[block]
        if grip is not None:
            self._engine.removeConstraint(grip.hold.number)
            self._set_collision(self._places[block], (grip.body, grip.link), True)
            self._grips[block] = None

    def _grip(self, block: int) -> _Grip | None:
        body, link = self._places[block]
        for other in self._others[block]:
            for contact in self._engine.getClosestPoints(body, other, self._reach_m, link):
                if self._is_at_face(block, contact[5]):
                    return self._hold(block, (other, contact[4]), contact[5])
        return None

    def _is_at_face(self, block: int, point: Vector) -> bool:
        """Whether a point of the grabber is on its front."""
        row = self._motion.row_of[block]
        local = self._motion.local(row, point) - self._motion.centers[row]
        ahead = float(self._motion.block_turns[row][:, 1] @ local)
        return ahead > block_types()[GRABBER].size[2] / 4

    def _hold(self, block: int, other: Place, point: Vector) -> _Grip:
        motion = self._motion
        self._set_collision(self._places[block], other, False)
        part = motion.parts[motion.part_of[motion.row_of[block]]]
        first = self._places[block][0], part.link
        held = next((held for held, place in self._places.items() if place == other), None)
        blocks = (block,) if held is None else (block, held)
        ends = tuple((end, motion.local(motion.row_of[end], point)) for end in blocks)
        return _Grip(*other, Hold(glue(self._engine, first, other, point), ends))

    def _set_collision(self, place: Place, other: Place, collides: bool) -> None:
        self._engine.setCollisionFilterPair(place[0], other[0], place[1], other[1], collides)

    def _slips(self, grip: _Grip) -> bool:
        grip.forces.append(hypot(*self._engine.getConstraintState(grip.hold.number)[:3]))
        if len(grip.forces) > self._steps:
            grip.forces.popleft()
        return len(grip.forces) == self._steps and sum(grip.forces) / self._steps > self._limit_n
