"""The search in one task: from a state to the next, as a job of an executor.

A state is JSON data, so that a search can be stored, resumed after it was killed, and continued on any machine.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from spatial_workbench.engine.children import ProcessorClock
from spatial_workbench.engine.core import Cancelled, Instance, Progress, Verdict, resolve, silent
from spatial_workbench.engine.core import task as task_of
from spatial_workbench.engine.core.abilities import answer_group_of
from spatial_workbench.engine.core.verdict import OF_ONE_JUDGING
from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    as_answer,
    part_at,
    paths_to,
    plain_data,
    size_of,
    with_part,
)
from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding
from spatial_workbench.engine.evaluation.laboratory.known import differences_of_rules, known_differences
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier, asked
from spatial_workbench.engine.evaluation.laboratory.searching.asking import (
    ProgramMissed,
    ask,
    ask_all,
    ask_twice,
    findings_in,
    signature,
)
from spatial_workbench.engine.evaluation.laboratory.searching.choosing import SourceYields
from spatial_workbench.engine.evaluation.laboratory.searching.elsewhere import AskedBefore, asked_elsewhere
from spatial_workbench.engine.evaluation.laboratory.searching.nearing import Approach, Approaches, figures_of
from spatial_workbench.engine.evaluation.laboratory.searching.sources import AnswerSources, DrawnAnswer, KeptAnswer
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble, verifiers_of
from spatial_workbench.engine.store.facts import CROSSCHECK, OWN_PREFIX

MOST_KEPT = 60
MOST_KEPT_CHARACTERS = 6_000_000
_FAULT_CHARACTERS = 300
_TWICE_EVERY = 25
"""Every so many answers, all verifiers are asked again."""
_ELSEWHERE_EVERY = 6
"""A sample of every so many jobs is asked again in another process, whose start takes a second or two."""
_SAMPLED_EVERY = 10
_MOST_ELSEWHERE = 40
_ELSEWHERE_S = 5.0
_DRAW_S = 3.0
"""A draw is left after so many seconds, so that slow verifiers leave time for other sources."""
_DEAR = 1.5
"""A verifier that takes so many times as long as the default is asked about some answers only."""
_SHARE_OF_DEAR = 0.3
"""The part of the time that dear verifiers may take, beside answers about which the others say something new."""
_COSTS_FROM = 5
_SHARE_OF_REFERENCES = 0.5
ROUNDING = "rounding"
"""The id of differences between default and cross-check that go away when all numbers move by 1e-12."""
_NUDGE = 1e-12
_NUDGES = 6
_NEW_GROUP = 5.0
"""What a new group of findings is worth beside an answer of a new signature."""


@dataclass(frozen=True)
class FindingGroup:
    """Findings that are most likely one disagreement: how many there are, and the smallest.

    Attributes:
        key: Equal for findings of the same pair, check and shape that show the same known differences.
        smallest: The finding whose answer has the fewest elements, then digits, then characters.
        count: How many were found.
        known: The ids of the known differences that it shows; "rounding" where default and cross-check part by that.
        seconds: How long the search had run when it found the first.
    """

    key: str
    smallest: Finding
    count: int
    known: tuple[str, ...]
    seconds: float

    @property
    def is_question(self) -> bool:
        """Whether nothing known explains it.

        The default parts from the cross-check or from a verifier of the user's own, or a verifier is in trouble.
        """
        way = self.smallest.divergence
        is_own = way.first == "default" and way.second.startswith(OWN_PREFIX)
        return not self.known and (way.second == CROSSCHECK or is_own or self.is_trouble)

    @property
    def is_trouble(self) -> bool:
        """Whether a verifier gave no verdict, or not the same twice."""
        return isinstance(self.smallest.first, Trouble) or isinstance(self.smallest.second, Trouble)

    def joined_with(self, other: FindingGroup) -> FindingGroup:
        """Both groups as one, which have the same key."""
        smaller = min((self, other), key=lambda group: size_of(group.smallest.answer))
        seconds = min(self.seconds, other.seconds)
        return FindingGroup(self.key, smaller.smallest, self.count + other.count, self.known, seconds)


@dataclass
class SearchState:
    """How far the search in a task is, in one lane.

    Attributes:
        task: Id of the task.
        seed, lane: What the draws depend on.
        asked: How many answers were asked about.
        seconds: How long that took.
        yields: What the sources gave.
        kept: The answers that are changed further.
        seen: Digests of the signatures that were seen.
        groups: Keys of the groups that were found.
        not_run: How many answers were left out because they hold programs.
        faults: What went wrong last in the task's own code where answers are made, by source.
        jobs: How many jobs it took so far.
        approaches: The answers that are brought nearer to numbers of the rules.
    """

    task: str
    seed: int
    lane: int = 0
    asked: int = 0
    seconds: float = 0.0
    yields: SourceYields = field(default_factory=SourceYields)
    kept: list[KeptAnswer] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    not_run: int = 0
    faults: dict[str, str] = field(default_factory=dict)
    jobs: int = 0
    approaches: Approaches = field(default_factory=Approaches)

    def as_data(self) -> dict[str, Any]:
        """The state as JSON data."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> SearchState:
        """The state in JSON data that `as_data` made. Raises TypeError or KeyError."""
        kept = [KeptAnswer(**row) for row in data["kept"]]
        under_way = [Approach(**row) for row in data.get("approaches", {}).get("under_way", ())]
        read = {"yields": SourceYields(**data["yields"]), "kept": kept, "approaches": Approaches(under_way)}
        return cls(**{**data, **read})


@dataclass(frozen=True)
class SearchLimits:
    """When a job of a search ends.

    Attributes:
        seconds: After so many seconds, counted where it runs; None: not by time, so that it can be repeated exactly.
        answers: After so many answers.
        of_processor: Whether seconds are those of the processor, so that other programs on the machine do not count;
            those of simulations, in processes of their own, do.
    """

    seconds: float | None = 10.0
    answers: int = 1_000_000
    of_processor: bool = False


class _DrawIsLong(Exception):
    """A draw has taken too long."""


class TaskSearch:
    """The search in one task and lane. `groups` is what was found since it was made."""

    def __init__(
        self,
        state: SearchState,
        others: Sequence[AnyVerifier] = (),
        stored: Sequence[tuple[str, str]] = (),
        programs: bool = False,
        journal: Path | None = None,
    ) -> None:
        """Continues from a state, which is changed.

        others: Verifiers of other people, beside the task's own.
        stored: Answers of stored attempts: address and text.
        programs: Whether programs in answers run, in the sandbox.
        journal: Where the answer is written that is asked about, so that it is known if the process dies.
        """
        self.state = state
        self._journal = journal
        self.groups: dict[str, FindingGroup] = {}
        self._task = task_of(state.task)
        self._verifiers = verifiers_of(self._task, others)
        self._programs = programs
        self._seen = set(state.seen)
        self._found = set(state.groups)
        self._clock: Callable[[], float] = time.perf_counter
        self._began = self._clock()
        self._draw_ends = math.inf
        self._asked_before: set[str] = set()
        self._is_timed = False
        self._costs: dict[str, tuple[int, float]] = {}
        """How often each verifier was asked, and how long that took."""
        self._seen_by_cheap: set[str] = set()
        self._sample: list[AskedBefore] = []
        self._sources = AnswerSources(
            self._task, (state.seed, state.lane), state.kept, list(stored), self._default_says, state.approaches
        )

    def run(self, limits: SearchLimits, progress: Progress = silent) -> None:
        """Asks until a limit is reached.

        Raises:
            Cancelled: Raised by `progress`.
        """
        before, asked_before = self.state.seconds, self.state.asked
        self._clock = ProcessorClock() if limits.of_processor else time.perf_counter
        self._is_timed = limits.seconds is not None
        self._began = self._clock() - before
        while not self._is_over(limits, before, asked_before):
            progress(self.state.asked - asked_before, limits.answers, f"{len(self._found)} groups")
            self._draw_once(limits, before, asked_before)
            self.state.seconds = self._clock() - self._began
        self.state.seen = sorted(self._seen)
        self.state.groups = sorted(self._found)

    def ask_elsewhere(self, own: Sequence[dict[str, Any]] = ()) -> None:
        """Asks again in another process about a sample of the answers that `run` asked about.

        own: The fields of each `OwnVerifier` that is asked beside the task's verifiers.
        """
        began = self._clock()
        limits = {"limit_s": _ELSEWHERE_S} if self._is_timed else {}
        for finding in asked_elsewhere(self._sample, own, self._programs, **limits):
            self._add(finding)
        self.state.seconds += self._clock() - began
        self.state.groups = sorted(self._found)

    def _is_over(self, limits: SearchLimits, before: float, asked_before: int) -> bool:
        spent = self._clock() - self._began - before
        return self.state.asked - asked_before >= limits.answers or (
            limits.seconds is not None and spent >= limits.seconds
        )

    def _draw_once(self, limits: SearchLimits, before: float, asked_before: int) -> None:
        """One draw of the source that promises most; what it gives is asked about until a limit is reached."""
        yields = self.state.yields
        source = self._next_source()
        began, asked, gain = self._clock(), self.state.asked, 0.0
        self._draw_ends = began + _DRAW_S if limits.seconds is not None else math.inf
        for candidate in self._candidates(source):
            gain += self._consider(candidate)
            if self._clock() > self._draw_ends or self._is_over(limits, before, asked_before):
                break
        cost = self._clock() - began if limits.seconds is not None else float(self.state.asked - asked + 1)
        yields.note(source, cost, gain)

    def _candidates(self, source: str) -> Iterator[DrawnAnswer]:
        """The answers of the next draw of a source, for all instances that they are judged on.

        A solver that fails, or a command with a fault, ends the draw, and the search goes on with the next.
        """
        try:
            for candidate in self._sources.draw(source, self.state.yields.draws.get(source, 0)):
                for address in self._twins(candidate.address):
                    yield replace(candidate, address=address)
        except Cancelled:
            raise
        except _DrawIsLong:
            pass
        except Exception as error:
            self.state.faults[source] = f"{type(error).__name__}: {error}"[:_FAULT_CHARACTERS]

    def _twins(self, address: str) -> list[str]:
        """The instances that are judged by the same answer, the given one first."""
        instance = resolve(address)[1]
        group = answer_group_of(self._task, instance)
        if group is None or instance.number is None:
            return [address]
        others = (each for each in self._task.instances() if each != instance)
        return [address, *(each.address for each in others if answer_group_of(self._task, each) == group)]

    def _next_source(self) -> str:
        """The published references first, as long as they take no more than a part of the time; then what is best."""
        yields, available = self.state.yields, self._sources.available(self.state.yields.draws)
        spent = yields.spent.get("reference", 0.0)
        is_first = yields.draws.get("reference", 0) < len(self._task.instances())
        if "reference" in available and is_first and spent <= _SHARE_OF_REFERENCES * sum(yields.spent.values()) + 20.0:
            return "reference"
        # What these give does not fall off, unlike what cheap sources give again and again.
        turn = sum(yields.draws.values()) % 4
        if "mutation" in available and turn % 2:
            return "mutation"
        if "near" in available and turn == 2:
            return "near"
        return yields.choose(available)

    def _consider(self, candidate: DrawnAnswer) -> float:
        """Asks about an answer; returns what it was worth: a new signature, new groups."""
        key = hashlib.sha1(f"{candidate.address} {candidate.answer}".encode(errors="replace")).hexdigest()[:16]
        if key in self._asked_before:
            return 0.0
        self._asked_before.add(key)
        self.state.asked += 1
        instance = resolve(candidate.address)[1]
        self._write_journal(candidate)
        try:
            verifiers, ruled = self._rulings(instance, candidate.answer)
        except ProgramMissed:
            self.state.not_run += 1
            return 0.0
        self.state.approaches.compare(candidate.address, candidate.answer, ruled[verifiers[0].name])
        found = findings_in(verifiers, ruled, candidate.address, candidate.answer, candidate.source)
        gain = sum(self._add(finding, _explained(finding, found)) for finding in found)
        if gain or self.state.asked % _TWICE_EVERY == 0:
            gain += self._ask_again(candidate, instance, verifiers, ruled)
        if (gain or self.state.asked % _SAMPLED_EVERY == 0) and len(self._sample) < _MOST_ELSEWHERE:
            self._sample.append(AskedBefore(candidate.address, candidate.answer, candidate.source, ruled))
        return gain + self._keep(candidate, ruled)

    def _rulings(self, instance: Instance, answer: str) -> tuple[list[AnyVerifier], dict[str, Ruled]]:
        """What the verifiers say; dear ones are asked where the others say something new, and as time allows."""
        dear = [verifier for verifier in self._verifiers[1:] if self._is_dear(verifier)]
        spent = {verifier.name: self._costs.get(verifier.name, (0, 0.0))[1] for verifier in self._verifiers}
        has_time = sum(spent[verifier.name] for verifier in dear) <= _SHARE_OF_DEAR * sum(spent.values())
        ruled: dict[str, Ruled] = {}
        asked = [verifier for verifier in self._verifiers if verifier not in dear]
        self._ask(asked, instance, answer, ruled)
        rough = hashlib.sha1(signature(ruled).encode()).hexdigest()[:12]
        if rough not in self._seen_by_cheap or has_time:
            self._ask(dear, instance, answer, ruled)
            asked = list(self._verifiers)
        self._seen_by_cheap.add(rough)
        return asked, {verifier.name: ruled[verifier.name] for verifier in asked}

    def _ask(self, verifiers: Sequence[AnyVerifier], instance: Instance, answer: str, ruled: dict[str, Ruled]) -> None:
        for verifier in verifiers:
            began = self._clock()
            ruled.update(ask_all([verifier], instance, answer, self._programs))
            count, seconds = self._costs.get(verifier.name, (0, 0.0))
            self._costs[verifier.name] = count + 1, seconds + self._clock() - began

    def _is_dear(self, verifier: AnyVerifier) -> bool:
        """Whether a verifier takes many times as long as the default; never where a search repeats exactly."""
        mine, default = (self._costs.get(name, (0, 0.0)) for name in (verifier.name, self._verifiers[0].name))
        known = self._is_timed and min(mine[0], default[0]) >= _COSTS_FROM
        return known and mine[1] / mine[0] > _DEAR * default[1] / default[0]

    def _write_journal(self, candidate: DrawnAnswer) -> None:
        if self._journal is not None:
            self._journal.write_text(json.dumps(asdict(candidate)), "utf-8")

    def _ask_again(
        self,
        candidate: DrawnAnswer,
        instance: Instance,
        verifiers: Sequence[AnyVerifier],
        ruled: dict[str, Ruled],
    ) -> float:
        changed = ask_twice(verifiers, instance, candidate.answer, ruled, self._programs)
        return sum(
            self._add(
                Finding(
                    candidate.address,
                    candidate.answer,
                    candidate.source,
                    Divergence(name, name, trouble.kind, trouble.kind),
                    ruled[name],
                    trouble,
                )
            )
            for name, trouble in changed.items()
        )

    def _add(self, finding: Finding, explained: tuple[str, ...] = ()) -> float:
        """Adds a finding to its group; returns what that is worth. `explained`: known differences it follows from."""
        known = explained or known_in(finding) or self._rounding_in(finding)
        key = "|".join((finding.divergence.shape, *known))
        group = FindingGroup(key, finding, 1, known, self._clock() - self._began)
        self.groups[key] = self.groups[key].joined_with(group) if key in self.groups else group
        is_new = key not in self._found
        self._found.add(key)
        return _NEW_GROUP if is_new else 0.0

    def _rounding_in(self, finding: Finding) -> tuple[str, ...]:
        """Whether default and cross-check part by rounding only: they agree as soon as all numbers move a little."""
        way = finding.divergence
        pair = [verifier for verifier in self._verifiers if verifier.name in (way.first, way.second)]
        if way.second != CROSSCHECK or isinstance(finding.first, Trouble) or isinstance(finding.second, Trouble):
            return ()
        rng = np.random.default_rng(self.state.seed)
        for _ in range(_NUDGES):
            nudged = _nudged(finding.answer, rng)
            if nudged == finding.answer:
                return ()
            ruled = ask_all(pair, resolve(finding.address)[1], nudged, self._programs)
            if findings_in(pair, ruled, finding.address, nudged, finding.source):
                return ()
        return (ROUNDING,)

    def _keep(self, candidate: DrawnAnswer, ruled: dict[str, Ruled]) -> float:
        """Keeps an answer of a new signature."""
        rough = signature(ruled)
        digest = hashlib.sha1(f"{candidate.source == 'reference'} {rough}".encode()).hexdigest()[:12]
        # A reference is kept for each instance, so that all of them are changed.
        if digest in self._seen and candidate.source != "reference":
            return 0.0
        is_new = digest not in self._seen
        self._seen.add(digest)
        default = ruled[self._verifiers[0].name]
        kept = self.state.kept
        kept.append(
            KeptAnswer(
                candidate.address,
                candidate.answer,
                rough[:200],
                isinstance(default, Verdict) and default.passed,
                figures_of(default),
            )
        )
        while len(kept) > MOST_KEPT or (len(kept) > 1 and sum(len(k.answer) for k in kept) > MOST_KEPT_CHARACTERS):
            del kept[_least_wanted(kept)]
        return float(is_new)

    def _default_says(self, address: str, answer: str) -> str:
        if self._clock() > self._draw_ends:
            raise _DrawIsLong
        default = self._verifiers[0]
        return signature({default.name: ask(default, resolve(address)[1], answer)})


def _explained(finding: Finding, found: Sequence[Finding]) -> tuple[str, ...]:
    """The known differences that both verifiers of a pair without the default show beside it, if both do."""
    pair = {finding.divergence.first, finding.divergence.second}
    beside_default = [
        known_in(other)
        for other in found
        if other.divergence.first == "default" and other.divergence.second in pair and "default" not in pair
    ]
    is_explained = len(beside_default) == 2 and all(beside_default)
    return tuple(dict.fromkeys(known for ids in beside_default for known in ids)) if is_explained else ()


def explore(
    state: dict[str, Any],
    limits: dict[str, Any],
    stored: Sequence[tuple[str, str]] = (),
    programs: bool = False,
    journal: str = "",
    own: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """Continues a search; a job of an executor.

    state: As `SearchState.as_data` gives it; `limits`: the fields of `SearchLimits`; `own`: the fields of each
        `OwnVerifier` that is asked beside the task's verifiers.

    Returns the new state, and the groups that were found meanwhile.
    """
    pairs = [(address, text) for address, text in stored]
    path = Path(journal) if journal and Path(journal).parent.is_dir() else None
    with ExitStack() as stack:
        others = [stack.enter_context(asked(OwnVerifier.model_validate(row))).verifier for row in own]
        search = TaskSearch(SearchState.from_data(state), others, pairs, programs, path)
        search.run(SearchLimits(**limits))
    if search.state.jobs % _ELSEWHERE_EVERY == 1:
        search.ask_elsewhere(own)
    search.state.jobs += 1
    return {"state": search.state.as_data(), "groups": [group_as_data(group) for group in search.groups.values()]}


def all_known_found(task: str, groups: Sequence[str]) -> bool:
    """Whether all known differences of a task are among the groups with these keys; False if it has none."""
    known = {difference.id for difference in differences_of_rules(task)}
    return bool(known) and known <= {word for key in groups for word in key.split("|")}


def group_as_data(group: FindingGroup) -> dict[str, Any]:
    """A group as JSON data."""
    finding = group.smallest
    return {
        "key": group.key,
        "address": finding.address,
        "answer": finding.answer,
        "source": finding.source,
        "divergence": asdict(finding.divergence),
        "ruled": [_ruled_as_data(finding.first), _ruled_as_data(finding.second)],
        "count": group.count,
        "known": list(group.known),
        "seconds": group.seconds,
    }


def group_from_data(data: dict[str, Any]) -> FindingGroup:
    """The group in JSON data that `group_as_data` made. Raises KeyError, TypeError or ValueError."""
    first, second = (_ruled_from_data(row) for row in data["ruled"])
    way = Divergence(**data["divergence"])
    finding = Finding(data["address"], data["answer"], data["source"], way, first, second)
    return FindingGroup(data["key"], finding, data["count"], tuple(data["known"]), data["seconds"])


def _ruled_as_data(ruled: Ruled) -> dict[str, Any]:
    if isinstance(ruled, Trouble):
        return {"trouble": asdict(ruled)}
    data: dict[str, Any] = ruled.model_dump(mode="json", exclude={"details", *OF_ONE_JUDGING})
    return {"verdict": data}


def _ruled_from_data(data: dict[str, Any]) -> Ruled:
    return Trouble(**data["trouble"]) if "trouble" in data else Verdict.model_validate(data["verdict"])


def known_in(finding: Finding) -> tuple[str, ...]:
    """The ids of the known differences that a finding shows."""
    default, other = finding.first, finding.second
    if not isinstance(default, Verdict) or not isinstance(other, Verdict) or default.verifier != "default":
        return ()
    task, instance = resolve(finding.address)
    return tuple(
        known.id for known in known_differences(task.id) if known.is_shown_by(instance, finding.answer, default, other)
    )


def _nudged(answer: str, rng: np.random.Generator) -> str:
    """An answer all of whose numbers with a point have moved by 1e-12 of their size, at random."""
    data = plain_data(answer)
    if isinstance(data, str):
        return answer
    for path in paths_to(data, lambda part: isinstance(part, float)):
        value = part_at(data, path)
        data = with_part(data, path, value + _NUDGE * max(1.0, abs(value)) * (1 if rng.integers(2) else -1))
    return as_answer(data)


def _least_wanted(kept: list[KeptAnswer]) -> int:
    """The place of the answer that is given up.

    The largest of those that do not pass if these are many; else the oldest of an instance with several answers.
    """
    failing = [k for k, answer in enumerate(kept[:-1]) if not answer.passes]
    if len(failing) > len(kept) // 2:
        return max(failing, key=lambda k: len(kept[k].answer))
    counts = Counter(answer.address for answer in kept)
    repeated = (k for k, answer in enumerate(kept[:-1]) if counts[answer.address] > 1)
    return next(repeated, max(range(len(kept) - 1), key=lambda k: len(kept[k].answer)))
