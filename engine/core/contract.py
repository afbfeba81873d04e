"""Tasks: the contract that every task of the workbench fulfils."""

import hashlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core.answer import Answer
from spatial_workbench.engine.core.checks import Check, Problem, State, all_passed
from spatial_workbench.engine.core.declared_fields import GeneratorParameter, generator_parameters
from spatial_workbench.engine.core.errors import AnswerError, UnknownName, meant, option_sentence
from spatial_workbench.engine.core.families import Bucket, Family
from spatial_workbench.engine.core.headline import Headline
from spatial_workbench.engine.core.instance import Instance, InstanceError
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.core.reading.how_read import HowItWasRead
from spatial_workbench.engine.core.reading.limits import capped
from spatial_workbench.engine.core.reading.pipeline import READING_VERSION, read_answer
from spatial_workbench.engine.core.reuse import noticing_reuse
from spatial_workbench.engine.core.scene import Scene
from spatial_workbench.engine.core.solving.live import LiveRule
from spatial_workbench.engine.core.verdict import FULL_SCORE, PASS_TOLERANCE, READABLE, SCORE_TOLERANCE, Figure, Verdict
from spatial_workbench.engine.core.words import score_words

_WORTH = marked("The answer is worth {score} of it")
"""What costs the full score, where the task does not say."""
A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class Prompt:
    """What a solver is given: text, and pictures as PNG.

    `system` is what models get as their system message: advice that does not depend on the instance.
    """

    text: str
    pictures: tuple[bytes, ...] = ()
    system: str = ""

    @property
    def whole_text(self) -> str:
        """Everything that is said, the system message included."""
        return "\n\n".join(filter(None, (self.system, self.text)))

    @property
    def digest(self) -> str:
        """The SHA-256 of all texts and pictures."""
        digest = hashlib.sha256()
        for part in (self.system.encode(), self.text.encode(), *self.pictures):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
        return digest.hexdigest()


class Difficulty(BaseModel):
    """Base of a generator's arguments; the window builds its form from the fields' descriptions and bounds."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


@dataclass(frozen=True)
class Outcome:
    """What a verifier returns; `Task.verify` turns it into a Verdict.

    `passed` is set only if the task defines it as something other than "score of 1 and no check failed", and `how` only
    if the verifier itself found the answer in a text.
    """

    score: float
    checks: Sequence[Check]
    figures: Sequence[Figure] = ()
    warnings: Sequence[str] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    passed: bool | None = None
    how: HowItWasRead | None = None
    cost: str = ""
    """What keeps a score below 1 although no check failed: "The boxes fill 0.18 of the box around them"."""

    @classmethod
    def failed(cls, checks: Sequence[Check], **rest: Any) -> "Outcome":
        """A score of 0."""
        return cls(0.0, checks, **rest)


Verify = Callable[[Any, Instance, Any, Progress], Outcome]


@dataclass(frozen=True)
class Verifier:
    """A named way to judge answers of a task."""

    name: str
    version: str
    about: str
    run: Verify


def verifier(name: str, version: str, about: str) -> Callable[[Verify], Verify]:
    """Decorator for methods `(self, instance, answer, progress) -> Outcome` of a task.

    The version of the reader is added to the verifier's own, since a verdict depends on both. Every task has one named
    "default". "published" is the published verifier, faults included, where that differs.
    """

    def mark(method: Verify) -> Verify:
        method.__verifier__ = Verifier(name, f"{version}.{READING_VERSION}", about, method)  # type: ignore[attr-defined]
        return method

    return mark


def vary_field(what: str) -> Any:
    """The field `vary` of a difficulty: draws `what`, where it is not given, for more different instances."""
    return Field(False, description=f"whether {what} are drawn too, unless they differ from what is usual")


@runtime_checkable
class ReadsText(Protocol):
    """A task whose answers are not JSON; its `answer_format` is "text"."""

    def parse_text(self, text: str) -> Any:
        """Reads an answer. Raises AnswerError if it cannot be read; names the place."""


class _ParametersOfGenerator:
    """The attribute `generator_parameters` of a task and of its class; empty if it generates nothing."""

    def __get__(self, task: object, kind: Any) -> tuple[GeneratorParameter, ...]:
        return generator_parameters(kind.difficulty) if kind.generates else ()


class Task(ABC, Generic[A]):
    """A task: its instances, rules, verifiers, reference solution and drawing.

    What only some tasks can do, such as being played by agents, are classes to inherit beside this one; see
    `engine.core.abilities`.

    Subclasses set the class attributes, implement the abstract methods and mark at least one method with
    `@verifier("default", ...)`. The id is the module's name unless it is set.
    """

    generates: ClassVar[bool] = True
    """Whether instances can be generated from a seed."""
    id: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for the catalogue's card."""
    family: ClassVar[Family]
    bucket: ClassVar[Bucket]
    answer_type: type[A]
    answer_format: ClassVar[str] = "json"
    """"json", or "text" for tasks whose answers are not JSON."""
    has_one_answer: ClassVar[bool] = False
    """Whether all right answers are alike, so that equal ones say nothing about where they come from."""
    live: ClassVar[LiveRule] = LiveRule()
    """What the verdict shows while somebody builds an answer."""
    headline: ClassVar[Headline | None] = None
    """The figure that tables, charts and rankings show beside the score; None: the score says it all."""
    hidden: ClassVar[frozenset[str]] = frozenset()
    """Parameters that no solver may see: a stored solution, its figures, or what the prompt leaves out on purpose."""
    difficulty: ClassVar[type[Difficulty]] = Difficulty
    generator_parameters = _ParametersOfGenerator()
    """What `generate` takes beside the seed: names, sentences, types, bounds and defaults."""
    score_tolerance: ClassVar[float] = SCORE_TOLERANCE
    """By how much the scores of default and cross-check may differ."""
    judging_limit_s: ClassVar[float] = 120.0
    """How long judging or solving may take if the task comes from another package; what takes longer is stopped."""

    _verifiers: ClassVar[dict[str, Verifier]]

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "id" not in cls.__dict__:
            cls.id = cls.__module__.rpartition(".")[2]
        marked = [
            getattr(value, "__verifier__", None) for base in reversed(cls.__mro__) for value in vars(base).values()
        ]
        cls._verifiers = {mark.name: mark for mark in marked if mark is not None}

    # Instances ---------------------------------------------------------------------------------------------------

    @classmethod
    def resources(cls) -> Traversable:
        """The task's resource folder: `resources`, or the folder of that name in the package that adds the task.

        It holds tasks/<id>.json (the published instances), thumbnails/<id>-light.png and -dark.png,
        evaluation/cards/<id>.json, and rules/<id>.md.
        """
        package = cls.__module__.partition(".")[0]
        return files(package).joinpath("resources")

    @classmethod
    def rules(cls) -> str:
        """The rules in words, as Markdown; empty if there is no page of rules."""
        _, is_ours, name = cls.__module__.rpartition("spatial_workbench.engine.tasks.")
        own = files("spatial_workbench.docs") / "tasks" / f"{name.partition('.')[0]}.md" if is_ours else None
        page = own or cls.resources().joinpath("rules", f"{cls.id}.md")
        return page.read_text("utf-8") if page.is_file() else ""

    def published_rows(self) -> tuple[dict[str, Any], ...]:
        """The rows of the published instances: "instances" in tasks/<id>.json in the resource folder."""
        return _published_rows(type(self))

    def instances(self) -> Sequence[Instance]:
        """The published instances, in order."""
        return _published_instances(self)

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """The parameters of a published instance, from its row in the resources."""
        raise NotImplementedError

    def generate(self, seed: int, **difficulty: Any) -> Instance:
        """A new instance; equal arguments give equal instances.

        Raises:
            InstanceError: No instance can be made with this difficulty; says why.
        """
        validated = self.difficulty_of(difficulty)
        given = validated.model_dump(mode="json", exclude_defaults=True)
        return Instance.generated(
            self.id, seed, self.draw(np.random.Generator(np.random.PCG64(seed)), validated), given
        )

    def draw(self, rng: np.random.Generator, difficulty: Any) -> Mapping[str, Any]:
        """The parameters of a new instance; `difficulty` holds the validated arguments of the generator.

        Raises:
            InstanceError: No instance can be made with them; says why.
        """
        raise NotImplementedError

    @abstractmethod
    def caption(self, instance: Instance) -> str:
        """A short name of the instance, such as "4–7 cm"."""

    def difficulty_of(self, arguments: Mapping[str, Any]) -> Any:
        """The validated arguments of the generator.

        Raises:
            InstanceError: An argument is invalid; names it and the values it may have.
        """
        try:
            return self.difficulty.model_validate(arguments)
        except ValidationError as error:
            known = self.difficulty.model_fields
            raise InstanceError(option_sentence(error, known, f"parameter of {self.id}")) from None

    def visible_parameters(self, instance: Instance) -> dict[str, Any]:
        """What a solver may see of an instance's parameters: all but the hidden ones."""
        return {name: value for name, value in instance.parameters.items() if name not in self.hidden}

    def question_key(self, instance: Instance) -> str:
        """A key that is equal for instances that ask the same question; by default, those with equal prompts.

        Override it if the same question can be asked in other words.
        """
        return self.prompt(instance).digest

    # Answers -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def prompt(self, instance: Instance) -> Prompt:
        """Everything that a solver has to know."""

    @abstractmethod
    def empty(self, instance: Instance) -> A:
        """The answer that an editor starts with."""

    def parse(self, raw: Any) -> A:
        """Reads the answer of a person or a model from text, plain data, or an answer.

        Raises:
            AnswerError: It cannot be read; names the place.
        """
        if isinstance(self, ReadsText) and isinstance(raw, str | bytes):
            answer: A = self.parse_text(capped(raw))
            return answer
        return read_answer(self.answer_type, raw)

    def format(self, answer: A) -> str:
        """The answer as text that `parse` can read; the answer panel shows it."""
        return format_answer(answer)

    def schema(self) -> dict[str, Any]:
        """The JSON schema that is sent to a model; asks for the reasoning first, if the answer has such a field."""
        schema = self.answer_type.model_json_schema()
        if "reasoning" in schema.get("properties", {}):
            schema["required"] = ["reasoning", *(n for n in schema.get("required", ()) if n != "reasoning")]
        return schema

    # Verdicts ----------------------------------------------------------------------------------------------------

    def verifiers(self) -> Mapping[str, Verifier]:
        """The verifiers by name; "default" is the correct one."""
        return self._verifiers

    def verify(
        self, instance: Instance, answer: Any, verifier: str = "default", progress: Progress = silent
    ) -> Verdict:
        """Judges an answer (text, plain data or the answer type). An answer that cannot be read scores 0.

        Raises:
            UnknownName: The task has no verifier of that name; names those that there are.
            Cancelled: Raised by `progress`.
        """
        return _judged(self, known_verifier(self, verifier), instance, answer, progress)

    def crosscheck(self, instance: Instance, answer: Any, progress: Progress = silent) -> Verdict:
        """Judges an answer by the same rules as the default verifier, by another method, on the same scale.

        Raises:
            Cancelled: Raised by `progress`.
        """
        by_other_method = Verifier(
            "crosscheck", self.verifiers()["default"].version, "another method", type(self)._crosscheck
        )
        return _judged(self, by_other_method, instance, answer, progress)

    def verify_all(self, instance: Instance, answer: Any, progress: Progress = silent) -> tuple[Verdict, ...]:
        """The verdicts of all verifiers and of the cross-check: what is stored with an attempt.

        Raises:
            Cancelled: Raised by `progress`.
        """
        names = tuple(self.verifiers())
        verdicts = []
        for k, name in enumerate(names):
            progress(k, len(names) + 1, f"Verifier {name}")
            verdicts.append(self.verify(instance, answer, name, progress))
        progress(len(names), len(names) + 1, "Cross-check")
        return (*verdicts, self.crosscheck(instance, answer, progress))

    @abstractmethod
    def _crosscheck(self, instance: Instance, answer: A, progress: Progress) -> Outcome: ...

    # Solution and drawing ----------------------------------------------------------------------------------------

    @abstractmethod
    def solve(self, instance: Instance, progress: Progress = silent) -> A:
        """The reference solution."""

    @abstractmethod
    def scene(self, instance: Instance, answer: A | None = None, verdict: Verdict | None = None) -> Scene:
        """A drawing of the instance, with the answer and the findings of the verdict if they are given."""

    def thumbnail(self) -> Scene:
        """The picture on the catalogue's card: the first published instance, solved."""
        instance = self.instances()[0]
        return self.scene(instance, self.solve(instance))


def known_verifier(task: Task[Any], name: str) -> Verifier:
    """The verifier of a task by its name.

    Raises:
        UnknownName: The task has none of that name; names those that there are.
    """
    verifiers = task.verifiers()
    if name not in verifiers:
        near = meant(name, verifiers) or "."
        raise UnknownName(f"{task.id} has no verifier “{name}”{near} Verifiers: {', '.join(verifiers)}.")
    return verifiers[name]


def _judged(task: Task[Any], chosen: Verifier, instance: Instance, raw: Any, progress: Progress) -> Verdict:
    start = time.perf_counter()
    try:
        answer = task.parse(raw)
    except AnswerError as error:
        outcome = Outcome.failed([_unreadable(error)])
        warnings: Sequence[str] = ()
        how = error.how
        mending = ""
        is_cached = False
    else:
        with noticing_reuse() as reuse:
            outcome = chosen.run(task, instance, answer, progress)
        is_cached = reuse.is_noticed
        warnings = answer.warnings if outcome.how is None else outcome.how.sentences
        read = outcome.how or answer.how
        how = read.how
        mending = read.mending
    score = min(1.0, max(0.0, float(outcome.score)))
    full = score >= 1 - PASS_TOLERANCE and all_passed(outcome.checks)
    passed = full if outcome.passed is None else outcome.passed
    return Verdict(
        instance=instance.address,
        verifier=chosen.name,
        version=chosen.version,
        score=score,
        passed=passed,
        checks=(*outcome.checks, *_cost(outcome, score, passed)),
        figures=tuple(outcome.figures),
        warnings=(*warnings, *outcome.warnings),
        elapsed_s=time.perf_counter() - start,
        is_cached=is_cached,
        how_read=how,
        mending=mending,
        details=dict(outcome.details),
    )


@cache
def _published_rows(kind: type[Task[Any]]) -> tuple[dict[str, Any], ...]:
    text = kind.resources().joinpath("tasks", f"{kind.id}.json").read_text("utf-8")
    return tuple(json.loads(text)["instances"])


@cache
def _published_instances(task: Task[Any]) -> tuple[Instance, ...]:
    return tuple(Instance.published(task.id, i, task.parameters_of(row)) for i, row in enumerate(task.published_rows()))


def format_answer(answer: Answer) -> str:
    """An answer as JSON with one record of a list per line: readable, and short enough to scroll through."""
    from spatial_workbench.engine.core.formats.jsonlayout import layout

    return layout(answer.model_dump(mode="json", by_alias=True, exclude_defaults=False))


def packed(task: Task[Any], answer: Answer) -> str:
    """Writes an answer as the shortest text that the task can read."""
    return answer.model_dump_json() if task.answer_format == "json" else task.format(answer)


def formatted(task_id: str, text: str, progress: Progress = silent) -> str:
    """The text of an answer laid out for people; a function of plain data, so that a background process can do it."""
    from spatial_workbench.engine.core.registry import task

    judge = task(task_id)
    return judge.format(judge.parse(text))


def _cost(outcome: Outcome, score: float, passed: bool) -> list[Check]:
    """The check that says what keeps the score below 1 although every check passed; none in other cases."""
    if score >= 1 - PASS_TOLERANCE or not all_passed(outcome.checks):
        return []
    message = outcome.cost or _WORTH.format(score=score_words(score))
    if passed:
        return [Check(name=FULL_SCORE, state=State.PASSED, message=message)]
    return [Check.of(FULL_SCORE, [Problem(message)])]


def _unreadable(error: AnswerError) -> Check:
    return Check(
        name=READABLE,
        state=State.FAILED,
        message=str(error),
        problems=(Problem(str(error)),),
        problem_count=1,
    )
