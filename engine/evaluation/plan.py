"""Plans: which models are asked which instances how often, and what is to be known before that begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from engine.core import Bucket, Family, Instance, InstanceError, Task, resolve, task, tasks
from engine.cube.agent.records import AgentKind
from engine.models.capabilities import Capabilities, Feature, Result
from engine.models.settings import ModelSettings, Provider

MAX_ITEMS = 200_000


class Record(BaseModel):
    """Base of what is stored: frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Reward(StrEnum):
    """What an agent on the cube is told after a move (CubeBench's dense rewards)."""

    NONE = "none"
    STICKER = "sticker"
    FACE = "face"
    HEURISTIC = "heuristic"

    @property
    def kind(self) -> str:
        """The environment's name of it."""
        return "no_reward" if self is Reward.NONE else self.value


class AgentPlan(Record):
    """How tasks on the cube are asked: step by step, with tools."""

    kind: AgentKind = AgentKind.BASIC
    uses_code: bool = Field(default=True, description="Steps are programs; else calls of tools as JSON")
    reward: Reward = Reward.NONE
    max_steps: int = Field(default=20, ge=1, le=1000)
    minutes: float = Field(default=30.0, gt=0, le=24 * 60)


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
    agent: AgentPlan | None = Field(default=None, description="None: tasks on the cube get a single question too")
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
        return self.agent is not None and one.family is Family.CUBE and asked


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
    if name in {bucket.value for bucket in Bucket}:
        return [one for one in tasks() if one.family is Family.SCBENCH and one.bucket.value == name]
    if name in {family.value for family in Family}:
        return [one for one in tasks() if one.family.value == name]
    return None


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
    chosen = [resolve(address)[0] for address in plan.addresses]
    found = [concern for contender in plan.contenders for concern in _of_contender(contender)]
    found += _of_agents(plan, chosen)
    return found


def _of_contender(contender: Contender) -> Iterator[Concern]:
    settings, known = contender.settings, contender.capabilities
    if settings.provider is Provider.OFFLINE:
        from engine.models.offline import why_not_offline

        reason = why_not_offline(settings)
        if reason:
            yield Concern(contender=settings.name, sentence=reason, stops=True)
    if not settings.provider.is_endpoint:
        return
    if known is None:
        told = "Nobody has tried what this endpoint can do; probe it to know before the batch begins."
        yield Concern(contender=settings.name, sentence=told, stops=settings.tools)
        return
    for feature, wanted, stops in _wishes(settings):
        result = known.result(feature)
        if wanted and result is not Result.WORKS and (result is Result.REFUSED or stops or result is Result.ACCEPTED):
            told = f"{feature.value[0].upper()}{feature.value[1:]}: {result.sentence}"
            yield Concern(contender=settings.name, sentence=told, stops=stops or result is Result.REFUSED)


def _wishes(settings: ModelSettings) -> Sequence[tuple[Feature, bool, bool]]:
    """(feature, whether the settings want it, whether the batch cannot do unless it is known to work)."""
    return (
        (Feature.EFFORT, settings.effort is not None, False),
        (Feature.HOSTED_TOOLS, settings.tools, True),
        (Feature.RESPONSES, settings.api == "responses", False),
    )


def _of_agents(plan: BatchPlan, chosen: Sequence[Task[Any]]) -> Iterator[Concern]:
    asked = [one for one in plan.contenders if not one.is_computed and one.settings.provider is not Provider.RECORDED]
    blind = sorted({one.title for one in chosen if one.asked_by == "agent"})
    if asked and plan.agent is None and blind:
        told = f"{', '.join(blind)}: the prompt does not show all of the cube; these need an agent that looks around."
        yield Concern(contender="", sentence=told, stops=True)
    plays = plan.agent is not None and any(one.family is Family.CUBE for one in chosen)
    if asked and plays and plan.agent is not None and plan.agent.uses_code:
        reason = _why_no_sandbox()
        if reason:
            told = f"Agents that write code run only in the sandbox, and there is none here: {reason}"
            yield Concern(contender="", sentence=told, stops=True)


def _why_no_sandbox() -> str:
    from engine.sandbox import availability

    found = availability()
    return "" if found.available else found.reason
