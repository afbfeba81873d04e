"""Lego hemispherical shell: build a dome of 2 x 4 bricks (a constructive task of SCBench).

Rules     bricks sit at layer heights, touch the shell, share no volume, click where they lie on each other, are all
          connected to the ground, and no connected part falls over (docs/tasks/lego_hemisphere.md)
Answer    bricks, each with its Centroid [x, y, z] in mm and RotationDegrees about +z
Score     raw / 0.65, clamped to 0..1, with raw = I/R - D / 2R: I the volume of the bricks inside the shell, D that of
          the difference (slivers of 0.05 mm forgiven), R that of the shell; 0 if a rule is broken
"""

from spatial_workbench.engine.tasks.lego_hemisphere.answer import Brick, Structure
from spatial_workbench.engine.tasks.lego_hemisphere.target import BrickShell
from spatial_workbench.engine.tasks.lego_hemisphere.task import LegoHemisphere, shell_of

__all__ = ["Brick", "BrickShell", "LegoHemisphere", "Structure", "shell_of"]
