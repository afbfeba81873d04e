"""Everything that a project knows about an attempt, read one by one, so that long exports need little memory.

An item of a batch that ended without an attempt has a dossier too, since results and exports count it as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from spatial_workbench.engine.core import Progress
from spatial_workbench.engine.core.reading.how_read import HowRead, how_unanswered
from spatial_workbench.engine.evaluation.collect import NAMELESS, plans
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.running.spending import ITEM_LIMIT
from spatial_workbench.engine.models.settings import ModelSettings, Provider
from spatial_workbench.engine.store import (
    Actor,
    BatchItem,
    ItemState,
    Override,
    Project,
    RunFilter,
    RunRow,
    StoredAttempt,
    StoredReply,
    StoredTry,
    Transcript,
)
from spatial_workbench.engine.store.studies.records import StudyOfAttempt

_PAGE = 200
PARAMETERS = ("effort", "temperature", "top_p", "variant")
"""How a model was asked, as each export has it."""
FAILED = (ItemState.ERROR, ItemState.CRASHED, ItemState.NOT_ASKED)
"""The states of items that results count as 0."""
UNANSWERED = tuple(state for state in ItemState if state is not ItemState.DONE)


@dataclass(frozen=True)
class Selection:
    """The attempts and items to make dossiers of.

    Attributes:
        attempts: Numbers of attempts, in order.
        items: Items without an attempt, in order.
        batches: Numbers of the batches that attempts and items belong to, in order.
    """

    attempts: Sequence[int]
    items: Sequence[BatchItem]
    batches: Sequence[int]

    @property
    def count(self) -> int:
        """How many dossiers there are."""
        return len(self.attempts) + len(self.items)


@dataclass(frozen=True)
class PlacedAttempt:
    """An item with its position in its batch, and that of the item that was asked for it (both from 0)."""

    item: BatchItem
    position: int
    lead: int

    @property
    def is_lead(self) -> bool:
        """Whether it was asked itself and does not share another item's answer."""
        return self.position == self.lead


@dataclass(frozen=True)
class ExportedDossier:
    """An attempt, or an item without one, with everything about it.

    Attributes:
        repeat: Its number among those with the same name and address, from 0.
        placed: None outside of batches.
        settings: Of the model; None outside of batches.
        variant: Name and hash of the variant of the prompt; None: the task's own words.
        row, stored: None if there is no attempt.
        prompt: As it was sent; None if none is stored.
        replies: The model's replies, each with its prompt; an agent has one for each step.
        origin: Where in a study the attempt comes from; None if it comes from no study.
        sample: The sample of Inspect that it was imported from, packed; None if it was not.
    """

    task: str
    address: str
    actor: Actor
    actor_name: str
    repeat: int
    batch: int | None
    batch_name: str | None
    placed: PlacedAttempt | None
    settings: ModelSettings | None
    variant: str | None = None
    row: RunRow | None = None
    stored: StoredAttempt | None = None
    prompt: str | None = None
    replies: tuple[tuple[StoredReply, str | None], ...] = ()
    tries: tuple[StoredTry, ...] = ()
    origin: StudyOfAttempt | None = None
    sample: bytes | None = None

    @property
    def name(self) -> str:
        """The name of whoever made the attempt."""
        return self.actor_name or NAMELESS

    @property
    def text(self) -> str | None:
        """The raw answer; for an agent, and outside of batches, the answer that was judged. None: there is none."""
        if self.replies and self.transcript is None:
            return self.replies[-1][0].text
        return None if self.stored is None else self.stored.answer

    @property
    def transcript(self) -> Transcript | None:
        """How an agent arrived at its answer."""
        return self.stored.transcript if self.stored else None

    @property
    def reasoning(self) -> str | None:
        """The reasoning, as far as the model showed it."""
        return "\n".join(filter(None, (reply.reasoning for reply, _ in self.replies))) or None

    @property
    def error(self) -> str | None:
        """Why there is no attempt; None if there is one, or may still be."""
        if self.placed is None or self.placed.item.state not in FAILED:
            return None
        return self.placed.item.error or self.placed.item.state.value

    @property
    def score(self) -> float | None:
        """The score that results count; None if nothing has been judged yet."""
        return self.row.score if self.row else 0.0 if self._was_left_out else None

    @property
    def passed(self) -> bool | None:
        """Whether it counts as passed; None if nothing has been judged."""
        return self.row.passed if self.row else False if self._was_left_out else None

    @property
    def _was_left_out(self) -> bool:
        """Whether it was not asked because others of its task failed, which counts 0."""
        return self.placed is not None and self.placed.item.state is ItemState.NOT_ASKED

    @property
    def how_read(self) -> HowRead | None:
        """How the answer was read, or why there is none; None if that is not known."""
        if self.row:
            return self.row.how_read
        return None if self.error is None else how_unanswered(self.error)

    @property
    def mending(self) -> str | None:
        """What was done to read the answer, in a few words each."""
        return self.row.mending if self.row else None

    @property
    def cut_off(self) -> str | None:
        """What cut the attempt off; "spending" at the limit of an item, "unfinished" while its batch has not ended."""
        if self.row:
            return self.row.cut_off
        if self.placed is None:
            return None
        item = self.placed.item
        return "spending" if item.error == ITEM_LIMIT else None if item.state.is_final else "unfinished"

    @property
    def tools(self) -> bool | None:
        """Whether the endpoint's own tools were offered."""
        return self.row.tools if self.row else self.settings.tools if self.settings else None

    @property
    def budget(self) -> int | None:
        """The output limit."""
        return self.row.budget if self.row else self.settings.max_output_tokens if self.settings else None

    @property
    def parameters(self) -> dict[str, str | float | None]:
        """The parameters that the model was asked with, by the names in PARAMETERS."""
        if self.row:
            return {name: getattr(self.row, name) for name in PARAMETERS}
        asked = self.settings
        own = (asked.effort.value if asked.effort else None, asked.temperature, asked.top_p) if asked else (None,) * 3
        return dict(zip(PARAMETERS, (*own, self.variant), strict=True))

    @property
    def standing_override(self) -> Override | None:
        """The override that is in force."""
        newest = self.stored.overrides[-1] if self.stored and self.stored.overrides else None
        return newest if newest is not None and newest.withdrawn_at is None else None

    @property
    def ended_at(self) -> datetime | None:
        """When it was submitted, or else when its last request started."""
        return self.row.submitted_at if self.row else self.tries[-1].started_at if self.tries else None


def selected(
    project: Project,
    batches: Sequence[int] | None = None,
    attempts: Sequence[int] | None = None,
    states: Sequence[ItemState] = FAILED,
) -> Selection:
    """Selects what to make dossiers of: by default all attempts, and all items that ended without one.

    Args:
        batches: Only attempts and items of these batches.
        attempts: Only these attempts, and no items; `batches` and `states` are ignored.
        states: The states of the items to select.
    """
    everything = [row.number for row in reversed(project.batches.all())]
    if attempts is not None:
        rows = project.runs.rows(attempts)
        of_them = {row.batch for row in rows}
        return Selection(sorted(row.number for row in rows), (), [batch for batch in everything if batch in of_them])
    chosen = everything if batches is None else [batch for batch in everything if batch in set(batches)]
    if batches is None:
        numbers = project.runs.numbers(RunFilter(), descending=False)
    else:
        numbers = sorted(n for batch in chosen for n in project.runs.numbers(RunFilter(batch=batch)))
    return Selection(numbers, [item for batch in chosen for item in project.items.of_batch(batch, states)], chosen)


def rows_of(project: Project, numbers: Sequence[int], progress: Progress) -> Iterator[RunRow]:
    """The rows of these attempts in order, read page by page."""
    for begin in range(0, len(numbers), _PAGE):
        progress(begin, len(numbers), "Reading attempts")
        yield from project.runs.rows(numbers[begin : begin + _PAGE])


def dossiers(project: Project, selection: Selection, progress: Progress) -> Iterator[ExportedDossier]:
    """The dossiers of a selection, attempts first; no two have the same name, address and repeat."""
    reader = _Reader(project, selection)
    for row in rows_of(project, selection.attempts, progress):
        yield reader.of_attempt(row)
    for item in selection.items:
        yield reader.of_item(item)


class _Reader:
    """Makes dossiers; keeps the names, settings and items of their batches."""

    def __init__(self, project: Project, selection: Selection) -> None:
        self._project = project
        self._names = {row.number: row.name for row in project.batches.all()}
        self._plans = plans(project, selection.batches)
        self._taken: set[tuple[str, str, int]] = set()
        self._placed: dict[int, PlacedAttempt] = {}
        self._by_attempt: dict[int, PlacedAttempt] = {}
        for batch in selection.batches:
            items = project.items.of_batch(batch)
            positions = {item.number: k for k, item in enumerate(items)}
            for item in items:
                placed = PlacedAttempt(item, positions[item.number], positions[item.lead])
                self._placed[item.number] = placed
                if item.attempt is not None:
                    self._by_attempt[item.attempt] = placed

    def of_attempt(self, row: RunRow) -> ExportedDossier:
        """The dossier of an attempt."""
        project = self._project
        placed = self._by_attempt.get(row.number)
        contender = self._contender_of(placed)
        lead = placed.item.lead if placed is not None else None
        return ExportedDossier(
            task=row.task,
            address=row.address,
            actor=row.actor,
            actor_name=row.actor_name,
            # Outside of batches, repeats are counted, as in the results.
            repeat=self._free_repeat(row.actor_name, row.address, row.repeat or 0 if placed else 0),
            batch=row.batch,
            batch_name=self._names.get(row.batch or 0),
            placed=placed,
            settings=contender.settings if contender else None,
            variant=row.variant,
            row=row,
            stored=project.archive.attempt(row.number),
            prompt=project.runs.prompt_text(row.prompt) if row.prompt is not None else None,
            replies=self._replies(lead) if lead is not None else (),
            tries=tuple(project.items.tries(lead)) if lead is not None else (),
            origin=project.outcomes.origins([row.number]).get(row.number) if row.study else None,
            sample=project.inspect_logs.sample(placed.item.number) if placed is not None else None,
        )

    def of_item(self, item: BatchItem) -> ExportedDossier:
        """The dossier of an item without an attempt."""
        project = self._project
        placed = self._placed[item.number]
        contender = self._contender_of(placed)
        assert contender is not None
        settings = contender.settings
        replies = self._replies(item.lead)
        return ExportedDossier(
            task=item.task,
            address=item.address,
            actor=Actor.REFERENCE if settings.provider is Provider.REFERENCE else Actor.MODEL,
            actor_name=settings.name,
            repeat=self._free_repeat(settings.name, item.address, item.repeat),
            batch=item.batch,
            batch_name=self._names.get(item.batch),
            placed=placed,
            settings=settings,
            variant=contender.variant.label if contender.variant else None,
            prompt=replies[0][1] if replies else None,
            replies=replies,
            tries=tuple(project.items.tries(item.lead)),
            sample=project.inspect_logs.sample(item.number),
        )

    def _replies(self, lead: int) -> tuple[tuple[StoredReply, str | None], ...]:
        replies = self._project.runs.replies(lead)
        return tuple(
            (reply, None if reply.prompt is None else self._project.runs.prompt_text(reply.prompt)) for reply in replies
        )

    def _contender_of(self, placed: PlacedAttempt | None) -> Contender | None:
        return None if placed is None else self._plans[placed.item.batch].contenders[placed.item.model]

    def _free_repeat(self, name: str, address: str, repeat: int) -> int:
        while (name, address, repeat) in self._taken:
            repeat += 1
        self._taken.add((name, address, repeat))
        return repeat
