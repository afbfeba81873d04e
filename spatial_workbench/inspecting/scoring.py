"""Our verifiers as a scorer of Inspect. As in a batch, they run in other processes, and programs in the sandbox."""

from __future__ import annotations

import atexit
import itertools
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from threading import Lock
from typing import Any

import anyio
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.evaluation.attempt_lines import verdict_data
from spatial_workbench.engine.evaluation.failure_modes import explanation_as_list
from spatial_workbench.engine.evaluation.work import JUDGING_LIMIT_S
from spatial_workbench.engine.executor import ExecutorJob, Finished, JobOutcome, open_executor

_LOOK_S = 0.05


@scorer(metrics=[mean(), stderr()])
def verdict(verifier: str = "default") -> Scorer:
    """The score of a verifier, with its checks as the explanation; the metadata hold the verdicts of all verifiers."""

    async def score(state: TaskState, target: Target) -> Score:
        judged = await anyio.to_thread.run_sync(_judges().judge, [state.metadata["address"]], state.output.completion)
        verdicts = [Verdict.model_validate(data) for data in judged["verdicts"][state.metadata["address"]]]
        chosen = next(verdict for verdict in verdicts if verdict.verifier == verifier)
        return Score(
            value=chosen.score,
            answer=judged["answer"],
            explanation=explanation_as_list(chosen),
            metadata={
                "passed": chosen.passed,
                "verifier": chosen.verifier,
                "version": chosen.version,
                "checks": {check.name: check.state.value for check in chosen.checks},
                "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "verdicts": [verdict_data(verdict) for verdict in verdicts],
            },
        )

    return score


class Judges:
    """Processes that judge answers, asked from any thread."""

    def __init__(self) -> None:
        self._executor = open_executor()
        self._lock = Lock()
        self._numbers = itertools.count()
        self._finished: dict[str, Finished] = {}

    def judge(self, addresses: Sequence[str], text: str) -> dict[str, Any]:
        """What `spatial_workbench.engine.evaluation.work.judge` returns.

        Raises:
            RuntimeError: The answer could not be judged; says why.
        """
        key = f"judge:{next(self._numbers)}"
        arguments = {"addresses": list(addresses), "text": text}
        with self._lock:
            self._executor.submit(
                ExecutorJob(key, "spatial_workbench.engine.evaluation.work:judge", arguments, JUDGING_LIMIT_S)
            )
        finished = self._wait_for(key)
        if finished.outcome is not JobOutcome.DONE:
            raise RuntimeError(f"The verifier did not finish ({finished.outcome.value}). {finished.message}".strip())
        judged: dict[str, Any] = finished.value
        return judged

    def close(self) -> None:
        """Ends the processes."""
        self._executor.close()

    def _wait_for(self, key: str) -> Finished:
        while True:
            with self._lock:
                if key not in self._finished:
                    self._finished |= {done.key: done for done in self._executor.finished(_LOOK_S)}
                if key in self._finished:
                    return self._finished.pop(key)


@cache
def _judges() -> Judges:
    judges = Judges()
    atexit.register(judges.close)
    return judges
