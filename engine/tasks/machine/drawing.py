"""Draws levels and machines: each block exactly as it collides, in metres, x right, y forward, z up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from engine.core import Scene, Verdict
from engine.core.scene import Floats, Ground, Ints, Item, Label, Mesh, Polyline, RigidBodies
from engine.geometry.primitives import box_mesh, cylinder_mesh, sphere_mesh
from engine.machines.blocks import BlockType, Shape, block_types, quaternions
from engine.machines.level import Level, Obstacle, Target
from engine.machines.poses import kind_of, link_ends, poses_of
from engine.machines.spatial import placed_poses
from engine.machines.tree import Link, Tree
from engine.physics.frames import matrices, swapped, swapped_all, swapped_rotation

Surface = tuple[Floats, Ints]
