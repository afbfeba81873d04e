"""What the verdict says about each part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.interlocking_parts.drawing import matrix_of
from spatial_workbench.widgets.editors.interlocking_parts.assembly import Assembly
from spatial_workbench.widgets.scene_views.view import Pick


class CageMarks:
    """Words for parts; `verdict` returns the verdict on the current answer."""

    def __init__(self, assembly: Assembly, is_judged: bool, verdict: Callable[[], Verdict | None]) -> None:
        self._assembly = assembly
        self._is_judged = is_judged
        self._verdict = verdict

    @property
    def details(self) -> Mapping[str, Any] | None:
        """The details of the current verdict, if the answer may be judged."""
        verdict = self._verdict() if self._is_judged else None
        return verdict.details if verdict is not None and "criteria" in verdict.details else None

    def words_of_selection(self) -> Iterable[str]:
        """How many parts there are, and what is selected."""
        parts = self._assembly.parts
        chosen = self._assembly.selected
        wanted = self._assembly.cage.parts
        yield f"{len(parts)} of 1 part" if wanted == 1 else f"{len(parts)} of {wanted} parts"
        if len(chosen) == 1:
            x, y, z = matrix_of(parts[chosen[0]])[:3, 3].tolist()
            yield f"part {chosen[0]} at {x:g}, {y:g}, {z:g}"
        elif chosen:
            yield f"{len(chosen)} selected"

    def state_of(self, number: int) -> tuple[str, str]:
        """The state of a part: a word, and a sentence."""
        details = self.details
        verdict = self._verdict()
        if details is None or verdict is None or number >= len(details["made"]):
            return "", ""
        sentence = details["made"][number]
        if number in details["waiting"]:
            return "not run", sentence
        if sentence:
            return "no solid", sentence
        fails = f"part {number}" in verdict.failed_elements
        return (marked("fails"), "A check that failed names this part") if fails else (marked("ok"), "")

    def describe(self, pick: Pick) -> tuple[str, str]:
        """The text of the label beside the pointer for an element."""
        if not pick.id.startswith("part "):
            return pick.id.capitalize(), f"M{self._assembly.cage.rod:g}" if pick.id.startswith("rod") else ""
        number = int(pick.id.split()[1])
        part = self._assembly.parts[number]
        details = self.details
        rods = details["rods"].get(str(number)) if details else None
        held = f"held by {counted(len(rods), 'rod')}" if rods is not None else ""
        return f"Part {number}", " · ".join(filter(None, [str(part.form or part.fileType), held]))
