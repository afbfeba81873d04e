"""The editor of hide and seek: a plan with the safe ground, what the cameras see, and the field in space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

from engine.core import Aid, Scene
from engine.core.scene import Floats, Item, Polygon, Polyline
from engine.core.words import counted
from engine.tasks.hide_and_seek import FARTHEST_DRAWN_M, Crowd, reasons
from engine.tasks.hide_and_seek.drawing import draw_plan
from engine.tasks.hide_and_seek.editing import pushed_apart, safe_ring, snapped, sprayed
from engine.tasks.hide_and_seek.field import PERSON_M, Field, overlapping_pairs, person_corners
from widgets.canvas2d import Canvas2D
from widgets.editing.editor import Editor
from widgets.editing.panel import ToolPanel
from widgets.editors.hide_and_seek.gestures import BlockTool, PlaceTool, SelectTool, SprayTool
from widgets.editors.hide_and_seek.pictures import CameraPane, Pictures, take_pictures
from widgets.view import SceneView, Tool

HINT = (
    "Click on the ground behind the building, as the sniper sees it, to place people.\n"
    "B fills a block, S sprays, A places everybody who is missing."
)
NUDGE_M = 0.05
LATER_MS = 25
RAYS_SHOWN = 12
_SQUARE = PERSON_M / 2 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
_ROLES = {"visible": "failed", "overlaps": "warning", "too far": "warning", "touches the building": "warning"}


class HideAndSeekEditor(Editor):
    """A crowd on a plan."""

    def prepare(self) -> None:
        self.field = Field.of(self.instance.parameters)
        self.spacing, self.spray_m = PERSON_M, 2.0
        self._snaps, self._fits, self._edges, self._pushes = True, True, False, False
        self._ring = safe_ring(self.field)
        self._snapped_to = ""
        self._is_taking, self._takes_again = False, False
        self._shows_safe = False

    def begin(self) -> None:
        if not len(self.centers):
            self.view.show_hint(HINT)

    # The frame of the editor -------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """The plan."""
        return Canvas2D()

    def central_widget(self) -> QWidget:
        """The plan; beside it the camera's picture above the field in space."""
        from widgets.viewport3d import Viewport3D

        self.space = Viewport3D()
        self.camera = CameraPane()
        side = QSplitter(Qt.Orientation.Vertical)
        side.addWidget(self.camera)
        side.addWidget(self.space)
        whole = QSplitter(Qt.Orientation.Horizontal)
        whole.addWidget(self.view)
        whole.addWidget(side)
        whole.setStretchFactor(0, 3)
        whole.setStretchFactor(1, 2)
        for splitter in (side, whole):
            splitter.setHandleWidth(1)
            splitter.setChildrenCollapsible(False)
        self.view.selection_changed.connect(self.space.set_selection)
        self.space.selection_changed.connect(self.view.set_selection)
        return whole

    def build_tools(self, tools: ToolPanel) -> None:
        """Three tools, commands, and how things snap."""
        self._tools = {"place": PlaceTool(self), "block": BlockTool(self), "spray": SprayTool(self),
                       "select": SelectTool(self)}  # fmt: skip
        tools.add_section("Tools")
        tools.add_tools(
            [
                self.add_action("Place", lambda: self.use("place"), "P", "place", "A click places a person"),
                self.add_action("Block", lambda: self.use("block"), "B", "array", "A drag fills a rectangle"),
                self.add_action(
                    "Spray",
                    lambda: self.use("spray"),
                    "S",
                    "brush",
                    "Hold the button: people are strewn over safe ground",
                    Aid.SOLVING,
                ),
                self.add_action("Select", lambda: self.use("select"), "V", "select", "Select, and drag to move"),
            ]
        )
        tools.add_section("People")
        fill = self.add_action(
            "Add all missing", self.fill, "A", "fill", "On free safe places, along the shadow's axis", Aid.SOLVING
        )
        remove = self.add_action(
            "Remove", self.remove_selected, "Delete, Backspace", "delete", "Take the selected away"
        )
        tools.add_tools([fill, remove], exclusive=False)
        tools.add_check(
            "Shadow and safe ground",
            False,
            self._show_safe,
            "Draw what the building hides, and where a person's centre is safe",
            Aid.SOLVING,
        )
        tools.add_section("Placing")
        tools.add_number("Spacing", self.spacing, (PERSON_M, 5.0), self._set_spacing, 0.05, 2, "m", "Of blocks")
        tools.add_number("Spray", self.spray_m, (0.5, 10.0), self._set_spray, 0.5, 1, "m", "Radius of the spray")
        tools.add_check("Snap to half metres", True, self._set_snapping, "Otherwise people stand where you click")
        tools.add_check("Snap to people", True, self._set_fitting,
                        "Contact with neighbours; Ctrl+Shift or Alt leaves it")  # fmt: skip
        tools.add_check("Snap to the safe edge", False, self._set_edging,
                        "The edge and the corners of the ground that nobody sees", Aid.SOLVING)  # fmt: skip
        tools.add_check("Push others aside", False, self._set_pushing,
                        "Where somebody stands already, others make room")  # fmt: skip
        for key, way in {"Right": (1, 0), "Left": (-1, 0), "Up": (0, 1), "Down": (0, -1)}.items():
            step = NUDGE_M * np.array(way)
            self.add_action(f"Move {key.lower()} 5 cm", lambda step=step: self.move_people(step, merges=True), key)
        self.use("place")

    def use(self, name: str) -> None:
        """Takes a tool in hand."""
        tool: Tool = self._tools[name]
        self.view.set_tool(tool)

    def make_scene(self) -> Scene:
        """The plan, everybody in the colour of what is wrong, and lines of sight to those who are seen."""
        found = reasons(self.field, self.centers)
        roles = [_ROLES.get(found.get(i, ""), "accent") for i in range(len(self.centers))]
        plan = self._without_help(draw_plan(self.field, self.centers, roles))
        seen = [i for i, reason in found.items() if reason == "visible"][:RAYS_SHOWN]
        items: tuple[Item, ...] = (*plan.items, *(self._line_of_sight(i) for i in seen))
        return Scene(items=items, unit=plan.unit, flat=True, bounds=plan.bounds)

    def redraw(self, reset_view: bool = False) -> None:
        """Draws the plan at once, the rest a moment later."""
        super().redraw(reset_view)
        if reset_view:
            self.space.set_scene(self._space_scene(), reset_view=True)
        self.later.start()

    def draw_later(self) -> None:
        """The field in space, and new pictures."""
        self.space.set_scene(self._space_scene())
        self.take_pictures()

    def _space_scene(self) -> Scene:
        return self._without_help(self.task.scene(self.instance, self.document.answer))

    def _without_help(self, scene: Scene) -> Scene:
        """The scene, without the shadow and the safe ground unless they were asked for."""
        if self._shows_safe:
            return scene
        items = tuple(item for item in scene.items if getattr(item, "id", "") not in ("shadow", "safe ground"))
        return replace(scene, items=items)

    def _show_safe(self, shown: bool) -> None:
        self._shows_safe = shown
        self.redraw()

    def take_pictures(self) -> None:
        """Asks for the pictures of both cameras; while they are made, the newest crowd waits."""
        if self._is_taking or not (np.abs(self.centers) < FARTHEST_DRAWN_M).all():
            self._takes_again = self._is_taking
            return
        self._is_taking = True
        job = "Taking pictures", take_pictures, dict(self.instance.parameters), self.centers
        self.runner.run(*job, done=self._pictures_arrived, failed=lambda _: self._pictures_arrived({}), quiet=True)

    def _pictures_arrived(self, pictures: Pictures) -> None:
        self._is_taking, again = False, self._takes_again
        self._takes_again = False
        self.camera.show_pictures(pictures)
        if again:
            self.take_pictures()

    def status(self) -> str:
        """How many, who can be seen, and by how much everybody is hidden."""
        centers, found = self.centers, reasons(self.field, self.centers)
        words = [f"{len(centers)} of {self.field.people} people"]
        for reason in ("visible", "overlaps", "touches the building", "too far"):
            count = sum(r == reason for r in found.values())
            if count:
                words.append(f"{count} {reason}")
        if self._snapped_to:
            words.append(f"snapped to {self._snapped_to}")
        if len(centers) and not found:
            words.append(f"hidden by at least {self.field.margins(centers).min():.2f} m")
        return " · ".join(words)

    def marked(self) -> Mapping[str, str]:
        """Colours tell already; nothing is marked on top of them."""
        return {}

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """The building, past which or through which people are seen."""
        return ("building",)

    def show_elements(self, ids: Iterable[str]) -> None:
        """Selects the same people in space."""
        ids = tuple(ids)
        super().show_elements(ids)
        self.space.set_selection(ids)

    # The crowd ---------------------------------------------------------------------------------------------------

    @property
    def centers(self) -> Floats:
        """Where people stand, (n, 2)."""
        return self.document.answer.centers

    @property
    def selected(self) -> list[int]:
        """The selected people."""
        places = [int(name.split()[1]) for name in self.view.selection if name.startswith("person ")]
        return sorted(i for i in places if i < len(self.centers))

    @property
    def missing(self) -> int:
        """How many are still to be placed."""
        return max(0, self.field.people - len(self.centers))

    def snapped(self, point: Floats) -> Floats:
        """The place that a pointer means: on the half-metre grid if snapping is on, else to the centimetre."""
        grid = PERSON_M if self._snaps else 0.01
        return np.round(np.asarray(point) / grid) * grid

    def aimed(self, point: Floats, others: Floats, reach: float, free: bool = False) -> Floats:
        """The place that a pointer means: beside somebody or on the edge of the safe ground, else on the grid."""
        self._snapped_to = ""
        if free:
            return np.round(point, 2)
        neighbours, ring = others if self._fits else others[:0], self._ring if self._edges else self._ring[:0]
        place, self._snapped_to = snapped(point, neighbours, ring, reach)
        return place if self._snapped_to else self.snapped(point)

    def aimed_step(self, person: int, step: Floats, reach: float, free: bool = False) -> Floats:
        """How far the selected people move for one of them to fit where it is dragged to."""
        goal = self.aimed(self.centers[person] + step, np.delete(self.centers, self.selected, axis=0), reach, free)
        return np.asarray(goal - self.centers[person])

    def sprayed(self, middle: Floats, strewn: Floats) -> Floats:
        """The people strewn so far, and more around a point."""
        there = np.vstack([self.centers, strewn])
        rng = np.random.default_rng(len(there))
        more = sprayed(self.field, there, middle, self.spray_m, self.missing - len(strewn), self.spacing, rng)
        return np.vstack([strewn, more])

    def refusal(self, place: Floats, others: Floats) -> str:
        """Why nobody may stand there; empty if somebody may. Being visible is no reason: it only costs."""
        if np.hypot(*place) > self.field.radius:
            return f"more than {self.field.radius:g} m from the middle"
        if self.field.touches_building(place[None])[0]:
            return "in the building"
        if len(others) and (np.abs(others - place) < PERSON_M - 1e-9).all(axis=1).any():
            return "somebody stands there"
        return ""

    def place(self, place: Floats) -> None:
        """Places a person, or says why not."""
        there = np.zeros((0, 2)) if self._pushes else self.centers
        why = self.refusal(place, there) or ("" if self.missing else "everybody is placed already")
        if why:
            self.message.emit(f"Nobody can be placed here: {why}.")
        else:
            self._put_apart("Place person", np.vstack([self.centers, place]), [len(self.centers)])

    def block(self, first: Floats, last: Floats) -> Floats:
        """Free places in a rectangle, as many as are missing."""
        low, high = np.minimum(first, last), np.maximum(first, last)
        xs, ys = (np.arange(low[a], high[a] + 1e-6, self.spacing) for a in (0, 1))
        grid = np.stack(np.meshgrid(xs[:200], ys[:200]), axis=-1).reshape(-1, 2)
        return self._free(grid)[: self.missing]

    def place_block(self, block: Floats) -> None:
        """Places people on all of these, as one step."""
        if len(block):
            self._put(f"Place {counted(len(block), 'person', 'people')}", np.vstack([self.centers, block]))
        else:
            self.message.emit("Nobody was placed: no free places there." if self.missing else "Everybody is placed.")

    def fill(self) -> None:
        """Places everybody who is missing on free safe places."""
        self.place_block(self._free(self.field.places(self.spacing))[: self.missing])

    def _free(self, grid: Floats) -> Floats:
        """The places of a grid where somebody may stand beside those who are there."""
        if not len(grid):
            return grid
        fits = (np.hypot(*grid.T) <= self.field.radius) & ~self.field.touches_building(grid)
        if len(self.centers):
            near = np.abs(grid[:, None] - self.centers[None]) < PERSON_M - 1e-9
            fits &= ~near.all(axis=2).any(axis=1)
        return grid[fits]

    def move_people(self, step: Floats, merges: bool = False) -> None:
        """Moves the selected people, unless they would overlap others or stand where nobody may."""
        chosen = self.selected
        if not chosen or not np.any(step):
            return
        moved = self.centers.copy()
        moved[chosen] = np.round(moved[chosen] + step, 7)
        others = np.zeros((0, 2)) if self._pushes else np.delete(moved, chosen, axis=0)
        why = next((why for i in chosen if (why := self.refusal(moved[i], others))), "")
        if why:
            self.message.emit(f"They cannot go there: {why}.")
            return
        self._put_apart("Move people", moved, chosen, merge=f"move {chosen}" if merges else "")

    def remove(self, ids: Iterable[str]) -> None:
        """Takes people away."""
        gone = [int(name.split()[1]) for name in ids if name.startswith("person ")]
        if gone:
            self.view.set_selection(())
            self._put("Remove people", np.delete(self.centers, gone, axis=0))

    def remove_selected(self) -> None:
        """Takes the selected people away."""
        self.remove(self.view.selection)

    def _put_apart(self, label: str, centers: Floats, fixed: list[int], merge: str = "") -> None:
        """Puts people in place; others make room if they are to be pushed."""
        apart = pushed_apart(self.field, centers, fixed) if self._pushes else centers
        if apart is None:
            self.message.emit("They cannot go there: the others have no room to make way.")
        else:
            self._put(label, apart, merge)

    def _put(self, label: str, centers: Floats, merge: str = "") -> None:
        self.edit(label, Crowd.of(centers), merge)

    # What is shown while something goes on -----------------------------------------------------------------------

    def show_ghost(self, places: Floats) -> None:
        """Shows people who would be placed; red, with the reason, where one may not."""
        there = np.zeros((0, 2)) if self._pushes else self.centers
        why = self.refusal(places[0], there) if len(places) == 1 else ""
        visible = self.field.visible_people(places) if len(places) else []
        self.view.set_ghost(
            [
                Polygon(id=f"ghost {k}", points=place + _SQUARE, color="failed" if seen else "accent", opacity=0.5)
                for k, (place, seen) in enumerate(zip(places, visible, strict=True))
            ],
            why,
        )
        self._snapped_to = self._snapped_to if len(places) else ""
        self.tell_status()

    def show_move(self, step: Floats) -> None:
        """Shows where the selected people would go."""
        chosen = self.selected
        moved = self.centers.copy()
        moved[chosen] += step
        bad = {i for pair in overlapping_pairs(moved) for i in pair}
        roles = ["failed" if i in bad else "accent" for i in chosen]
        self.view.set_ghost(
            [
                Polygon(id=f"ghost {i}", points=moved[i] + _SQUARE, color=role, opacity=0.5)
                for i, role in zip(chosen, roles, strict=True)
            ]
        )

    def _line_of_sight(self, i: int) -> Polyline:
        """From a corner that is seen towards the sniper, as far as the plan reaches."""
        corners = person_corners(self.centers[i : i + 1])[0]
        corner = corners[~self.field.hidden(corners)][-1, :2]
        way = np.array(self.field.sniper[:2]) - corner
        far = corner + way * min(1.0, 45.0 / max(np.hypot(*way), 1e-9))
        return Polyline(
            id=f"sight {i}", points=np.array([corner, far]), color="failed", width_px=1.0, dashed=True, pickable=False
        )

    def _set_spacing(self, metres: float) -> None:
        self.spacing = metres

    def _set_spray(self, metres: float) -> None:
        self.spray_m = metres

    def _set_fitting(self, fits: bool) -> None:
        self._fits = fits

    def _set_edging(self, edges: bool) -> None:
        self._edges = edges

    def _set_pushing(self, pushes: bool) -> None:
        self._pushes = pushes

    def _set_snapping(self, snaps: bool) -> None:
        self._snaps = snaps
