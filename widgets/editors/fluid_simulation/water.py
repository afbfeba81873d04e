"""The water that is shown: while it rains, after the rain, or where it could stay."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.tasks.fluid_simulation import Earthworks
from spatial_workbench.engine.tasks.fluid_simulation.drawing import RAIN_FRAMES, draw_rain
from spatial_workbench.engine.tasks.fluid_simulation.editing import meters, rain
from spatial_workbench.engine.tasks.fluid_simulation.goals import FluidMeter
from spatial_workbench.engine.tasks.fluid_simulation.rain import Rainfall
from spatial_workbench.engine.tasks.fluid_simulation.views import dry_of, water_of
from spatial_workbench.engine.tasks.fluid_simulation.world import Cells, from_flat
from spatial_workbench.widgets.editing.editor import Editor
from spatial_workbench.widgets.editing.runner import Job
from spatial_workbench.widgets.editors.fluid_simulation.worksite import Worksite


class FluidWater:
    """Plays the rain in an editor, and determines which water is shown."""

    def __init__(self, editor: Editor[Earthworks], site: Worksite) -> None:
        self._editor = editor
        self._document = editor.document
        self._site = site
        self._rainfall: Rainfall | None = None
        self._job: Job | None = None

    def play(self) -> None:
        """Computes the rain in another process, and plays it then."""
        self.forget()
        self._job = self._editor.runner.run(
            "Computing the rain",
            rain,
            dict(self._document.instance.parameters),
            self._document.answer,
            done=self._arrived,
        )

    def _arrived(self, rainfall: Rainfall) -> None:
        self._job = None
        scene = draw_rain(self._site.question, self._document.answer, RAIN_FRAMES, rainfall)
        if scene.frames:
            self._rainfall = rainfall
            self._editor.animation.play(scene)
        else:
            self._editor.message.emit("No water stays: every drop leaves the world.")

    def forget(self) -> None:
        """Ends what is computed and played: the world has changed."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._editor.animation.stop()
        self._rainfall = None

    def water(self) -> tuple[Cells, Cells, str]:
        """The shown water, the cells that could hold water but stay dry, and words for the moment of both."""
        nothing = np.zeros_like(self._site.feedback.capacity)
        playing = self._editor.animation.scene
        if playing is not None and self._rainfall is not None:
            drops = int(playing.frames[self._editor.timeline.index].time)
            return self._rainfall.water(drops), nothing, f"after {drops} drops"
        details = (
            self._editor.verdict.details
            if self._editor.verdict is not None and self._editor.allows(Aid.JUDGING)
            else {}
        )
        if "bodies" in details:
            return water_of(details, self._site.n), dry_of(details, self._site.n), "after the rain"
        return self._site.feedback.capacity, nothing, "if all that can fills"

    def meters(self, water: Cells) -> Sequence[FluidMeter]:
        """How far the goals are met with this water."""
        feedback = self._site.feedback
        return feedback.meters if water is feedback.capacity else meters(self._site.question, feedback.rock, water)

    def extent_of(self, element: str) -> list[str]:
        """What has to be in view to see an element: for a body of water, its outermost voxels too."""
        kind, _, number = element.partition(" ")
        verdict = self._document.verdict
        if kind != "body" or verdict is None or "bodies" not in verdict.details:
            return [element]
        cells = from_flat(verdict.details["bodies"][int(number)]["cells"], self._site.n)
        outermost = cells[np.concatenate([cells.argmin(axis=0), cells.argmax(axis=0)])]
        return [element, *(f"water {x},{y},{z}" for x, y, z in outermost.tolist())]
