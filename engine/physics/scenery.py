"""Levels in the physics engine: ground, obstacles and balls (docs/machines.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_workbench.engine.machines.building.blocks import constants
from spatial_workbench.engine.machines.levels.level import Ball, Level, Obstacle
from spatial_workbench.engine.physics.engine import Engine
from spatial_workbench.engine.physics.frames import swapped, swapped_rotation


class Scenery:
    """The surroundings of the machine in one world: ground, obstacles and balls."""

    def __init__(self, engine: Engine, level: Level) -> None:
        self._engine = engine
        self.rough: set[int] = set()
        """The bodies with rolling friction."""
        self.ground = frozenset(self._make_ground(level))
        """The bodies whose touch ends a flight."""

    def _make_ground(self, level: Level) -> list[int]:
        ground = [self._make_plane()] if level.has_plane else []
        for obstacle in level.obstacles:
            number = self._make_obstacle(obstacle)
            if obstacle.is_ground:
                ground.append(number)
        return ground

    def _make_plane(self) -> int:
        engine = self._engine
        world = constants()["physics"]
        shape = engine.createCollisionShape(engine.GEOM_PLANE)
        number = engine.createMultiBody(0, shape)
        friction = world["ground_friction"]
        restitution = world["ground_restitution"]
        engine.changeDynamics(number, -1, lateralFriction=friction, restitution=restitution)
        return int(number)

    def _make_obstacle(self, obstacle: Obstacle) -> int:
        engine = self._engine
        shape = engine.createCollisionShape(**self._shape(obstacle))
        center = swapped(obstacle.center)
        rotation = swapped_rotation(obstacle.rotation)
        number = engine.createMultiBody(0, shape, -1, center, rotation)
        engine.changeDynamics(
            number,
            -1,
            lateralFriction=obstacle.friction,
            restitution=obstacle.restitution,
            rollingFriction=obstacle.rolling_friction,
        )
        if obstacle.rolling_friction:
            self.rough.add(int(number))
        return int(number)

    def _shape(self, obstacle: Obstacle) -> dict[str, Any]:
        engine = self._engine
        if obstacle.kind == "box":
            half = (np.array(swapped(obstacle.size)) / 2).tolist()
            return {"shapeType": engine.GEOM_BOX, "halfExtents": half}
        if obstacle.kind == "cylinder":
            # The engine's cylinders lie along its z, these along the machine's, which is its y.
            upright = [0.5**0.5, 0.0, 0.0, 0.5**0.5]
            size = {"radius": obstacle.radius, "height": obstacle.length}
            return {"shapeType": engine.GEOM_CYLINDER, "collisionFrameOrientation": upright} | size
        vertices = [swapped(vertex) for vertex in obstacle.vertices]
        return {"shapeType": engine.GEOM_MESH, "vertices": vertices}

    def make_ball(self, ball: Ball) -> int:
        """Makes the body of a ball, which is free to move; returns its number."""
        engine = self._engine
        inertia = 0.4 * ball.mass * ball.radius**2
        shape = engine.createCollisionShape(engine.GEOM_SPHERE, radius=ball.radius)
        number = engine.createMultiBody(ball.mass, shape, -1, swapped(ball.center))
        engine.changeDynamics(
            number,
            -1,
            localInertiaDiagonal=(inertia,) * 3,
            lateralFriction=ball.friction,
            restitution=ball.restitution,
            rollingFriction=ball.rolling_friction,
            spinningFriction=ball.spinning_friction,
            linearDamping=0,
            angularDamping=0,
        )
        if ball.rolling_friction or ball.spinning_friction:
            self.rough.add(int(number))
        return int(number)
