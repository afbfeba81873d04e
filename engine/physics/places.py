"""Where blocks are in the engine: the body and link of each, and constraints between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

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
    """The pose of what is at a place."""
    return poses_at(engine, [place])[place]


def poses_at(engine: Engine, places: Iterable[Place]) -> dict[Place, Pose]:
    """The poses of what is at some places, with one question to the engine for each body.

    The engine answers with the links of the step before, unless it is told to compute them.
    """
    poses: dict[Place, Pose] = {}
    links: defaultdict[int, list[int]] = defaultdict(list)
    for body, link in places:
        if link < 0:
            poses[body, link] = engine.getBasePositionAndOrientation(body)
        else:
            links[body].append(link)
    for body, numbers in links.items():
        for link, state in zip(numbers, engine.getLinkStates(body, numbers, computeForwardKinematics=1), strict=True):
            poses[body, link] = state[0], state[1]
    return poses


def glue(engine: Engine, first: Place, second: Place, point: Vector) -> int:
    """Fixes what is at two places to each other, as they are now, at a point; returns the engine's constraint."""
    poses = [pose_of(engine, place) for place in (first, second)]
    inverses = [engine.invertTransform(*pose) for pose in poses]
    frames = [engine.multiplyTransforms(*inverse, point, (0, 0, 0, 1)) for inverse in inverses]
    between = engine.multiplyTransforms((0, 0, 0), inverses[0][1], (0, 0, 0), poses[1][1])[1]
    return int(
        engine.createConstraint(*first, *second, engine.JOINT_FIXED, (0, 0, 0), frames[0][0], frames[1][0], between)
    )
