"""Rubik's cube: solve it from one of four kinds of observation (CubeBench).

Answer    moves: quarter turns F F' B B' L L' R R' U U' D D', in order
Checks    every entry up to the end is a quarter turn; the cube is solved
Score     1 if it is solved, else 0

Moves are made until the cube is solved or an entry is not a move. The four tasks differ in what is seen: all 54
stickers as a string, or as a picture of the net; or a picture of one face, or of three faces from a corner, with a
camera that is moved by tools. All have the same 40 states.

The rules in full: docs/tasks/cube.md; the cube itself: docs/cube.md.

    answer        quarter turns
    commands      what can be done to a cube by editors, agents and other programs
    crosscheck    the cross-check by the cubie model: an answer is a product in the cube group
    drawing       a cube in space, and the turns of an answer as frames
    judging       carries out the moves of an answer and judges the result
    prompt        what a solver is told of the cube
    task          what the four cube tasks have in common: everything but the observation
"""

from collections.abc import Collection, Sequence
from typing import Any

from spatial_workbench.engine.core import Aid, Instance, Prompt, Scene
from spatial_workbench.engine.cube.geometry import NET_CELLS
from spatial_workbench.engine.cube.pictures import as_png, face_picture, net_picture, vertex_picture
from spatial_workbench.engine.cube.views import INITIAL_FACE_VIEW, INITIAL_VERTEX_VIEW, FaceView, VertexView
from spatial_workbench.engine.tasks.cube import prompt as say
from spatial_workbench.engine.tasks.cube.answer import CubeAnswer
from spatial_workbench.engine.tasks.cube.drawing import (
    draw_corner,
    draw_cube,
    draw_face,
    draw_flat,
    scene_of,
    while_turning,
)
from spatial_workbench.engine.tasks.cube.task import CubeTask, PartlySeenCube, start_of

__all__ = ["CubeAnswer", "CubeFaceView", "CubeFullSymbolic", "CubeFullVisual", "CubeVertexView", "start_of"]


class CubeFullSymbolic(CubeTask):
    """All 54 stickers as a string."""

    id = "cube_full_symbolic"
    title = "Cube: symbolic"
    summary = "Solve a scrambled Rubik's cube that is given as a string of 54 colour letters."
    setting = "full_symbolic"

    def prompt(self, instance: Instance) -> Prompt:
        return _prompt([say.goal(), say.net(), say.symbolic(start_of(instance)), say.moves(), say.form()])

    def state(self, instance: Instance, answer: CubeAnswer) -> Any:
        """The moves so far, and the stickers after them."""
        return {**super().state(instance, answer), "stickers": self.stickers_after(instance, answer)}

    def thumbnail(self) -> Scene:
        return scene_of(while_turning(start_of(self.instances()[PICTURED]), "R", 0.4))


class CubeFullVisual(CubeTask):
    """All 54 stickers as a picture of the net."""

    id = "cube_full_visual"
    title = "Cube: net"
    summary = "Solve a scrambled Rubik's cube that is given as a picture of its net."
    setting = "full_visual"

    def prompt(self, instance: Instance) -> Prompt:
        """The picture, how the net is laid out, the moves and the answer's form."""
        parts = [say.goal(), "The picture shows the state.", say.net(), say.moves(), say.form()]
        return _prompt(parts, [as_png(net_picture(start_of(instance)))])

    def sight(self, instance: Instance, answer: CubeAnswer, aids: Collection[Aid]) -> Scene:
        """The net after the moves."""
        return draw_flat(self.stickers_after(instance, answer), NET_CELLS)

    def thumbnail(self) -> Scene:
        return draw_flat(start_of(self.instances()[PICTURED]), NET_CELLS)


class CubeFaceView(PartlySeenCube):
    """A picture of one face at a time."""

    id = "cube_face_view"
    title = "Cube: one face"
    summary = "Solve a scrambled Rubik's cube that is seen one face at a time; the camera rolls over its edges."
    setting = "face_view"

    def prompt(self, instance: Instance) -> Prompt:
        """The first picture, how the camera moves, the moves and the answer's form."""
        picture = as_png(face_picture(start_of(instance), INITIAL_FACE_VIEW))
        return _prompt(_partly("the front face F, seen straight on with U above it"), [picture])

    def first_view(self) -> FaceView:
        return INITIAL_FACE_VIEW

    def sight_from(self, view: FaceView, instance: Instance, answer: CubeAnswer) -> Scene:
        """The nine stickers of the face in front."""
        return draw_face(self.stickers_after(instance, answer), view)

    def thumbnail(self) -> Scene:
        return draw_face(start_of(self.instances()[PICTURED]), INITIAL_FACE_VIEW)


class CubeVertexView(PartlySeenCube):
    """A picture of three faces at a time."""

    id = "cube_vertex_view"
    title = "Cube: one corner"
    summary = "Solve a scrambled Rubik's cube that is seen from a corner, three faces in perspective at a time."
    setting = "vertex_view"

    def prompt(self, instance: Instance) -> Prompt:
        """The first picture, how the camera moves, the moves and the answer's form."""
        picture = as_png(vertex_picture(start_of(instance), INITIAL_VERTEX_VIEW))
        what = "the faces U (above), F (left) and R (right), seen along the diagonal of the corner between them"
        return _prompt(_partly(what), [picture])

    def first_view(self) -> VertexView:
        return INITIAL_VERTEX_VIEW

    def sight_from(self, view: VertexView, instance: Instance, answer: CubeAnswer) -> Scene:
        """The 27 stickers around the corner in front, in perspective."""
        return draw_corner(self.stickers_after(instance, answer), view)

    def thumbnail(self) -> Scene:
        return draw_cube(start_of(self.instances()[PICTURED]))


PICTURED = 25
"""The instance on the catalogue's cards, a state of depth 12."""


def _partly(what: str) -> list[str]:
    return [say.goal(), say.looking_around(what), say.moves(), say.form()]


def _prompt(parts: Sequence[str], pictures: Sequence[bytes] = ()) -> Prompt:
    return Prompt("\n\n".join(parts), tuple(pictures))
