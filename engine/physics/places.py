"""Where blocks are in the engine: the body and link of each, and constraints between them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.machines.blocks import Vector
from engine.physics.engine import Engine
from engine.physics.frames import Quaternion

Place = tuple[int, int]
"""A body and a link of it; the base is link -1."""
Places = Mapping[int, Place]
"""The places of blocks."""


def pose_of(engine: Engine, place: Place) -> tuple[Vector, Quaternion]:
    """The centre and the rotation of what is at a place."""
    body, link = place
    if link < 0:
        center, rotation = engine.getBasePositionAndOrientation(body)
    else:
        center, rotation = engine.getLinkState(body, link)[:2]
    return center, rotation


def glue(engine: Engine, first: Place, second: Place, point: Vector) -> int:
    """Fixes what is at two places to each other as they are now, at a point; the engine's constraint."""
    poses = [pose_of(engine, place) for place in (first, second)]
    inverses = [engine.invertTransform(*pose) for pose in poses]
    frames = [engine.multiplyTransforms(*inverse, point, (0, 0, 0, 1)) for inverse in inverses]
    between = engine.multiplyTransforms((0, 0, 0), inverses[0][1], (0, 0, 0), poses[1][1])[1]
    return int(
        engine.createConstraint(*first, *second, engine.JOINT_FIXED, (0, 0, 0), frames[0][0], frames[1][0], between)
    )
