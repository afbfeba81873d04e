"""Editors that need no pointer: an answer of score 1 is made by keys alone, without any aid that judges or solves."""

import math
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import Qt

from spatial_workbench.app.frame.memory import collect_due
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.core.contract import packed
from spatial_workbench.engine.studies.planning.keyboard import BY_KEYS
from spatial_workbench.engine.tasks.interlocking_parts.solver import CLEARANCE
from spatial_workbench.engine.tasks.lego_hemisphere.brick import HEIGHT
from spatial_workbench.widgets.editing.nudging import way_on_screen
from spatial_workbench.widgets.editors.terrain_levelling.workpiece import LEAST_DEPTH_M
from tests import sweeps
from tests.editors.driving import HANDS

KEY = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
MOST_TABS = 80
SIDES = {(1, 0): KEY.Key_Right, (-1, 0): KEY.Key_Left, (0, 1): KEY.Key_Down, (0, -1): KEY.Key_Up}
SIDES_UP = {KEY.Key_Right: (1, 0), KEY.Key_Left: (-1, 0), KEY.Key_Up: (0, 1), KEY.Key_Down: (0, -1)}
AXES = (*(getattr(KEY, f"Key_{digit}") for digit in range(1, 10)), KEY.Key_0)


class Keys:
    """Presses keys: in the editor's view, or after `to` in a control of its tools that Tab leads to."""

    def __init__(self, qtbot, editor):
        self.qtbot = qtbot
        self.editor = editor
        self.at = editor.view

    def __call__(self, key, held=NONE, times=1):
        for _ in range(times):
            self.qtbot.keyClick(self.at, key, held)

    def to(self, name):
        """Presses Tab in the tools until the keyboard is at the control of that name."""
        tools = self.editor.tools.window()
        tools.activateWindow()
        self.at = tools.focusWidget() or tools
        for _ in range(MOST_TABS):
            if name in (self.at.accessibleName(), getattr(self.at, "text", lambda: "")()):
                break
            self.qtbot.keyClick(self.at, KEY.Key_Tab)
            self.at = tools.focusWidget() or tools
        else:
            raise AssertionError(f"Tab does not reach “{name}”")

    def type(self, text):
        """Types in place of what stands in the field."""
        self(KEY.Key_A, CONTROL)
        self.qtbot.keyClicks(self.at, text)

    def fill(self, numbers):
        """Types numbers into fields, by their names."""
        for name, value in numbers.items():
            self.to(name)
            self.type(f"{value:g}")
            self(KEY.Key_Return)

    def push(self, name):
        """Presses the button of that name."""
        self.to(name)
        self(KEY.Key_Space)


def shikaku(editor, answer, press):
    x, y = editor.cursor_cell
    for x0, y0, x1, y1 in answer.rectangles:
        press(KEY.Key_Right if x0 > x else KEY.Key_Left, times=abs(x0 - x))
        press(KEY.Key_Down if y0 > y else KEY.Key_Up, times=abs(y0 - y))
        press(KEY.Key_Right, SHIFT, x1 - x0)
        press(KEY.Key_Down, SHIFT, y1 - y0)
        press(KEY.Key_Return)
        x, y = editor.cursor_cell


def hamiltonian_loop(editor, answer, press):
    cells = [step.xy for step in answer.steps]
    x, y = editor.loop_cursor.cell
    goal_x, goal_y = cells[0]
    press(KEY.Key_Right if goal_x > x else KEY.Key_Left, times=abs(goal_x - x))
    press(KEY.Key_Down if goal_y > y else KEY.Key_Up, times=abs(goal_y - y))
    for before, after in pairwise([*cells, cells[0]]):
        press(SIDES[after[0] - before[0], after[1] - before[1]], SHIFT)


def classify_behaviour(editor, answer, press):
    keys = {"known behaviour": KEY.Key_1, "three domains meeting": KEY.Key_2, "ambiguous": KEY.Key_3}
    for label in answer.labels:
        press(keys[label])


def enumerate_edges(editor, answer, press):
    digits = (KEY.Key_0, KEY.Key_1, KEY.Key_2, KEY.Key_3)
    for edges in answer.edges:
        for edge in edges:
            for side in edge:
                press(digits[side])
        press(KEY.Key_Return if edges else KEY.Key_N)


def topology_enumeration(editor, answer, press):
    digits = (KEY.Key_0, KEY.Key_1, KEY.Key_2, KEY.Key_3)
    for pattern in answer.configs:
        for digit in pattern:
            press(digits[digit])
            press(KEY.Key_Right)
        press(KEY.Key_Return)


def hyper_snake(editor, answer, press):
    cells = [cell.pos for cell in answer.path]
    for before, after in pairwise(cells):
        axis = next(k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)
        press(AXES[axis], SHIFT if after[axis] < before[axis] else NONE)


def voxel_projection(editor, answer, press):
    for voxel in sorted(answer.voxels, key=lambda voxel: voxel.xyz[::-1]):
        x, y, z = voxel.xyz
        at_x, at_y, at_z = editor.layer.cursor_cell
        press(KEY.Key_PageUp if z > at_z else KEY.Key_PageDown, times=abs(z - at_z))
        press(KEY.Key_Right if x > at_x else KEY.Key_Left, times=abs(x - at_x))
        press(KEY.Key_Up if y > at_y else KEY.Key_Down, times=abs(y - at_y))
        press(KEY.Key_Space)


def maze_3d(editor, answer, press):
    rows = answer.maze.split("\n")
    press(KEY.Key_Left, times=len(rows))
    press(KEY.Key_Up, times=len(rows))
    for row in rows:
        for letter in row:
            key = getattr(KEY, f"Key_{letter}")
            press(key, SHIFT if letter in "AB" else NONE)
            press(KEY.Key_Right)
        press(KEY.Key_Left, times=len(rows))
        press(KEY.Key_Down)


def cube(editor, answer, press):
    for move in answer.moves:
        press(getattr(KEY, f"Key_{move[0]}"), SHIFT if move.endswith("'") else NONE)


def half_subdivision(editor, answer, press):
    press.to("Label")
    for label in answer.neighbors:
        press.type(label)
        press(KEY.Key_Return)


def delaunay(editor, answer, press):
    press.to("Points")
    for triangle in answer.triangles:
        press.type(" ".join(map(str, triangle)))
        press(KEY.Key_Return)


def hide_and_seek(editor, answer, press):
    for person in answer.people:
        press.fill(dict(zip("xy", person.xy, strict=True)))
        press.push("Place there")


def pack_prisms(editor, answer, press):
    sizes = [box_class.sides for box_class in editor.boxes.order.classes]
    for k, box in enumerate(answer.boxes):
        size = tuple(b - a for a, b in zip(box.XyzMin, box.XyzMax, strict=True))
        number = next(n for n, sides in enumerate(sizes) if sorted(sides) == sorted(size))
        press(KEY.Key_Period, times=(number - editor.next_box.tray.current) % len(sizes))
        press(KEY.Key_Return)
        for key, held in ((KEY.Key_R, NONE), (KEY.Key_R, SHIFT)) * 3:
            if tuple(size_of(editor, k)) != size:
                press(key, held)
        low = editor.boxes.corners[0][k]
        for axis, (forth, back) in enumerate(
            ((KEY.Key_Right, KEY.Key_Left), (KEY.Key_Up, KEY.Key_Down), (KEY.Key_PageUp, KEY.Key_PageDown))
        ):
            way = box.XyzMin[axis] - int(low[axis])
            press(forth if way > 0 else back, times=abs(way))


def size_of(editor, k):
    low, high = editor.boxes.corners
    return (high[k] - low[k]).tolist()


def printable_prime(editor, answer, press):
    for placed in answer.stack:
        press(getattr(KEY, f"Key_{placed.digit}"))
        for _ in range(6):
            if editor.digits.stack[-1] != placed:
                press(KEY.Key_R, SHIFT)


def csg_union(editor, answer, press):
    """The union of two boxes that touch is a box."""
    places = np.array([vertex.xyz for vertex in answer.polyhedron.vertex])
    low, high = places.min(axis=0), places.max(axis=0)
    names = ("x", "y", "z", "At x", "At y", "At z")
    press.fill(dict(zip(names, (*(high - low), *(low + high) / 2), strict=True)))
    press.push("Add solid")


def pipe_loop(editor, answer, press):
    points = np.array([[point.x, point.y] for point in answer.points])
    press(KEY.Key_Return)
    for way in np.diff(points, axis=0):
        press.fill({"Heading": np.degrees(np.arctan2(way[1], way[0]))})
        press.at = editor.view
        press(KEY.Key_Return)


def fluid_simulation(editor, answer, press):
    for work in answer.earthworks:
        press.at = editor.view
        press(KEY.Key_Return)
        bounds = zip("xyz", work.xyzMin, work.xyzMax, strict=True)
        for name, low, high in bounds:
            press.to(name)
            press.type(str(low))
            press(KEY.Key_Return)
            press(KEY.Key_Tab)
            press.at = press.at.window().focusWidget()
            press.type(str(high))
            press(KEY.Key_Return)


def machine(editor, answer, press):
    press(KEY.Key_T)
    press.at = editor.text.edit
    press.type(packed(editor.task, answer))
    editor.text.read_now()


def lego_hemisphere(editor, answer, press):
    """Layer by layer; each brick is brought to its place in steps of 8, 1 and 0.1 mm."""
    ways = {editor.hand.way_on_screen((*way, 0))[:2]: key for key, way in SIDES_UP.items()}
    for brick in sorted(answer.bricks, key=lambda brick: brick.Centroid[::-1]):
        layer = round((brick.Centroid[2] - HEIGHT / 2) / HEIGHT)
        press(KEY.Key_PageUp, times=max(0, layer - editor.piece.layer))
        press(KEY.Key_PageDown, times=max(0, editor.piece.layer - layer))
        press(KEY.Key_R, times=round((brick.RotationDegrees - editor.place_tool.angle_deg) % 360 / 90))
        for axis, (forth, back) in enumerate((((1, 0), (-1, 0)), ((0, 1), (0, -1)))):
            for step, held in ((8.0, NONE), (1.0, SHIFT), (0.1, Qt.KeyboardModifier.AltModifier)):
                while abs(lack := brick.Centroid[axis] - ghost_of(editor, press, ways)[axis]) >= step - 0.01:
                    press(ways[forth if lack > 0 else back], held)
        press(KEY.Key_Return)
        collect_due()  # thousands of keys in one test: no event loop does it meanwhile


def terrain_levelling(editor, answer, press):
    """The reference solution with depths in whole centimetres; what is less than 5 cm stays."""
    ways = {way_on_screen(editor.view, (*way, 0))[:2]: key for key, way in SIDES_UP.items()}
    press(ways[1, 0])
    press(ways[-1, 0])
    for x, y, depth in answer.charges:
        if depth < LEAST_DEPTH_M:
            continue
        at_x, at_y = editor.terrain_cursor.cell
        press(ways[1 if x > at_x else -1, 0], times=abs(x - at_x))
        press(ways[0, 1 if y > at_y else -1], times=abs(y - at_y))
        press.fill({"Depth": math.floor(100 * depth + 1e-6) / 100})
        press.at = editor.view
        press(KEY.Key_Return)
        collect_due()


def interlocking_parts(editor, answer, press):
    """The reference design for one panel a side: two plates, and panels whose corners interlock."""
    cage = editor.assembly.cage
    levels = cage.levels_at(cage.pitch)
    top = levels * cage.pitch
    rows = [cage.pitch * level - top / 2 for level in range(1, levels)]
    outer = cage.width + 2 * cage.bar
    add_panel(press, outer, outer, cage.pitch)
    for u, v in cage.axes:
        make_hole(press, 0, u, v)
    press.at = editor.view
    press(KEY.Key_D, CONTROL)
    stand_on(press, "top")
    for face, is_outer in (("south", True), ("east", False)):
        add_panel(press, outer, rows[-1] - rows[0] + cage.bar, cage.pitch)
        lengthen_columns(press, cage, top)
        interlock(press, cage, rows, top, is_outer)
        for u in (-cage.axis_offset, cage.axis_offset):
            make_hole(press, 1, u, 0)
        stand_on(press, face)
        press.fill({"z by": top / 2})
        press.push("Move")
        press.at = editor.view
        press(KEY.Key_D, SHIFT)


def add_panel(press, width, height, pitch):
    press.fill({"Width": width, "Height": height, "Pitch": pitch})
    press.at = press.editor.view
    press(KEY.Key_N)


def make_hole(press, kind, u, v):
    press.to("Hole")
    press(KEY.Key_Home)
    press(KEY.Key_Down, times=kind)
    press.fill({"Hole u": u, "Hole v": v})
    press.push("Make hole")


def stand_on(press, face):
    press.to("Stand on")
    faces = press.at
    press(KEY.Key_Down, Qt.KeyboardModifier.AltModifier)
    press.at = faces.view()
    press(KEY.Key_Down, times=faces.findText(face))
    press(KEY.Key_Return)


def change_box(press, button, u, v):
    press.fill({"u from": u[0], "u to": u[1], "v from": v[0], "v to": v[1]})
    press.push(button)


def lengthen_columns(press, cage, top):
    """The bars between the corners reach up and down to the plates."""
    end = (top - cage.bar) / 2 - CLEARANCE
    for u in np.arange(cage.pitch - cage.axis_offset, cage.axis_offset - 1, cage.pitch):
        change_box(press, "Add box", (u - cage.bar / 2, u + cage.bar / 2), (-end, end))


def interlock(press, cage, rows, top, is_outer):
    """A panel has the corners at its ends (outer) or those in the middle, and leaves the others to its neighbours."""
    joint = (rows[-2] + rows[-1]) / 2
    end = (top - cage.bar) / 2 - CLEARANCE
    for side in (-1, 1):
        corner = side * cage.width / 2, side * (cage.width / 2 + cage.bar)
        left_free = side * (cage.width / 2 - CLEARANCE), side * cage.width
        if is_outer:
            change_box(press, "Cut box", left_free, (-joint, joint))
        for up in (-1, 1):
            if is_outer:
                change_box(press, "Add box", corner, (up * joint, up * end))
            else:
                change_box(press, "Cut box", left_free, (up * (joint - CLEARANCE), up * top))


def ghost_of(editor, press, ways):
    if not editor.place_tool.is_shown:
        press(ways[1, 0])
    return editor.place_tool.pose


def tetrahedra_shadow(editor, answer, press):
    """The reference solution of the first target is squares; they may reach past its outline by up to 0.05."""
    press(KEY.Key_Q)
    for piece in answer.tetrahedrons:
        press.fill({"x": 1.001 * piece.x, "y": 1.001 * piece.y})
        press.push("Place there")


TYPED = {"polynomial_fit", "puzzle_hunt", "two_segments"}
"""Solved in a window (tests/app/studies/test_keyboard.py), where Tab leads to the fields."""
FAMILIES = {"cube": cube, "machine": machine}
BY_TASK = {name: FAMILIES.get(name.partition("_")[0], globals().get(name)) for name in sorted(BY_KEYS - TYPED)}


SMALL = {
    "interlocking_parts": "interlocking_parts@1?segments=1",
    "lego_hemisphere": "lego_hemisphere@1?inner_mm=20&outer_mm=40",
    "terrain_levelling": "terrain_levelling@1?n=12&octaves=2&scale=3",
}
"""Instances with fewer parts than the first published one."""
SLOW = {"fluid_simulation", "lego_hemisphere", "terrain_levelling"}
"""Thousands of keys are pressed for these."""
NAMES = [name for name in BY_TASK if sweeps.EVERYTHING or name not in SLOW]


@pytest.mark.parametrize("name", sweeps.some_tasks(NAMES, 9))
def test_an_answer_of_score_1_is_made_by_keys_alone(name, show_editor, qtbot):
    if name == "terrain_levelling":
        pytest.importorskip("pybullet", reason="the physics engine has no wheel for this platform")
    task, instance = resolve(SMALL.get(name, f"{name}:0"))
    editor = show_editor(task, instance, aids=HANDS)
    solution = task.solve(instance)
    BY_TASK[name](editor, solution, Keys(qtbot, editor))
    if BY_TASK[name] is machine:
        # Its score takes a simulation, which has a test of its own.
        assert editor.document.answer.blocks == solution.blocks
        return
    assert task.verify(instance, editor.document.answer).score == 1
