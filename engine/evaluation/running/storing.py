"""Stores the steps of a batch, in one thread alone."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable
from typing import Any

from spatial_workbench.engine.core import Verdict, resolve
from spatial_workbench.engine.core.reading.limits import MAX_TEXT_CHARS, well_formed
from spatial_workbench.engine.evaluation.agent_runs import PlayedRun
from spatial_workbench.engine.evaluation.planning.gates import Gates
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.running.spending import BatchSpending
from spatial_workbench.engine.evaluation.running.units import Unit
from spatial_workbench.engine.executor import JobOutcome
from spatial_workbench.engine.models import Provider, Response, Try
from spatial_workbench.engine.models.conversation import EarlierReply
from spatial_workbench.engine.store import Actor, Asked, BatchItem, ItemState, Project, StoredReply
from spatial_workbench.engine.store.facts import AS_IMPORTED, THEIR_SCORE

"""The version of scores that came with imported answers."""
_UNSTORABLE = (
    ValueError,
    TypeError,
    ArithmeticError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)
"""Errors that concern the values to be stored, not the project or its disk."""

_log = logging.getLogger(__name__)


class BatchStore:
    """Stores each step of a unit before the next begins, and tells the gates of early fail how units ended."""

    def __init__(self, project: Project, batch: int, plan: BatchPlan, gates: Gates) -> None:
        self._project = project
        self._batch = batch
        self._plan = plan
        self._gates = gates
        self.spending = BatchSpending(plan.spending)
        """What has been spent on requests so far."""
        self._unstorable: set[int] = set()

    def store(self, unit: Unit, write: Callable[[], None]) -> None:
        """Calls `write`, which stores something about a unit. If that fails, this unit alone ends with an error."""
        if unit.lead.number in self._unstorable:
            return
        try:
            with self._project.database.all_or_nothing():
                write()
        except _UNSTORABLE as error:
            _log.exception("item %d", unit.lead.number)
            self._unstorable.add(unit.lead.number)
            self.fail(unit, "internal", f"It cannot be stored: {_one_line(error)}")

    def begin(self, unit: Unit) -> None:
        """Stores that a unit is being asked."""
        self._project.items.begin_asking(unit.lead.number)

    def put_back(self, unit: Unit) -> None:
        """Stores that a unit waits to be asked again."""
        self._project.items.put_back(unit.lead.number)

    def add_try(self, unit: Unit, request: Try) -> None:
        """Stores a request about a unit, and how it ended."""
        self.spending.add(unit.lead.number, request.usage.output_tokens, request.cost_usd)
        self._project.items.add_try(
            unit.lead.number,
            request.model_dump_json(),
            request.started_at.isoformat(timespec="milliseconds"),
            request.seconds,
            request.error.value if request.error else None,
            request.usage.output_tokens,
            request.cost_usd,
        )

    def add_reply(self, unit: Unit, number: int, prompt: str, response: Response, is_last: bool) -> None:
        """Stores a reply about a unit; with `is_last`, the unit is answered."""
        record = response.model_dump_json(exclude={"text", "reasoning", "tries"})
        self._project.items.add_reply(
            unit.lead.number, number, prompt, response.text, response.reasoning, record, is_last
        )

    def earlier(self, unit: Unit) -> list[EarlierReply]:
        """The stored replies about a unit."""
        replies = self._project.runs.replies(unit.lead.number)
        prompts = self._project.runs.prompt_text
        return [
            EarlierReply("" if reply.prompt is None else prompts(reply.prompt), _response_of(reply))
            for reply in replies
        ]

    def answer_text(self, unit: Unit) -> str:
        """The last reply about a unit, cut off one character after the most that is read."""
        return self._project.runs.replies(unit.lead.lead)[-1].text[: MAX_TEXT_CHARS + 1]

    def refuse(self, unit: Unit) -> None:
        """Stores that a unit is not asked, because the first subtasks of its task went badly."""
        reason = "The first subtasks of this task went badly (early fail)."
        self._project.items.fail(unit.lead.number, ItemState.NOT_ASKED, "early fail", reason)

    def fail(self, unit: Unit, kind: str, message: str, outcome: JobOutcome = JobOutcome.FAILED) -> None:
        """Stores that a unit ended with an error."""
        state = ItemState.CRASHED if outcome is JobOutcome.CRASHED else ItemState.ERROR
        self._project.items.fail(unit.lead.lead, state, kind, well_formed(message))
        self._gates.ended(unit, {})

    def add_attempts(self, unit: Unit, judged: dict[str, Any], played: PlayedRun | None) -> None:
        """Stores the attempts of a unit as `evaluation.work.judge` has judged them."""
        scores = {item.number: self._add_attempt(item, judged, played) for item in unit.items}
        self._gates.ended(unit, {number: score for number, score in scores.items() if score is not None})

    def _add_attempt(self, item: BatchItem, judged: dict[str, Any], played: PlayedRun | None) -> float | None:
        """Stores the attempt of an item, unless that has been done, and returns its score.

        Returns None if it has no score yet, because programs in it were not run.
        """
        task, instance = resolve(item.address)
        verdicts = tuple(Verdict.model_validate(verdict) for verdict in judged["verdicts"][item.address])
        if not self._project.items.is_done(item.number):
            contender = self._plan.contenders[item.model]
            asked, seconds = self._asked(item, contender)
            theirs = self._their_verdict(item)
            number = self._project.attempts.add(
                instance,
                judged["answer"],
                Actor.REFERENCE if contender.settings.provider is Provider.REFERENCE else Actor.MODEL,
                contender.settings.name,
                seconds,
                (*verdicts, *theirs),
                played.transcript if played else None,
                asked,
                task.score_tolerance,
            )
            self._project.items.finish(item.number, number)
        return verdicts[0].score if verdicts else None

    def _their_verdict(self, item: BatchItem) -> tuple[Verdict, ...]:
        """The score that came with an imported answer, as a verdict without checks."""
        theirs = _response_of(self._project.runs.replies(item.lead)[-1]).theirs if self._is_imported(item) else None
        if theirs is None:
            return ()
        told = theirs.model_dump()
        return (Verdict(instance=item.address, verifier=THEIR_SCORE, version=AS_IMPORTED, **told),)

    def _is_imported(self, item: BatchItem) -> bool:
        return self._plan.contenders[item.model].settings.provider is Provider.RECORDED

    def _asked(self, item: BatchItem, contender: Contender) -> tuple[Asked, float | None]:
        """What was asked, and its cost and time; items that share the answer of another carry no cost of their own."""
        replies = self._project.runs.replies(item.lead)
        responses = [_response_of(reply) for reply in replies]
        asked = Asked(
            batch=self._batch,
            item=item.lead,
            repeat=item.repeat,
            tools=contender.settings.tools,
            budget=contender.settings.max_output_tokens,
            effort=contender.settings.effort.value if contender.settings.effort else None,
            temperature=contender.settings.temperature,
            top_p=contender.settings.top_p,
            variant=contender.variant.label if contender.variant else None,
            finish_reason=responses[-1].finish_reason if responses else None,
            prompt=replies[0].prompt if replies else None,
            reasoning="\n".join(filter(None, (response.reasoning for response in responses))) or None,
        )
        if item.number != item.lead:
            return asked, None
        counts = {
            name: _sum([getattr(response.usage, name) for response in responses])
            for name in ("input_tokens", "output_tokens", "reasoning_tokens")
        }
        counts["cost_usd"] = _sum([response.cost_usd for response in responses])
        return asked.model_copy(update=counts), sum(response.seconds for response in responses)


def _response_of(reply: StoredReply) -> Response:
    return Response.model_validate({**json.loads(reply.record), "text": reply.text, "reasoning": reply.reasoning})


def _one_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _sum(values: list[Any]) -> Any:
    """The sum; None if any value is unknown."""
    return None if None in values or not values else sum(values)
