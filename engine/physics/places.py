"""Where blocks are in the engine: the body and link of each, and constraints between them."""

from __future__ import annotations

from collections.abc import Mapping

from spatial_workbench.engine.machines.building.blocks import Vector
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import Quaternion

Place = tuple[int, int]
"""A body and a link of it; the base is link -1."""
Places = Mapping[int, Place]
"""The places of blocks."""


Pose = tuple[Vector, Quaternion]
"""A centre and a rotation."""


def pose_of(engine: Engine, place: Place) -> Pose:
    """The pose of the body or link at a place.

    The engine is told to compute the link, since by default it returns that of the step before.
    """
    body, link = place
    if link < 0:
        center, rotation = engine.getBasePositionAndOrientation(body)
    else:
        center, rotation = engine.getLinkState(body, link, computeForwardKinematics=1)[:2]
    return center, rotation


def glue(engine: Engine, first: Place, second: Place, point: Vector) -> int:
    """Fixes the bodies or links at two places to each other in their present poses; returns the engine's constraint.

    Args:
        point: Where they are fixed, in the world.
    """
    poses = [pose_of(engine, place) for place in (first, second)]
    inverses = [engine.invertTransform(*pose) for pose in poses]
    frames = [engine.multiplyTransforms(*inverse, point, (0, 0, 0, 1)) for inverse in inverses]
    between = engine.multiplyTransforms((0, 0, 0), inverses[0][1], (0, 0, 0), poses[1][1])[1]
    return int(
        engine.createConstraint(*first, *second, engine.JOINT_FIXED, (0, 0, 0), frames[0][0], frames[1][0], between)
    )
