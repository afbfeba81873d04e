"""Plans: which models are asked about which instances and how often, and what to know before a batch begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core import (
    Family,
    Instance,
    InstanceError,
    Prompt,
    Task,
    agents_of,
    answer_group_of,
    collections_of,
    needs_agent,
    resolve,
    tasks,
)
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.agents import HANDS, AgentPlan
from spatial_workbench.engine.core.formats.jsontext import format_path
from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.engine.evaluation.planning.agent_options import options_for, writes_code
from spatial_workbench.engine.evaluation.planning.grid import SettingsGrid
from spatial_workbench.engine.evaluation.planning.variants import PromptVariant
from spatial_workbench.engine.models.capabilities import Capabilities, Feature, Result
from spatial_workbench.engine.models.settings import ModelSettings, Provider, Structured

MAX_ITEMS = 200_000


class PlanRecord(BaseModel):
    """Base of the records that make up a stored plan: frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EarlyFail(PlanRecord):
    """Skips the rest of a task when its first subtasks went badly (an option of the published runs)."""

    samples: int = Field(default=1, ge=1, description="How many subtasks are asked first")
    threshold: float = Field(default=0.5, ge=0, le=1, description="The rest is asked if their mean reaches this")


class SpendingLimits(PlanRecord):
    """What a batch, and one item of it, may spend each time that it is started or resumed; None: no limit.

    At a limit the batch pauses; an item ends with an error.
    """

    cost_usd: float | None = Field(default=None, gt=0)
    output_tokens: int | None = Field(default=None, ge=1)
    hours: float | None = Field(default=None, gt=0)
    item_cost_usd: float | None = Field(default=None, gt=0)
    item_output_tokens: int | None = Field(default=None, ge=1)

    @property
    def is_set(self) -> bool:
        """Whether there is any limit."""
        return self != SpendingLimits()

    @property
    def counts_money(self) -> bool:
        """Whether a limit needs prices."""
        return self.cost_usd is not None or self.item_cost_usd is not None


class Contender(PlanRecord):
    """A model in a batch: its settings, and what is known about its endpoint."""

    settings: ModelSettings
    capabilities: Capabilities | None = None
    base: str = Field(default="", description="Name of the model whose settings a grid or a budget has changed")
    variant: PromptVariant | None = Field(default=None, description="None: the tasks' own prompts")
    repeats: int | None = Field(default=None, ge=1, le=1000, description="None: those of the batch")

    @property
    def is_computed(self) -> bool:
        """Whether the answers are computed locally, without asking a model."""
        return self.settings.provider in (Provider.REFERENCE, Provider.RANDOM)


class BatchPlan(PlanRecord):
    """A batch: every contender is asked about every instance, `repeats` times."""

    name: str = Field(min_length=1)
    contenders: tuple[Contender, ...] = Field(min_length=1)
    addresses: tuple[str, ...] = Field(min_length=1)
    repeats: int = Field(default=1, ge=1, le=1000)
    agent: AgentPlan | None = Field(default=None, description="None: every task gets a single question")
    grid: SettingsGrid | None = Field(default=None, description="What the contenders were made of; None: no grid")
    early_fail: EarlyFail | None = None
    spending: SpendingLimits = SpendingLimits()
    workers: int | None = Field(
        default=None, ge=1, le=512, description="Processes that verify; None: one less than there are cores"
    )
    cluster: str | None = Field(default=None, description="Address of a Dask scheduler that verifies instead")
    programs: bool = Field(default=True, description="Whether programs in answers are run, in the sandbox")

    def questions(self) -> Iterator[tuple[int, str, str, int, str | None]]:
        """(position of the contender, address, task, repeat, answer group) of every item."""
        instances = [(address, *resolve(address)) for address in self.addresses]
        for k, contender in enumerate(self.contenders):
            for repeat in range(self.repeats_of(contender)):
                for address, task, instance in instances:
                    yield k, address, task.id, repeat, answer_group_of(task, instance)

    def repeats_of(self, contender: Contender) -> int:
        """How often a contender is asked each instance."""
        return contender.repeats or self.repeats

    def plays(self, contender: Contender, task: Task[Any]) -> bool:
        """Whether a contender answers a task step by step, as an agent."""
        asked = contender.settings.provider.is_endpoint or contender.settings.provider is Provider.OFFLINE
        return self.agent is not None and self.agent.kind in agents_of(task) and asked


def agents_offered() -> dict[str, str]:
    """The kinds of agents that tasks offer, each with its title in the window."""
    return {kind: title for task in tasks() for kind, title in agents_of(task).items()}


def select(text: str) -> tuple[str, ...]:
    """The addresses in a selection, each once.

    Its parts, with commas between them, are TASK, TASK:3, TASK:0-4, TASK@SEED, TASK:COLLECTION, TASK:COLLECTION/NAME,
    a bucket, a family, or "all".

    Raises:
        InstanceError: A part of the selection matches nothing, which the message quotes, or the selection is empty or
            has more than MAX_ITEMS instances.
    """
    addresses: dict[str, None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        addresses |= dict.fromkeys(_addresses(part))
    if not addresses:
        raise InstanceError("No task is selected.")
    if len(addresses) > MAX_ITEMS:
        raise InstanceError(f"{len(addresses)} instances are more than a batch takes ({MAX_ITEMS}).")
    return tuple(addresses)


def _addresses(part: str) -> Iterator[str]:
    chosen = _group(part)
    if chosen is not None:
        for task in chosen:
            yield from (instance.address for instance in task.instances())
        return
    if "@" in part:
        yield resolve(part)[1].address
        return
    name, _, rest = part.partition(":")
    try:
        task = task_of(name)
    except KeyError as error:
        raise InstanceError(error.args[0]) from None
    collection = [f"{name}:{added.name}" for added in collections_of(task).get(rest, ())]
    if collection:
        yield from collection
    elif "/" in rest:
        yield resolve(part)[1].address
    else:
        yield from (instance.address for instance in _numbered(part, task.instances(), rest))


def _group(name: str) -> Sequence[Task[Any]] | None:
    if name == "all":
        return tasks()
    # The cube shares a bucket with SCBench, whose name has always meant the benchmark's tasks.
    in_bucket = [task for task in tasks() if task.bucket.id == name]
    published = [task for task in in_bucket if task.family == Family.SCBENCH]
    return published or in_bucket or [task for task in tasks() if task.family.id == name] or None


def _numbered(part: str, published: Sequence[Instance], numbers: str) -> Sequence[Instance]:
    if not numbers:
        return published
    first, dash, last = numbers.partition("-")
    try:
        low = int(first)
        high = int(last if dash else first)
    except ValueError:
        raise InstanceError(f"“{numbers}” in “{part}” is neither a number nor a range such as 0-4") from None
    if not 0 <= low <= high < len(published):
        raise InstanceError(f"“{part}” names instances that do not exist; there are 0 to {len(published) - 1}")
    return published[low : high + 1]


class Concern(PlanRecord):
    """A warning about a batch, given before it begins."""

    contender: str = Field(description="Name of the settings; empty: it concerns the batch")
    sentence: str
    stops: bool = Field(description="Whether the batch cannot begin with it")


def concerns(plan: BatchPlan) -> list[Concern]:
    """Warnings about everything that endpoints cannot do or have not been probed for, and that this machine lacks.

    Nothing that the plan asks for is dropped silently.
    """
    chosen = {task.id: (task, instance) for task, instance in map(resolve, reversed(plan.addresses))}
    prompts: list[Prompt] = []
    faults: list[TaskFault] = []
    for task, instance in chosen.values():
        try:
            prompts.append(task.prompt(instance))
        except TaskFault as fault:
            faults.append(fault)
    shown = any(prompt.pictures for prompt in prompts)
    # The runs of a grid share most of their concerns.
    of_contenders = dict.fromkeys(
        concern for contender in plan.contenders for concern in _of_contender(contender, shown)
    )
    of_prices = _of_prices(plan) if plan.spending.counts_money else ()
    of_tasks = (Concern(contender="", sentence=str(fault), stops=not prompts) for fault in faults)
    chosen_tasks = [task for task, _ in chosen.values()]
    of_variants = _of_variants(plan, chosen_tasks, prompts)
    of_agents = [*_of_agents(plan, chosen_tasks), *_of_hands(plan, chosen_tasks)]
    return [*of_tasks, *of_contenders, *of_prices, *of_variants, *of_agents]


def _of_contender(contender: Contender, shown: bool) -> Iterator[Concern]:
    settings = contender.settings
    capabilities = contender.capabilities
    if settings.provider is Provider.OFFLINE:
        yield from _of_offline(settings, shown)
    if not settings.provider.is_endpoint:
        return
    name = contender.base or settings.name
    if capabilities is None:
        sentence = "This endpoint has not been probed; probe it to learn what it can do before the batch starts."
        yield Concern(contender=name, sentence=sentence, stops=settings.tools)
        return
    if capabilities.has_failed:
        yield Concern(contender=name, sentence=capabilities.words, stops=False)
    for demand in _demands(settings, shown):
        concern = demand.concern(name, capabilities)
        if concern is not None:
            yield concern
    effort = settings.effort
    if effort is not None and capabilities.efforts.get(effort) is Result.REFUSED:
        sentence = f"Reasoning effort “{effort.value}”: {Result.REFUSED.sentence}"
        yield Concern(contender=name, sentence=sentence, stops=True)


def _of_prices(plan: BatchPlan) -> Iterator[Concern]:
    for contender in plan.contenders:
        prices = contender.settings.prices
        if contender.settings.provider.is_endpoint and (prices.input_usd is None or prices.output_usd is None):
            sentence = "Its prices are not known, so what it costs does not count towards the limit of money."
            yield Concern(contender=contender.settings.name, sentence=sentence, stops=False)


def _of_offline(settings: ModelSettings, shown: bool) -> Iterator[Concern]:
    from spatial_workbench.engine.models.offline import why_not_offline

    reason = why_not_offline(settings)
    if reason:
        yield Concern(contender=settings.name, sentence=reason, stops=True)
    if shown:
        sentence = "It cannot see pictures; prompts that have some are sent without them, and say so."
        yield Concern(contender=settings.name, sentence=sentence, stops=False)


@dataclass(frozen=True)
class _Demand:
    """Something that the settings require of an endpoint.

    Attributes:
        features: Any of these will do.
        needs_proof: Whether the batch can begin only if a probe has seen the feature work.
        without: What is done instead if the endpoint refuses; empty: nothing, so the batch cannot begin.
    """

    features: tuple[Feature, ...]
    needs_proof: bool = False
    without: str = ""
    is_quiet: bool = False
    """Whether it is enough that the endpoint does not refuse it."""

    def concern(self, name: str, capabilities: Capabilities) -> Concern | None:
        """The warning; None if the feature works, or was never tried and need not be."""
        results = {capabilities.result(feature): feature for feature in reversed(self.features)}
        if Result.WORKS in results or (set(results) == {Result.UNKNOWN} and not self.needs_proof):
            return None
        if self.is_quiet and Result.ACCEPTED in results:
            return None
        refused = Result.ACCEPTED not in results and Result.REFUSED in results
        result = Result.REFUSED if refused else Result.ACCEPTED if Result.ACCEPTED in results else Result.UNKNOWN
        feature = results[result].value
        sentence = f"{feature[0].upper()}{feature[1:]}: {result.sentence} {self.without}".strip()
        return Concern(contender=name, sentence=sentence, stops=self.needs_proof or (refused and not self.without))


def _demands(settings: ModelSettings, shown: bool) -> Iterator[_Demand]:
    if settings.api == "responses":
        yield _Demand((Feature.RESPONSES,))
    if settings.effort is not None:
        yield _Demand((Feature.EFFORT,))
    if settings.temperature is not None:
        yield _Demand((Feature.TEMPERATURE,), is_quiet=True)
    if settings.top_p is not None:
        yield _Demand((Feature.TOP_P,), is_quiet=True)
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


def _of_variants(plan: BatchPlan, chosen: Sequence[Task[Any]], prompts: Sequence[Prompt]) -> Iterator[Concern]:
    """Variants that do not fit a prompt, and tasks whose prompts belong to an agent, which no variant changes."""
    for contender in plan.contenders:
        variant = contender.variant
        if variant is None:
            continue
        if not all(variant.fits(prompt.text) for prompt in prompts):
            sentence = (
                f"The variant “{variant.name}” divides prompts at “Answer with”, and some of the chosen tasks have no "
                "such line; write {prompt} in the variant."
            )
            yield Concern(contender="", sentence=sentence, stops=True)
            return
        played = [task.title for task in chosen if plan.plays(contender, task)]
        if played:
            sentence = f"Agents have prompts of their own, which variants do not change: {', '.join(sorted(played))}."
            yield Concern(contender="", sentence=sentence, stops=len(played) == len(chosen))
            return


def _of_agents(plan: BatchPlan, chosen: Sequence[Task[Any]]) -> Iterator[Concern]:
    asked = [
        contender
        for contender in plan.contenders
        if not contender.is_computed and contender.settings.provider is not Provider.RECORDED
    ]
    offered = plan.agent.kind if plan.agent is not None else None
    playing = [task for task in chosen if offered in agents_of(task)]
    blind = sorted({task.title for task in chosen if needs_agent(task) and task not in playing})
    if asked and blind:
        sentence = (
            f"{', '.join(blind)}: the prompt does not show all of the cube; these need an agent that looks around."
        )
        yield Concern(contender="", sentence=sentence, stops=True)
    if plan.agent is None or not asked:
        return
    yield from _of_options(plan.agent, playing)
    by_programs = plan.agent.kind == HANDS and plan.agent.options.get("acts_by") == "programs"
    if by_programs or (plan.agent.uses_code and any(writes_code(task, offered) for task in playing)):
        reason = _why_no_sandbox()
        if reason:
            sentence = f"Agents that write code need a sandbox, and none works here: {reason}"
            yield Concern(contender="", sentence=sentence, stops=True)


def _of_hands(plan: BatchPlan, chosen: Sequence[Task[Any]]) -> Iterator[Concern]:
    """What models with hands cannot do, and which tasks have no commands."""
    if plan.agent is None or plan.agent.kind != HANDS:
        return
    without = sorted({task.title for task in chosen if HANDS not in agents_of(task)})
    if without:
        sentence = f"{', '.join(without)}: there are no commands, so each model gets a single question."
        yield Concern(contender="", sentence=sentence, stops=False)
    if plan.agent.options.get("sees", "both") == "text":
        return
    for contender in plan.contenders:
        if contender.capabilities is not None and contender.capabilities.refuses_pictures:
            sentence = "It refuses pictures, so it is offered none and sees the answer as text."
            yield Concern(contender=contender.base or contender.settings.name, sentence=sentence, stops=False)


def _of_options(agent: AgentPlan, playing: Sequence[Task[Any]]) -> Iterator[Concern]:
    """Options of the agent that a task does not know, or values that it does not take."""
    kinds = dict.fromkeys(options_for(task, agent.kind) for task in playing)
    for kind in kinds if agent.options else ():
        if kind is None:
            yield Concern(contender="", sentence=f"The agent “{agent.kind}” takes no options.", stops=True)
            continue
        try:
            kind.model_validate(dict(agent.options))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            sentence = f"Option {format_path(first['loc'])} of the agent: {first['msg']}"
            yield Concern(contender="", sentence=sentence, stops=True)


def _why_no_sandbox() -> str:
    from spatial_workbench.engine.sandbox import availability

    sandbox = availability()
    return "" if sandbox.available else sandbox.reason
