"""Has answers judged, and puts them aside while the batch is paused."""

from __future__ import annotations

from collections import deque
from functools import partial

from spatial_workbench.engine.evaluation.agent_runs import PlayedRun
from spatial_workbench.engine.evaluation.running.jobs import MOST_PENDING, BatchJobs
from spatial_workbench.engine.evaluation.running.storing import BatchStore
from spatial_workbench.engine.evaluation.running.units import Unit
from spatial_workbench.engine.executor import Finished, JobOutcome


class BatchJudging:
    """The units that have been answered, until their verdicts are stored."""

    def __init__(self, store: BatchStore, jobs: BatchJobs, programs: bool) -> None:
        """`programs` says whether programs in answers may be run."""
        self._store = store
        self._jobs = jobs
        self._programs = programs
        self._answered: deque[Unit] = deque()
        self._put_aside: list[Unit] = []
        self._is_paused = False
        self._played: dict[int, PlayedRun] = {}

    @property
    def has_room(self) -> bool:
        """Whether more may be asked, because not too many answers wait to be judged."""
        return len(self._answered) < MOST_PENDING

    @property
    def is_waiting(self) -> bool:
        """Whether there are answers that have not been submitted."""
        return bool(self._answered)

    def add(self, unit: Unit, played: PlayedRun | None = None) -> None:
        """Adds a unit that has been answered; `played` is the run if an agent answered it."""
        if played is not None:
            # The replies are stored. If the process ended now, the run would be replayed from them; no model is asked.
            self._played[unit.lead.number] = played
        self._answered.append(unit)

    def judge_more(self) -> None:
        """Submits answers to be judged, as far as there is room."""
        while self._answered and self._jobs.has_room:
            unit = self._answered.popleft()
            self._store.store(unit, partial(self._submit_answer, unit))

    def pause(self) -> None:
        """Puts answers to single questions aside, since they are stored; runs of agents are judged nevertheless."""
        self._is_paused = True
        self._put_aside += [unit for unit in self._answered if unit.lead.number not in self._played]
        self._answered = deque(unit for unit in self._answered if unit.lead.number in self._played)

    def resume(self) -> None:
        """Returns the answers that were put aside to the queue; the batch goes on before its process has ended."""
        self._is_paused = False
        self._answered += self._put_aside
        self._put_aside.clear()

    def _submit_answer(self, unit: Unit) -> None:
        played = self._played.get(unit.lead.number)
        text = self._store.answer_text(unit) if played is None else played.answer
        arguments = {"addresses": [item.address for item in unit.items], "text": text, "programs": self._programs}
        self._jobs.submit("judge", arguments, unit, self._store_judged)

    def _store_judged(self, unit: Unit, finished: Finished) -> None:
        if finished.outcome is JobOutcome.CANCELLED:
            (self._put_aside if self._is_paused else self._answered).append(unit)
            return
        if finished.outcome is not JobOutcome.DONE:
            self._store.fail(unit, f"verifier {finished.outcome}", finished.message, finished.outcome)
            return
        self._store.add_attempts(unit, finished.value, self._played.get(unit.lead.number))
        self._played.pop(unit.lead.number, None)
