"""The limits of a session: what is left of items, pauses, breaks, sittings and the whole."""

from __future__ import annotations

from spatial_workbench.engine.studies.planning.document import (
    ItemKind,
    ItemPhase,
    StudyItem,
)
from spatial_workbench.engine.studies.sessions.sitting_state import MAIN, SittingState

AGENT_LIMIT_S = 1_800
AGENT_STEPS = 20
"""What agents have, for people who play as they do, unless the study says otherwise."""


class SittingLimits:
    """What the limits of the study say now."""

    def __init__(self, state: SittingState) -> None:
        self._state = state

    @property
    def remaining_ms(self) -> int | None:
        """What is left of the limit of the present item, or of the whole study if that is less."""
        return None if self._state.run is None else self._state.run.remaining_ms

    @property
    def ms_until_submit(self) -> int:
        """How long one cannot submit yet."""
        if self._state.run is None or self._state.item.phase not in MAIN:
            return 0
        return max(0, round(1000 * self._state.study.limits.min_s) - self._state.run.times.active)

    @property
    def submissions_left(self) -> int:
        """How many answers can still be handed in."""
        return 0 if self._state.run is None else self._state.run.allowed - len(self._state.run.record.submissions)

    @property
    def sittings_left(self) -> int:
        """How many sittings follow the present one."""
        return self._state.study.limits.sittings - self._state.number

    @property
    def break_left_ms(self) -> tuple[int, int | None]:
        """How long the break lasts at least, and at most, from now on."""
        limits = self._state.study.limits
        spent = self._state.clock.last.b - self._state.page_since
        longest = None if limits.break_max_s is None else max(0, round(1000 * limits.break_max_s) - spent)
        return max(0, round(1000 * limits.break_min_s) - spent), longest

    def pause_is_used_up(self) -> bool:
        """Whether the pauses that the study allows were taken."""
        total_s = self._state.study.limits.pauses.total_s
        return total_s is not None and self._state.paused_ms >= 1000 * total_s

    @property
    def _time_factor(self) -> float:
        return self._state.head.accommodations.time_factor

    def total_left_ms(self) -> int | None:
        """What is left of the limit of the whole study; None: there is none."""
        total_s = self._state.study.limits.total_s
        if total_s is None:
            return None
        return max(0, round(1000 * total_s * self._time_factor) - self._state.active_where(lambda i: i.phase in MAIN))

    def total_is_over(self) -> bool:
        """Whether no further item is shown."""
        return self.total_left_ms() == 0 or self._sittings_are_used_up()

    def sitting_is_over(self) -> bool:
        """Whether the present sitting is over, and another one follows."""
        sitting_s = self._state.study.limits.sitting_s
        if sitting_s is None:
            return False
        over = self._state.active_ms - self._state.sitting_began_active >= 1000 * sitting_s * self._time_factor
        return over and self.sittings_left > 0

    def _sittings_are_used_up(self) -> bool:
        sitting_s = self._state.study.limits.sitting_s
        if sitting_s is None or self.sittings_left > 0:
            return False
        return self._state.active_ms - self._state.sitting_began_active >= 1000 * sitting_s * self._time_factor

    def limit_ms(self, item: StudyItem) -> int | None:
        """The limit of an item; None: there is none."""
        default = self._state.study.limits.item_s if item.phase in MAIN else None
        if default is None and item.phase in MAIN and self._plays_as_agent:
            default = AGENT_LIMIT_S
        seconds = item.limit_s if item.limit_s is not None else default
        return None if seconds is None else round(1000 * seconds * self._time_factor)

    def allowed(self, item: StudyItem) -> int:
        """How many answers to an item can be handed in."""
        if item.phase is ItemPhase.COMPREHENSION:
            return item.tries
        if item.kind is not ItemKind.INSTANCE:
            return 1
        default = self._state.study.limits.submissions if item.phase in MAIN else 1
        return item.submissions or default

    @property
    def _plays_as_agent(self) -> bool:
        """Whether the person plays what an agent plays, with no more aids than it has."""
        is_instance = self._state.item.kind is ItemKind.INSTANCE
        return self._state.condition.answer == "text" and is_instance and not self._state.is_typed

    def steps(self) -> int | None:
        """How many moves there are, after which the answer is handed in; None: as many as one likes."""
        return self._state.condition.steps or (AGENT_STEPS if self._plays_as_agent else None)
