"""Early fail: the first subtasks of a task are asked first, and the rest only if these went well enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spatial_workbench.engine.evaluation.planning.plan import EarlyFail
from spatial_workbench.engine.store import ItemState

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.running.units import Unit

_Key = tuple[int, int, str]


@dataclass
class _Gate:
    """What is known about a task, asked of one model in one repeat."""

    first: set[int] = field(default_factory=set)
    scores: dict[int, float] = field(default_factory=dict)
    held: list[Unit] = field(default_factory=list)


class Gates:
    """Holds units back until it is known whether they are asked; without the option of early fail it holds none."""

    def __init__(self, option: EarlyFail | None) -> None:
        self._option = option
        self._gates: dict[_Key, _Gate] = {}
        self._opened: list[Unit] = []
        self._refused: list[Unit] = []

    def add(self, unit: Unit, scores: Mapping[int, float]) -> None:
        """Adds a unit in any state, in the order of the plan; `scores` are those of finished items."""
        lead = unit.lead
        waits = lead.state is ItemState.WAITING
        if self._option is None:
            self._opened += [unit] if waits else []
            return
        gate = self._gates.setdefault((lead.model, lead.repeat, lead.task), _Gate())
        if len(gate.first) < self._option.samples:
            gate.first.add(lead.number)
            self._opened += [unit] if waits else []
            if lead.state.is_final:
                self.ended(unit, scores)
        elif waits:
            gate.held.append(unit)
            self._decide_gate(gate)

    def ended(self, unit: Unit, scores: Mapping[int, float]) -> None:
        """Notes that a unit has ended; items without a score count 0."""
        lead = unit.lead
        gate = self._gates.get((lead.model, lead.repeat, lead.task))
        if gate is not None and lead.number in gate.first:
            unit_scores = [scores.get(item.number, 0.0) for item in unit.items]
            gate.scores[lead.number] = sum(unit_scores) / len(unit_scores)
            self._decide_gate(gate)

    def opened(self) -> Iterable[Unit]:
        """The units that may be asked now; each is returned once."""
        opened = self._opened
        self._opened = []
        return opened

    def refused(self) -> Iterable[Unit]:
        """The units that will not be asked; each is returned once."""
        refused = self._refused
        self._refused = []
        return refused

    def _decide_gate(self, gate: _Gate) -> None:
        assert self._option is not None
        if len(gate.scores) < len(gate.first):
            return
        mean = sum(gate.scores.values()) / len(gate.scores)
        goes_on = mean >= self._option.threshold
        (self._opened if goes_on else self._refused).extend(gate.held)
        gate.held = []
