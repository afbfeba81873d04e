"""Plans: which models are asked which instances how often, and what is to be known before that begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engine.core import Family, Instance, InstanceError, Task, resolve, task, tasks
from engine.core.agents import AgentPlan
from engine.models.capabilities import Capabilities, Feature, Result
from engine.models.settings import ModelSettings, Provider, Structured

MAX_ITEMS = 200_000


class Record(BaseModel):
    """Base of what is stored: frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EarlyFail(Record):
    """The rest of a task is not asked where its first subtasks went badly (an option of the published runs)."""

    samples: int = Field(default=1, ge=1, description="How many subtasks are asked first")
    threshold: float = Field(default=0.5, ge=0, le=1, description="The rest is asked if their mean reaches this")


class Contender(Record):
    """Who is asked, and what is known of the endpoint."""

    settings: ModelSettings
    capabilities: Capabilities | None = None

    @property
    def is_computed(self) -> bool:
        """Whether the answers are worked out here, without asking anybody."""
        return self.settings.provider in (Provider.REFERENCE, Provider.RANDOM)


class BatchPlan(Record):
    """A batch: every contender is asked every instance so many times."""

    name: str = Field(min_length=1)
    contenders: tuple[Contender, ...] = Field(min_length=1)
    addresses: tuple[str, ...] = Field(min_length=1)
    repeats: int = Field(default=1, ge=1, le=1000)
    agent: AgentPlan | None = Field(default=None, description="None: every task gets a single question")
    early_fail: EarlyFail | None = None
    workers: int | None = Field(
        default=None, ge=1, le=512, description="Processes that verify; None: one less than cores"
    )
    cluster: str | None = Field(default=None, description="Address of a Dask scheduler that verifies instead")

    def questions(self) -> Iterator[tuple[int, str, str, int, str | None]]:
        """(position of the contender, address, task, repeat, answer group) of every item."""
        known = [(address, *resolve(address)) for address in self.addresses]
        for k in range(len(self.contenders)):
            for repeat in range(self.repeats):
                for address, one, instance in known:
                    yield k, address, one.id, repeat, one.answer_group(instance)

    def plays(self, contender: Contender, one: Task[Any]) -> bool:
        """Whether a task is asked step by step."""
        asked = contender.settings.provider.is_endpoint or contender.settings.provider is Provider.OFFLINE
        return self.agent is not None and self.agent.kind in one.agents and asked


def agents_offered() -> dict[str, str]:
    """The kinds of agents that tasks offer, each with what the window calls it."""
    return {kind: title for task in tasks() for kind, title in task.agents.items()}


def select(text: str) -> tuple[str, ...]:
    """The addresses that a selection names: TASK, TASK:3, TASK:0-4, TASK@SEED, a bucket, a family, or "all".

    Raises:
        InstanceError: says which part names nothing.
    """
    found: dict[str, None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        found |= dict.fromkeys(_addresses(part))
    if not found:
        raise InstanceError("No task is selected.")
    if len(found) > MAX_ITEMS:
        raise InstanceError(f"{len(found)} instances are more than a batch takes ({MAX_ITEMS}).")
    return tuple(found)


def _addresses(part: str) -> Iterator[str]:
    chosen = _group(part)
    if chosen is not None:
        for one in chosen:
            yield from (instance.address for instance in one.instances())
        return
    if "@" in part:
        yield resolve(part)[1].address
        return
    name, _, numbers = part.partition(":")
    try:
        published = task(name).instances()
    except KeyError as error:
        raise InstanceError(error.args[0]) from None
    yield from (instance.address for instance in _numbered(part, published, numbers))


def _group(name: str) -> Sequence[Task[Any]] | None:
    if name == "all":
        return tasks()
    in_bucket = [task for task in tasks() if task.family == Family.SCBENCH and task.bucket.id == name]
    return in_bucket or [task for task in tasks() if task.family.id == name] or None


def _numbered(part: str, published: Sequence[Instance], numbers: str) -> Sequence[Instance]:
    if not numbers:
        return published
    first, dash, last = numbers.partition("-")
    try:
        low, high = int(first), int(last if dash else first)
    except ValueError:
        raise InstanceError(f"“{numbers}” in “{part}” is no number and no range such as 0-4") from None
    if not 0 <= low <= high < len(published):
        raise InstanceError(f"“{part}” names instances that there are not; there are 0 to {len(published) - 1}")
    return published[low : high + 1]


class Concern(Record):
    """Something to know before a batch begins."""

    contender: str = Field(description="Name of the settings; empty: it concerns the batch")
    sentence: str
    stops: bool = Field(description="Whether the batch cannot begin with it")


def concerns(plan: BatchPlan) -> list[Concern]:
    """What the endpoints cannot do, or nobody knows, and what this machine lacks; nothing is silently left out."""
    chosen = {one.id: (one, instance) for one, instance in map(resolve, reversed(plan.addresses))}
    shown = any(one.prompt(instance).pictures for one, instance in chosen.values())
    found = [concern for contender in plan.contenders for concern in _of_contender(contender, shown)]
    found += _of_agents(plan, [one for one, _ in chosen.values()])
    return found


def _of_contender(contender: Contender, shown: bool) -> Iterator[Concern]:
    settings, known = contender.settings, contender.capabilities
    if settings.provider is Provider.OFFLINE:
        yield from _of_offline(settings, shown)
    if not settings.provider.is_endpoint:
        return
    if known is None:
        told = "Nobody has tried what this endpoint can do; probe it to know before the batch begins."
        yield Concern(contender=settings.name, sentence=told, stops=settings.tools)
        return
    for demand in _demands(settings, shown):
        concern = demand.concern(settings.name, known)
        if concern is not None:
            yield concern


def _of_offline(settings: ModelSettings, shown: bool) -> Iterator[Concern]:
    from engine.models.offline import why_not_offline

    reason = why_not_offline(settings)
    if reason:
        yield Concern(contender=settings.name, sentence=reason, stops=True)
    if shown:
        yield Concern(contender=settings.name, sentence="It sees no pictures, and some prompts have some.", stops=False)


@dataclass(frozen=True)
class _Demand:
    """Something that the settings want of an endpoint.

    Attributes:
        features: Any of these will do.
        needs_proof: Whether the batch cannot begin unless the probe saw it work.
        without: What happens where it is refused, if there is another way; empty: the batch cannot begin.
    """

    features: tuple[Feature, ...]
    needs_proof: bool = False
    without: str = ""

    def concern(self, name: str, known: Capabilities) -> Concern | None:
        """What is to be said; None: it works, or it was not tried and that does no harm."""
        results = {known.result(feature): feature for feature in reversed(self.features)}
        if Result.WORKS in results or (set(results) == {Result.UNKNOWN} and not self.needs_proof):
            return None
        refused = Result.ACCEPTED not in results and Result.REFUSED in results
        result = Result.REFUSED if refused else Result.ACCEPTED if Result.ACCEPTED in results else Result.UNKNOWN
        feature = results[result].value
        told = f"{feature[0].upper()}{feature[1:]}: {result.sentence} {self.without}".strip()
        return Concern(contender=name, sentence=told, stops=self.needs_proof or (refused and not self.without))


def _demands(settings: ModelSettings, shown: bool) -> Iterator[_Demand]:
    if settings.api == "responses":
        yield _Demand((Feature.RESPONSES,))
    if settings.effort is not None:
        yield _Demand((Feature.EFFORT,))
    if settings.tools:
        yield _Demand((Feature.HOSTED_TOOLS,), needs_proof=True)
    if settings.max_output_tokens is not None and settings.api == "chat":
        yield _Demand((Feature.MAX_COMPLETION_TOKENS, Feature.MAX_TOKENS))
    if shown:
        yield _Demand((Feature.PICTURES,))
    schema = Feature.CHAT_SCHEMA if settings.api == "chat" else Feature.RESPONSES_SCHEMA
    if settings.structured is Structured.AUTO:
        yield _Demand((schema,), without="The schema is put into the prompt instead.")
    elif settings.structured is Structured.NATIVE:
        yield _Demand((schema,))


def _of_agents(plan: BatchPlan, chosen: Sequence[Task[Any]]) -> Iterator[Concern]:
    asked = [one for one in plan.contenders if not one.is_computed and one.settings.provider is not Provider.RECORDED]
    blind = sorted({one.title for one in chosen if one.asked_by == "agent"})
    if asked and plan.agent is None and blind:
        told = f"{', '.join(blind)}: the prompt does not show all of the cube; these need an agent that looks around."
        yield Concern(contender="", sentence=told, stops=True)
    plays = plan.agent is not None and any(plan.agent.kind in one.agents for one in chosen)
    if asked and plays and plan.agent is not None and plan.agent.uses_code:
        reason = _why_no_sandbox()
        if reason:
            told = f"Agents that write code run only in the sandbox, and there is none here: {reason}"
            yield Concern(contender="", sentence=told, stops=True)


def _why_no_sandbox() -> str:
    from engine.sandbox import availability

    found = availability()
    return "" if found.available else found.reason
