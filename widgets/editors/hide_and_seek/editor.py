"""The editor: the crowd on a plan, and beside it what the cameras see and the field in 3D."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.scene import Floats
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hide_and_seek import FARTHEST_DRAWN_M, MAX_PEOPLE, Crowd, reasons
from spatial_workbench.engine.tasks.hide_and_seek.drawing import draw_plan
from spatial_workbench.engine.tasks.hide_and_seek.editing import pushed_apart, safe_ring, snapped, sprayed
from spatial_workbench.engine.tasks.hide_and_seek.field import PERSON_M, CrowdField, overlapping_pairs
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Number,
    Numbers,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import Step, Way, nudges
from spatial_workbench.widgets.editing.selection import NumberedSelection, numbers_of
from spatial_workbench.widgets.editing.things import Things, ThingsEditing
from spatial_workbench.widgets.editors.hide_and_seek.drawing import draw_ghosts, lines_of_sight, without_help
from spatial_workbench.widgets.editors.hide_and_seek.gestures import (
    NOBODY,
    BlockTool,
    CrowdSelectTool,
    PlaceTool,
    SprayTool,
)
from spatial_workbench.widgets.editors.hide_and_seek.pictures import CameraPane, Pictures, take_pictures
from spatial_workbench.widgets.layouts import split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Click on the ground behind the building, as the sniper sees it, to place people.\nB fills a block."
FARTHEST_ASIDE = 8
"""Pasted people stand at most so many places beside where they were."""
STEPS_ASIDE = PERSON_M * np.array(
    sorted(
        product(range(-FARTHEST_ASIDE, FARTHEST_ASIDE + 1), repeat=2),
        key=lambda step: (step[0] ** 2 + step[1] ** 2, -step[0], -step[1]),
    )
)
"""The nearest first."""
RAYS_SHOWN = 12
_ROLES = {"visible": "failed", "overlaps": "warning", "touches the building": "warning", "too far": "warning"}


class HideAndSeekEditor(Editor[Crowd]):
    """Places a crowd on a plan."""

    links_selection = True

    def prepare(self) -> None:
        self.field = CrowdField.of(self.instance.parameters)
        self._spacing = Setting(PERSON_M, self.refresh)
        self._spray_m = Setting(2.0, self.refresh)
        self._snaps = Setting(True, self.refresh)
        self._fits = Setting(True, self.refresh)
        self._edges = Setting(False, self.refresh)
        self._pushes = Setting(False, self.refresh)
        self._shows_safe = Setting(False, self.redraw)
        self._place = PlaceTool(self)
        self._select = CrowdSelectTool(self)
        self._block = BlockTool(self)
        self._spray = SprayTool(self)
        self._ring = safe_ring(self.field)
        self._typed = [0.0, 0.0]
        self._snapped_to = ""
        self._is_taking = False
        self._takes_again = False

    def begin(self) -> None:
        if not len(self.centers):
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        view = Canvas2D()
        view.set_tool(self._place)
        return view

    def central_widget(self) -> QWidget:
        """The plan, and beside it the field in 3D; the camera's picture is added above that."""
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        self.selection = NumberedSelection(self.view, "person", lambda: len(self.centers))
        self.space = Viewport3D()
        self._side = split(self.space, shares=(0,), orientation=Qt.Orientation.Vertical)
        whole = split(self.view, self._side, shares=(3, 2))
        for splitter in (self._side, whole):
            splitter.setChildrenCollapsible(False)
        return whole

    def _make_camera(self) -> CameraPane:
        self.camera = CameraPane()
        return self.camera

    def list_controls(self) -> Iterable[Declared]:
        camera = CustomPart("Pictures of the camera", self._make_camera, aid=Aid.SOLVING)
        yield Bars(camera, place=partial(self._side.insertWidget, 0))
        strewn = "Hold the button to spray people over safe ground"
        yield Section(
            "Tools",
            Tools(
                self.view,
                ToolButton("Place", self._place, "P", "place", "Click to place a person"),
                ToolButton("Block", self._block, "B", "array", "Drag to fill a rectangle"),
                ToolButton("Spray", self._spray, "S", "brush", strewn, Aid.SOLVING),
                ToolButton("Select", self._select, "V", "select", "Select, and drag to move"),
            ),
        )
        free = "Fill free safe places, along the shadow's axis"
        gone = "Delete the selected people"
        safe = "Show what the building hides, and where a person's centre is safe"
        yield Section(
            "People",
            Buttons(
                Action("Add all missing", self.fill, "A", "fill", free, Aid.SOLVING),
                Action("Delete", self.remove_selected, "Delete, Backspace", "delete", gone, verb=Verb.DELETE),
            ),
            Switch("Shadow and safe ground", self._shows_safe.get, self._shows_safe.put, safe, Aid.SOLVING),
        )
        yield self._typed_controls()
        yield self._placing_controls()
        yield Keys(*nudges(self.nudge, [Step(0.05, " by 5 cm")]))
        yield ThingsEditing(self, self._things()).controls([Verb.DELETE])

    def _things(self) -> Things:
        return Things(
            name="people",
            selection=self.selection,
            part=lambda chosen: (Crowd.of(self.centers[chosen]), range(len(chosen))),
            add=lambda label, crowd, _: self._paste(label, crowd.centers),
            delete=self.remove_selected,
        )

    def _paste(self, label: str, places: Floats) -> None:
        """Adds people where they are or at the nearest places where all of them may stand, or says why not."""
        if not len(places):
            return
        count = len(self.centers)
        if len(places) > self.room:
            self.message.emit(f"Nobody was pasted: {self._full()}.")
            return
        goal = next((moved for step in STEPS_ASIDE if self._may_stand(moved := places + step)), None)
        if goal is None:
            self.message.emit("Nobody was pasted: there is no room for them near there.")
            return
        self._edit_centers(label, np.vstack([self.centers, np.round(goal, 7)]))
        self.selection.select(range(count, count + len(places)))

    def _may_stand(self, places: Floats) -> bool:
        gaps = np.abs(places[:, None] - self.centers[None]).max(axis=2)
        if gaps.size and gaps.min() < PERSON_M - 1e-9:
            return False
        return not any(self.refusal(place, NOBODY) for place in places)

    def _typed_controls(self) -> Section:
        reach = self.field.radius
        tip = "Where the next person is placed by the key"
        return Section(
            "Place by numbers",
            Numbers(
                "Place by numbers",
                "xy",
                lambda: self._typed,
                self._type_place,
                (-reach, reach),
                tip,
                PERSON_M,
                decimals=2,
                unit="m",
                columns=2,
            ),
            Buttons(Action("Place there", self.place_typed, "Return", "place", "Place a person at these numbers")),
        )

    def _type_place(self, axis: int, value: float) -> None:
        self._typed[axis] = value

    def place_typed(self) -> None:
        """Places a person where the numbers say."""
        self.place(np.array(self._typed))

    def _placing_controls(self) -> Section:
        spacing = self._spacing
        spray = self._spray_m
        least = PERSON_M
        grid = "Off: people stand exactly where you click"
        contact = "Place people side by side; hold Ctrl+Shift or Alt not to snap"
        edge = "Snap to the edge and the corners of the ground that the sniper does not see"
        room = "People who stand in the way make room"
        radius = "Radius of the spray"
        return Section(
            "Placing",
            Number("Spacing", spacing.get, spacing.put, (least, 5.0), "Distance between people", 0.05, 2, "m"),
            Number("Spray", spray.get, spray.put, (0.5, 10.0), radius, 0.5, 1, "m", aid=Aid.SOLVING),
            Switch("Snap to half metres", self._snaps.get, self._snaps.put, grid),
            Switch("Snap to people", self._fits.get, self._fits.put, contact),
            Switch("Snap to the safe edge", self._edges.get, self._edges.put, edge, Aid.SOLVING),
            Switch("Push others aside", self._pushes.get, self._pushes.put, room),
        )

    def make_scene(self) -> Scene:
        """The plan, with people coloured by what is wrong with them, and lines of sight to visible people."""
        wrong = self._reasons()
        roles = [_ROLES.get(wrong.get(i, ""), "accent") for i in range(len(self.centers))]
        plan = self._with_help(draw_plan(self.field, self.centers, roles))
        seen = [i for i, reason in wrong.items() if reason == "visible"][:RAYS_SHOWN]
        return replace(plan, items=(*plan.items, *lines_of_sight(self.field, self.centers, seen)))

    def redraw(self, reset_view: bool = False) -> None:
        """The other views are drawn a moment later than the plan."""
        super().redraw(reset_view)
        if reset_view:
            self.space.set_scene(self._space_scene(), reset_view=True)
        self.later.start()

    def draw_later(self) -> None:
        self.space.set_scene(self._space_scene())
        if self.judges and self.allows(Aid.SOLVING):
            self.take_pictures()
        elif self.allows(Aid.SOLVING):
            self.camera.show_pictures({})

    def _space_scene(self) -> Scene:
        return self._with_help(self.task.scene(self.instance, self.document.answer))

    def _with_help(self, scene: Scene) -> Scene:
        """The scene, with the shadow and the safe ground only if they are switched on."""
        return scene if self._shows_safe.value else without_help(scene)

    def take_pictures(self) -> None:
        """Requests the pictures of both cameras; if pictures are being made, requests new ones afterwards."""
        if self._is_taking or not (np.abs(self.centers) < FARTHEST_DRAWN_M).all():
            self._takes_again = self._is_taking
            return
        self._is_taking = True
        job = "Taking pictures", take_pictures, dict(self.instance.parameters), self.centers
        self.runner.run(*job, done=self._pictures_arrived, failed=lambda _: self._pictures_arrived({}), quiet=True)

    def _pictures_arrived(self, pictures: Pictures) -> None:
        self._is_taking = False
        again = self._takes_again
        self._takes_again = False
        self.camera.show_pictures(pictures if self.judges else {})
        if again:
            self.take_pictures()

    def status(self) -> str:
        count = f"{len(self.centers)} of {self.field.people} people" if self.allows(Aid.MEASURING) else ""
        fitted = f"snapped to {self._snapped_to}" if self._snapped_to else ""
        wrong = list(self._reasons().values())
        words = [f"{wrong.count(reason)} {reason}" for reason in _ROLES if reason in wrong]
        if self.judges and len(self.centers) and not wrong:
            words.append(f"hidden by at least {self.field.margins(self.centers).min():.2f} m")
        return " · ".join(filter(None, (count, fitted, *words)))

    def _reasons(self) -> Mapping[int, str]:
        """What is wrong with people, by their numbers; who can be seen only while wrong ones may be told."""
        if not self.allows(Aid.JUDGING):
            return {}
        return reasons(self.field, self.centers, with_sight=self.judges)

    def marked(self) -> Mapping[str, str]:
        """Nothing: the colours of people already show what is wrong."""
        return {}

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """The building, past which or through which people are seen."""
        return ("building",)

    # The crowd ---------------------------------------------------------------------------------------------------

    @property
    def centers(self) -> Floats:
        """Where people stand, (n, 2)."""
        return self.document.answer.centers

    @property
    def missing(self) -> int:
        """How many people are still to be placed."""
        return max(0, self.field.people - len(self.centers))

    @property
    def room(self) -> int:
        """How many more people may be placed by hand: those missing or, without judging, up to the answer's limit."""
        return self.missing if self.allows(Aid.JUDGING) else MAX_PEOPLE - len(self.centers)

    def snapped(self, point: Floats) -> Floats:
        """The nearest point of the half-metre grid, or of the centimetre grid if snapping is off."""
        grid = PERSON_M if self._snaps.value else 0.01
        return np.round(np.asarray(point) / grid) * grid

    def aimed(self, point: Floats, others: Floats, reach: float, free: bool = False) -> Floats:
        """The place to snap to: beside somebody or on the edge of the safe ground, or else on the grid."""
        self._snapped_to = ""
        if free:
            return np.round(point, 2)
        neighbours = others if self._fits.value else NOBODY
        ring = self._ring if self._edges.value else NOBODY
        place, self._snapped_to = snapped(point, neighbours, ring, reach)
        return place if self._snapped_to else self.snapped(point)

    def aimed_step(self, person: int, step: Floats, reach: float, free: bool = False) -> Floats:
        """How far the selected people move, so that the dragged person snaps to its place."""
        goal = self.aimed(
            self.centers[person] + step, np.delete(self.centers, self.selection.numbers, axis=0), reach, free
        )
        return np.asarray(goal - self.centers[person])

    def sprayed(self, middle: Floats, strewn: Floats) -> Floats:
        """The people sprayed so far, and more around a point."""
        neighbors = np.vstack([self.centers, strewn])
        rng = np.random.default_rng(len(neighbors))
        count = self.missing - len(strewn)
        radius = self._spray_m.value
        spacing = self._spacing.value
        return np.vstack([strewn, sprayed(self.field, neighbors, middle, radius, count, spacing, rng)])

    def refusal(self, place: Floats, others: Floats) -> str:
        """Why nobody may stand at a place, or "". Being visible is no reason: it only costs points."""
        if not self.allows(Aid.JUDGING):
            return ""
        if np.hypot(*place) > self.field.radius:
            return f"more than {self.field.radius:g} m from the middle"
        if self.field.touches_building(place[None])[0]:
            return "in the building"
        if len(others) and (np.abs(others - place) < PERSON_M - 1e-9).all(axis=1).any():
            return "somebody stands there"
        return ""

    def place(self, place: Floats) -> None:
        """Places a person, or says why not."""
        neighbors = NOBODY if self._pushes.value else self.centers
        why = self.refusal(place, neighbors) or ("" if self.room else self._full())
        if why:
            self.message.emit(f"Nobody can be placed here: {why}.")
        else:
            self._put_apart("Place person", np.vstack([self.centers, place]), [len(self.centers)])

    def block(self, first: Floats, last: Floats) -> Floats:
        """The places in a rectangle where people may stand, at most as many as may still be placed."""
        low, high = np.minimum(first, last), np.maximum(first, last)
        xs, ys = (np.arange(low[a], high[a] + 1e-6, self._spacing.value) for a in (0, 1))
        grid = np.stack(np.meshgrid(xs[:200], ys[:200]), axis=-1).reshape(-1, 2)
        return (self._free(grid) if self.allows(Aid.JUDGING) else grid)[: self.room]

    def _full(self) -> str:
        judged = self.allows(Aid.JUDGING)
        return "everybody has been placed" if judged else f"an answer may have at most {MAX_PEOPLE} people"

    def place_block(self, block: Floats) -> None:
        """Places people at all of these places, as one step."""
        if len(block):
            self._edit_centers(f"Place {counted(len(block), 'person', 'people')}", np.vstack([self.centers, block]))
        else:
            no_room = "Nobody was placed: there are no free places."
            self.message.emit(no_room if self.room else "Everybody has been placed.")

    def fill(self) -> None:
        """Adds everybody who is missing, on free safe places."""
        self.place_block(self._free(self.field.places(self._spacing.value))[: self.missing])

    def _free(self, grid: Floats) -> Floats:
        """The places where somebody may stand without overlapping anybody."""
        if not len(grid):
            return grid
        fits = (np.hypot(*grid.T) <= self.field.radius) & ~self.field.touches_building(grid)
        if len(self.centers):
            gaps = np.abs(grid[:, None] - self.centers[None]).max(axis=2).min(axis=1)
            fits &= gaps >= PERSON_M - 1e-9
        return np.asarray(grid[fits])

    def move_people(self, step: Floats, merges: bool = False) -> None:
        """Moves the selected people, unless they would overlap others or stand where nobody may."""
        chosen = self.selection.numbers
        if not chosen or not np.any(step):
            return
        moved = self.centers.copy()
        moved[chosen] = np.round(moved[chosen] + step, 7)
        others = NOBODY if self._pushes.value else np.delete(moved, chosen, axis=0)
        why = next((why for i in chosen if (why := self.refusal(moved[i], others))), "")
        if why:
            self.message.emit(f"They cannot go there: {why}.")
            return
        self._put_apart("Move people", moved, chosen, merge=f"move {chosen}" if merges else "")

    def nudge(self, way: Way, length_m: float) -> None:
        """Moves the selected people by a key."""
        self.move_people(length_m * np.array(way[:2]), merges=True)

    def remove(self, ids: Iterable[str]) -> None:
        """Deletes people."""
        gone = numbers_of(ids, "person")
        if gone:
            self.view.set_selection(())
            self._edit_centers("Delete people", np.delete(self.centers, gone, axis=0))

    def remove_selected(self) -> None:
        """Deletes the selected people."""
        self.remove(self.view.selection)

    def _put_apart(self, label: str, centers: Floats, fixed: list[int], merge: str = "") -> None:
        """Replaces the crowd; if others are pushed aside, they make room for the people in `fixed`."""
        apart = pushed_apart(self.field, centers, fixed) if self._pushes.value else centers
        if apart is None:
            self.message.emit("They cannot go there: the others have no room to move aside.")
        else:
            self._edit_centers(label, apart, merge)

    def _edit_centers(self, label: str, centers: Floats, merge: str = "") -> None:
        self.edit(label, Crowd.of(centers), merge)

    # Previews ----------------------------------------------------------------------------------------------------

    def show_ghost(self, places: Floats) -> None:
        """Shows people at these places as ghosts, and why a single person may not stand there."""
        neighbors = NOBODY if self._pushes.value else self.centers
        why = self.refusal(places[0], neighbors) if len(places) == 1 else ""
        judged = len(places) > 0 and self.judges
        seen = self.field.visible_people(places).tolist() if judged else [False] * len(places)
        self.view.set_ghost(draw_ghosts(places, seen), why)
        self._snapped_to = self._snapped_to if len(places) else ""
        self.update_status()

    def show_move(self, step: Floats) -> None:
        """Shows where the selected people would go."""
        chosen = self.selection.numbers
        moved = self.centers.copy()
        moved[chosen] += step
        bad = {i for pair in overlapping_pairs(moved) for i in pair} if self.allows(Aid.JUDGING) else ()
        self.view.set_ghost(draw_ghosts(moved[chosen], [i in bad for i in chosen]))
