"""The editor: the crowd on a plan, and beside it what the cameras see and the field in 3D."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core import Aid, Scene
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.tasks.hide_and_seek import Crowd
from spatial_workbench.engine.tasks.hide_and_seek.drawing import draw_plan, without_help
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    CustomPart,
    Declared,
    Keys,
    Section,
    Setting,
    Switch,
    ToolButton,
    Tools,
    Verb,
)
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.nudging import Step, nudges
from spatial_workbench.widgets.editing.things import Things, ThingsEditing, delete_button
from spatial_workbench.widgets.editors.hide_and_seek.aiming import CrowdAim
from spatial_workbench.widgets.editors.hide_and_seek.commands import CrowdCommands
from spatial_workbench.widgets.editors.hide_and_seek.controls import placing_section, typed_section
from spatial_workbench.widgets.editors.hide_and_seek.crowd import PlacedCrowd
from spatial_workbench.widgets.editors.hide_and_seek.drawing import lines_of_sight
from spatial_workbench.widgets.editors.hide_and_seek.gestures import (
    BlockTool,
    CrowdSelectTool,
    PlaceTool,
    SprayTool,
)
from spatial_workbench.widgets.editors.hide_and_seek.ghost import CrowdGhost
from spatial_workbench.widgets.editors.hide_and_seek.pictures import CameraPane, CameraPictures
from spatial_workbench.widgets.layouts import split
from spatial_workbench.widgets.scene_views.canvas2d import Canvas2D
from spatial_workbench.widgets.scene_views.view import SceneView

HINT = "Click on the ground behind the building, as the sniper sees it, to place people.\nB fills a block."
RAYS_SHOWN = 12
_ROLES = {"visible": "failed", "overlaps": "warning", "touches the building": "warning", "too far": "warning"}


class HideAndSeekEditor(Editor[Crowd]):
    """Places a crowd on a plan."""

    links_selection = True

    def prepare(self) -> None:
        self._shows_safe = Setting(False, self.redraw)

    def begin(self) -> None:
        if not len(self.crowd.centers):
            self.view.show_hint(HINT)

    # Views and controls ------------------------------------------------------------------------------------------

    def make_view(self) -> SceneView:
        """Also makes the objects that work on the crowd."""
        view = Canvas2D()
        self.crowd = PlacedCrowd(self.document, view, self.message.emit, self.allows(Aid.JUDGING), lambda: self.judges)
        self.aim = CrowdAim(self.crowd, self.refresh)
        self.commands = CrowdCommands(self.crowd, self.aim, self.message.emit)
        ghost = CrowdGhost(view, self.crowd, self.aim, self.update_status)
        self._place = PlaceTool(self.crowd, self.aim, self.commands, ghost)
        self._select = CrowdSelectTool(self.aim, self.commands, ghost)
        self._block = BlockTool(self.aim, self.commands, ghost)
        self._spray = SprayTool(self.aim, self.commands, ghost)
        view.set_tool(self._place)
        return view

    def central_widget(self) -> QWidget:
        """The plan, and beside it the field in 3D; the camera's picture is added above that."""
        from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

        self.space = Viewport3D()
        self._side = split(self.space, shares=(0,), orientation=Qt.Orientation.Vertical)
        whole = split(self.view, self._side, shares=(3, 2))
        for splitter in (self._side, whole):
            splitter.setChildrenCollapsible(False)
        return whole

    def _make_camera(self) -> CameraPane:
        self.pictures = CameraPictures(self.crowd, self.runner, dict(self.instance.parameters))
        return self.pictures.pane

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
                Action("Add all missing", self.commands.add_missing, "A", "fill", free, Aid.SOLVING),
                delete_button(self.commands.remove_selected, gone),
            ),
            Switch("Shadow and safe ground", self._shows_safe.get, self._shows_safe.put, safe, Aid.SOLVING),
        )
        yield typed_section(self.crowd, self.commands)
        yield placing_section(self.crowd, self.aim)
        yield Keys(*nudges(self.commands.nudge, [Step(0.05, marked("{way} by 5 cm"))]))
        yield ThingsEditing(self, self._things()).controls([Verb.DELETE])

    def _things(self) -> Things:
        return Things(
            name="people",
            selection=self.crowd.selection,
            part=lambda chosen: (Crowd.of(self.crowd.centers[chosen]), range(len(chosen))),
            add=lambda label, crowd, _: self.commands.paste(label, crowd.centers),
            delete=self.commands.remove_selected,
        )

    def make_scene(self) -> Scene:
        """The plan, with people coloured by what is wrong with them, and lines of sight to visible people."""
        wrong = self.crowd.reasons()
        roles = [_ROLES.get(wrong.get(i, ""), "accent") for i in range(len(self.crowd.centers))]
        plan = self._with_help(draw_plan(self.crowd.field, self.crowd.centers, roles))
        seen = [i for i, reason in wrong.items() if reason == "visible"][:RAYS_SHOWN]
        return replace(plan, items=(*plan.items, *lines_of_sight(self.crowd.field, self.crowd.centers, seen)))

    def redraw(self, reset_view: bool = False) -> None:
        """The other views are drawn a moment later than the plan."""
        super().redraw(reset_view)
        if reset_view:
            self.space.set_scene(self._space_scene(), reset_view=True)
        self.later.start()

    def draw_later(self) -> None:
        self.space.set_scene(self._space_scene())
        if self.judges and self.allows(Aid.SOLVING):
            self.pictures.request_pictures()
        elif self.allows(Aid.SOLVING):
            self.pictures.clear()

    def _space_scene(self) -> Scene:
        return self._with_help(self.task.scene(self.instance, self.document.answer))

    def _with_help(self, scene: Scene) -> Scene:
        """The scene, with the shadow and the safe ground only if they are switched on."""
        return scene if self._shows_safe.value else without_help(scene)

    def status(self) -> str:
        count = f"{len(self.crowd.centers)} of {self.crowd.field.people} people" if self.allows(Aid.MEASURING) else ""
        fitted = f"snapped to {self.aim.snapped_to}" if self.aim.snapped_to else ""
        wrong = list(self.crowd.reasons().values())
        words = [_count_in_words(reason, wrong.count(reason)) for reason in _ROLES if reason in wrong]
        if self.judges and len(self.crowd.centers) and not wrong:
            words.append(f"hidden by at least {self.crowd.field.margins(self.crowd.centers).min():.2f} m")
        return " · ".join(filter(None, (count, fitted, *words)))

    def marked(self) -> Mapping[str, str]:
        """Nothing: the colours of people already show what is wrong."""
        return {}

    def context_of(self, ids: Sequence[str]) -> Sequence[str]:
        """The building, past which or through which people are seen."""
        return ("building",)


def _count_in_words(reason: str, count: int) -> str:
    """With how many people something is wrong."""
    words = {
        "visible": f"{count} visible",
        "overlaps": f"{count} overlaps",
        "touches the building": f"{count} touches the building",
        "too far": f"{count} too far",
    }
    return words[reason]
