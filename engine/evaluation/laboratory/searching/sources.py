"""Where answers come from: references, stored attempts, random answers, mutations, commands, and edges.

Each draw of a source depends on the seed, the lane, the source and the number of the draw, and on the answers that the
search has kept; so a search that is repeated draws the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from spatial_workbench.engine.core import AnswerError, Instance, Task, resolve
from spatial_workbench.engine.core.acting.commands import commands_of, schema_of
from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    as_answer,
    is_number,
    part_at,
    paths_to,
    plain_data,
    with_part,
)
from spatial_workbench.engine.evaluation.laboratory.searching.drawing import KnownOfInstance, drawn
from spatial_workbench.engine.evaluation.laboratory.searching.edges import along_a_number, between, switching_amounts
from spatial_workbench.engine.evaluation.laboratory.searching.mutating import (
    choices_in,
    few_elements,
    mutated,
    whole_changes,
    with_known_numbers,
)
from spatial_workbench.engine.evaluation.laboratory.searching.nearing import Approaches, NamedNumber, numbers_named
from spatial_workbench.engine.evaluation.laboratory.searching.texts import MOST_CHARACTERS
from spatial_workbench.engine.models.computed import random_data

SOURCES = ("reference", "stored", "whole", "mutation", "edge", "command", "early", "random", "few", "near")
"""The names of the sources, the cheap ones that give most first."""
GENERATED_SEEDS = 20
"""How many generated instances a search looks at beside the published ones."""
MOST_WHOLE = 12
"""How many answers are changed as a whole."""
_COMMANDS = 6
_STEPS_NEARER = 8


@dataclass(frozen=True)
class KeptAnswer:
    """An answer that the search keeps to change it further.

    Attributes:
        address: Address of its instance.
        answer: Its text.
        signature: What the verifiers said of it, roughly.
        passes: Whether it passes the default verifier.
        figures: The figures of the default's verdict, by name: value and unit; none if the score is 0.
    """

    address: str
    answer: str
    signature: str = ""
    passes: bool = False
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DrawnAnswer:
    """An answer to be asked about, and how it was made, in a few words."""

    address: str
    answer: str
    source: str


Says = Callable[[str, str], str]
"""(address, answer) -> what the default verifier says, roughly."""


@dataclass
class AnswerSources:
    """The sources of answers to one task.

    Attributes:
        task: The task.
        seed: Seed and lane.
        kept: The answers that may be changed, those that came first at the beginning.
        stored: Answers of stored attempts: address and text.
        says: Asks the default verifier, for edges.
        approaches: The answers that are brought nearer to numbers of the rules.
    """

    task: Task[Any]
    seed: tuple[int, ...]
    kept: list[KeptAnswer]
    stored: list[tuple[str, str]]
    says: Says
    approaches: Approaches = field(default_factory=Approaches)
    _materials: dict[str, KnownOfInstance] = field(default_factory=dict)
    _named: dict[str, list[NamedNumber]] = field(default_factory=dict)

    def available(self, draws: Mapping[str, int]) -> list[str]:
        """The sources that have something to give now; `draws` says how often each was asked."""
        needs_kept = ("whole", "mutation", "edge", "command", "early", "few", "near")
        return [
            name
            for name in SOURCES
            if (name not in needs_kept or self.kept)
            and (name != "reference" or draws.get(name, 0) < self.instance_count)
            and (name != "whole" or (draws.get(name, 0) < MOST_WHOLE and self.task.answer_format == "json"))
            and (name != "stored" or draws.get(name, 0) < len(self.stored))
            and (name != "command" or commands_of(self.task))
            and (name != "near" or any(kept.figures for kept in self.kept))
            and (name not in ("random", "edge", "few") or self.task.answer_format == "json")
        ]

    def draw(self, source: str, number: int) -> Iterator[DrawnAnswer]:
        """The answers of one draw of a source.

        Raises:
            Exception: The task's own code failed; nothing more comes of this draw.
        """
        rng = np.random.default_rng((*self.seed, SOURCES.index(source), number))
        yield from getattr(self, f"_draw_{source}")(rng, number)

    def instance(self, number: int) -> Instance:
        """The instance of a number: the published ones first, then generated ones."""
        published = self.task.instances()
        if number < len(published) or not self.task.generates:
            return published[number % len(published)]
        return self.task.generate((number - len(published)) % GENERATED_SEEDS)

    @property
    def instance_count(self) -> int:
        """How many instances the search looks at."""
        return len(self.task.instances()) + (GENERATED_SEEDS if self.task.generates else 0)

    # The sources ---------------------------------------------------------------------------------------------------

    def _draw_reference(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        instance = self.instance(number)
        yield DrawnAnswer(instance.address, self.task.format(self.task.solve(instance)), "reference")
        yield DrawnAnswer(instance.address, self.task.format(self.task.empty(instance)), "empty answer")

    def _draw_stored(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        address, answer = self.stored[number]
        yield DrawnAnswer(address, answer, "stored attempt")

    def _draw_random(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        instance = self.instance(int(rng.integers(self.instance_count)))
        for _ in range(4):
            yield DrawnAnswer(instance.address, as_answer(random_data(self.task.schema(), rng)), "random answer")

    def _draw_early(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        """The first elements of an answer, as a solver leaves them that is stopped, and a few from its middle."""
        base = self._base(rng)
        data = self._data(base.answer)
        if isinstance(data, str):
            yield DrawnAnswer(base.address, data[: int(rng.integers(len(data) + 1))], "answer stopped early")
            return
        lists = paths_to(data, lambda part: isinstance(part, list) and len(part) > 1)
        for path in lists[:1] if lists else ():
            entries = part_at(data, path)
            for count in sorted({0, 1, len(entries) // 2, len(entries) - 1, int(rng.integers(len(entries)))}):
                text = as_answer(with_part(data, path, entries[:count]))
                yield DrawnAnswer(base.address, text, "answer stopped early")
            for count in (1, 2, int(rng.integers(1, 5))):
                begin = int(rng.integers(len(entries)))
                text = as_answer(with_part(data, path, entries[begin : begin + count]))
                yield DrawnAnswer(base.address, text, "a few elements")

    def _draw_whole(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        """Answers that are moved, turned round or written otherwise as a whole."""
        base = self.kept[number % len(self.kept)]
        for changed in whole_changes(self._data(base.answer)):
            yield DrawnAnswer(base.address, as_answer(changed), "change of the whole")

    def _draw_few(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        """One to four elements, whose parts are drawn from those of all elements that are kept."""
        for _ in range(8):
            base = self._base(rng)
            data = few_elements(self._data(base.answer), rng, self._material(base.address))
            if data is not None:
                yield DrawnAnswer(base.address, as_answer(data), "a few elements")

    def _draw_mutation(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        for _ in range(8):
            base = self._base(rng)
            data = self._data(base.answer)
            if isinstance(data, str) and self.task.answer_format == "json":
                continue
            changed = mutated(data, rng, self._material(base.address))
            if changed is not None:
                text = as_answer(changed)
                if len(text) <= MOST_CHARACTERS:
                    yield DrawnAnswer(base.address, text, "mutation")

    def _draw_command(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        """What the task's own commands make of an answer, with arguments drawn from their schema."""
        base = self._base(rng)
        _, instance = resolve(base.address)
        commands = list(commands_of(self.task).values())
        try:
            answer = self.task.parse(base.answer)
        except AnswerError:
            return
        known = self._known_numbers(base)
        for _ in range(int(rng.integers(1, _COMMANDS))):
            command = commands[int(rng.integers(len(commands)))]
            arguments = with_known_numbers(random_data(schema_of(command.arguments), rng), rng, known)
            try:
                answer = command.apply(instance, answer, arguments)
            except AnswerError:
                continue
            yield DrawnAnswer(base.address, self.task.format(answer), f"command {command.name}")

    def _draw_edge(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        """The answers around where the default verifier switches, from an answer along a number or towards another."""
        base = self._base(rng)
        data = self._data(base.answer)
        way = self._way(base, data, rng)
        if way is None:
            return

        def says(amount: float) -> str:
            return self.says(base.address, as_answer(way(amount)))

        for amount in switching_amounts(says):
            yield DrawnAnswer(base.address, as_answer(way(amount)), "edge")

    def _draw_near(self, rng: np.random.Generator, number: int) -> Iterator[DrawnAnswer]:
        """Changes of an answer one of whose figures shall become a number that the rules name."""
        base = self._base(rng)
        self.approaches.begin(base.address, base.answer, base.figures, self._named_numbers(base.address), rng)
        approach = self.approaches.next(rng)
        for _ in range(_STEPS_NEARER if approach else 0):
            assert approach is not None
            approach.tries += 1
            changed = mutated(self._data(approach.answer), rng, self._material(approach.address))
            if changed is not None and len(text := as_answer(changed)) <= MOST_CHARACTERS:
                yield DrawnAnswer(approach.address, text, f"{approach.figure} near {approach.target:g}")

    def _named_numbers(self, address: str) -> list[NamedNumber]:
        """The numbers that the text and the parameters of an instance name."""
        if address not in self._named:
            text = self.task.prompt(resolve(address)[1]).text
            known = [NamedNumber(float(value)) for value in self._material(address).numbers]
            self._named[address] = list(dict.fromkeys([*numbers_named(text), *known]))
        return self._named[address]

    def _data(self, answer: str) -> Any:
        """An answer as plain data; one that is no JSON by its task's rules stays a text."""
        return plain_data(answer) if self.task.answer_format == "json" else answer

    def _material(self, address: str) -> KnownOfInstance:
        """What is known of an instance."""
        if address not in self._materials:
            choices = choices_in(self.task.schema())
            self._materials[address] = KnownOfInstance(choices, resolve(address)[1].parameters, self._other)
        return self._materials[address]

    def _other(self, rng: np.random.Generator) -> Any:
        return self._data(self._base(rng).answer)

    def _known_numbers(self, base: KeptAnswer) -> list[float]:
        """Numbers that arguments of commands may have: those of the instance and of the answer, and small ones."""
        data = self._data(base.answer)
        ours = [] if isinstance(data, str) else [part_at(data, path) for path in paths_to(data, is_number)]
        return list(dict.fromkeys([*range(4), *ours, *self._material(base.address).numbers]))

    def _way(self, base: KeptAnswer, data: Any, rng: np.random.Generator) -> Callable[[float], Any] | None:
        others = [kept for kept in self.kept if kept.address == base.address and kept.passes != base.passes]
        if others and rng.random() < 0.3:
            return between(data, self._data(others[int(rng.integers(len(others)))].answer))
        return along_a_number(data, rng)

    def _base(self, rng: np.random.Generator) -> KeptAnswer:
        """An answer to be changed: often one that passes, one kept lately, or of any instance; sooner a short one."""
        chosen = [kept for kept in self.kept if kept.passes] if rng.random() < 0.6 else self.kept
        chosen = chosen or self.kept
        way = rng.random()
        if way < 0.3:
            chosen = chosen[-5:]
        elif way < 0.7:
            shortest: dict[str, int] = {}
            for kept in chosen:
                shortest[kept.address] = min(len(kept.answer), shortest.get(kept.address, len(kept.answer)))
            published = [each for each in shortest if "@" not in each]
            addresses = published if published and rng.random() < 0.7 else list(shortest)
            address = min((drawn(rng, addresses) for _ in range(2)), key=lambda each: shortest[each])
            chosen = [kept for kept in chosen if kept.address == address]
        few = [chosen[int(place)] for place in rng.integers(len(chosen), size=1 if rng.integers(2) else 3)]
        return min(few, key=lambda kept: len(kept.answer))
