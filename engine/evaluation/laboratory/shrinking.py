"""Makes an answer small that two verifiers judge differently, and keeps the difference.

Delta debugging (Zeller and Hildebrandt, 2002) over the entries of every list, then what removing neighbours does not
reach (`simpler`), then over texts, then over numbers, and then over the instance, where the task generates smaller
ones: with the same answer, or with one that is made anew from the smaller instance's reference.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from spatial_workbench.engine.core import Cancelled, InstanceError, Progress, Task, resolve, silent
from spatial_workbench.engine.core.declared_fields import FieldKind, declared_fields
from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    Path,
    as_answer,
    digits_of,
    element_count,
    is_number,
    most_digits,
    part_at,
    parts_of,
    paths_to,
    plain_data,
    size_of,
    with_part,
)
from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding
from spatial_workbench.engine.evaluation.laboratory.searching.asking import ProgramMissed, ask_all, findings_in
from spatial_workbench.engine.evaluation.laboratory.searching.mutating import mutated, whole_changes
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup, known_in
from spatial_workbench.engine.evaluation.laboratory.simpler import (
    moved_to_zero,
    with_entries_of,
    with_fewer_entries,
    with_simpler_entries,
)
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, verifiers_of

Keeps = Callable[[str, str], bool]
"""(address, answer) -> whether the difference is still there."""

LIMIT_S = 60.0
MOST_ASKED = 4000
MADE_SMALL = "made small"
_MOST_ROUNDS = 6
_SMALLER_SEEDS = 3
_MADE_ANEW = 40
"""How many changes of the reference of a smaller instance are tried."""
_FEW = 4
"""An answer of so few elements is small enough; no other instance is looked for."""


@dataclass(frozen=True)
class SmallAnswer:
    """An answer that was made small.

    Attributes:
        address: Address of the instance, which may be a smaller one.
        answer: Text of the answer.
        asked: How many answers were asked about.
        is_finished: Whether nothing smaller was found; False if a limit was reached before.
    """

    address: str
    answer: str
    asked: int
    is_finished: bool


class _Enough(Exception):
    """A limit was reached."""


class _Shrinking:
    def __init__(
        self,
        address: str,
        answer: str,
        keeps: Keeps,
        limit_s: float,
        most: int,
        progress: Progress,
        clock: Callable[[], float],
    ) -> None:
        self.address = address
        self.answer = answer
        self.asked = 0
        self._keeps = keeps
        self._clock = clock
        self._deadline = clock() + limit_s
        self._most = most
        self._progress = progress
        self._known: dict[tuple[str, str], bool] = {}

    def holds(self, address: str, answer: str) -> bool:
        """Whether the difference is there in another answer, which is then the smallest so far."""
        place = address, answer
        if place not in self._known:
            self.rest()
            self.asked += 1
            elements, digits, characters = size_of(self.answer)
            words = f"{elements} elements, {digits} digits, {characters} characters"
            self._progress(self.asked, self._most, words)
            self._known[place] = self._keeps(address, answer)
        if self._known[place]:
            self.address, self.answer = address, answer
        return self._known[place]

    def rest(self) -> None:
        """Raises _Enough if a limit is reached."""
        if self.asked >= self._most or self._clock() > self._deadline:
            raise _Enough

    def takes(self, data: Any) -> bool:
        """The same for plain data and the instance as it is."""
        text = as_answer(data)
        return text != self.answer and self.holds(self.address, text)

    def shows(self, address: str, answer: str) -> bool:
        """Whether the difference is there in an answer that is not taken, even if it is."""
        before = self.address, self.answer
        shown = self.holds(address, answer)
        self.address, self.answer = before
        return shown

    def beginning_at(self, address: str, answer: str) -> _Shrinking:
        """The same with another answer, within the same limits."""
        other = copy(self)
        other.address, other.answer = address, answer
        return other

    def takes_smaller(self, other: _Shrinking) -> bool:
        """Takes what another one came to if that has fewer elements."""
        self.asked = other.asked
        if element_count(other.answer) < element_count(self.answer):
            self.address, self.answer = other.address, other.answer
            return True
        return False

    @property
    def data(self) -> Any:
        return plain_data(self.answer)


def made_small(
    address: str,
    answer: str,
    keeps: Keeps,
    limit_s: float = LIMIT_S,
    most_asked: int = MOST_ASKED,
    progress: Progress = silent,
    clock: Callable[[], float] = time.monotonic,
) -> SmallAnswer:
    """A smaller answer, on the same instance or a smaller one, in which the difference is still there.

    Equal arguments give equal answers unless the time is used up.

    limit_s: Seconds of `clock`.

    Raises:
        Cancelled: Raised by `progress`.
    """
    shrinking = _Shrinking(address, answer, keeps, limit_s, most_asked, progress, clock)
    is_finished = True
    try:
        _shrink_all(shrinking)
    except _Enough:
        is_finished = False
    return SmallAnswer(shrinking.address, shrinking.answer, shrinking.asked, is_finished)


def group_made_small(
    group: FindingGroup,
    limit_s: float = LIMIT_S,
    progress: Progress = silent,
    others: Sequence[AnyVerifier] = (),
    programs: bool = False,
) -> FindingGroup:
    """The group with a smaller case in the place of its smallest.

    A difference that was found by asking twice stays as it is, because it may not come again.

    Raises:
        Cancelled: Raised by `progress`.
    """
    finding = group.smallest
    way = finding.divergence
    if way.first == way.second:
        return group
    task = resolve(finding.address)[0]
    keeps = keeping(task, way, others, programs, known_in(finding))
    small = made_small(finding.address, finding.answer, keeps, limit_s, progress=progress)
    if (small.address, small.answer) == (finding.address, finding.answer):
        return group
    verifiers = [each for each in verifiers_of(task, others) if each.name in (way.first, way.second)]
    ruled = ask_all(verifiers, resolve(small.address)[1], small.answer, programs)
    source = finding.source if finding.source.endswith(MADE_SMALL) else f"{finding.source}, {MADE_SMALL}"
    smallest = Finding(small.address, small.answer, source, way, ruled[way.first], ruled[way.second])
    return replace(group, smallest=smallest)


def keeping(
    task: Task[Any],
    wanted: Divergence,
    others: Sequence[AnyVerifier] = (),
    programs: bool = False,
    known: Sequence[str] = (),
) -> Keeps:
    """Whether an answer still shows a difference of the same shape, and these known differences."""
    verifiers = verifiers_of(task, others)
    of_pair = [verifier for verifier in verifiers if verifier.name in (wanted.first, wanted.second)]

    def keeps(address: str, answer: str) -> bool:
        try:
            ruled: dict[str, Ruled] = ask_all(of_pair, resolve(address)[1], answer, programs)
        except (ProgramMissed, InstanceError):
            return False
        found = findings_in(of_pair, ruled, address, answer, MADE_SMALL)
        return any(
            finding.divergence.shape == wanted.shape and set(known) <= set(known_in(finding)) for finding in found
        )

    return keeps


def _shrink_all(shrinking: _Shrinking) -> None:
    # The instance before what takes long: an answer to a smaller one is soon smaller than all that can be removed here.
    _shrink_lists(shrinking)
    _shrink_texts(shrinking)
    _make_anew(shrinking)
    _shrink_answer(shrinking)
    _shrink_instance(shrinking)


def _shrink_answer(shrinking: _Shrinking) -> None:
    for _ in range(_MOST_ROUNDS):
        before = shrinking.address, shrinking.answer
        _shrink_lists(shrinking)
        _take_as_long_as(shrinking, with_fewer_entries)
        _shrink_texts(shrinking)
        _drop_keys(shrinking)
        _take_as_long_as(shrinking, with_simpler_entries)
        _shrink_numbers(shrinking)
        if (shrinking.address, shrinking.answer) == before:
            break


# Elements ------------------------------------------------------------------------------------------------------------


def _shrink_lists(shrinking: _Shrinking) -> None:
    """Removes entries of every list, the largest first."""
    if isinstance(shrinking.data, str):
        return
    lists = paths_to(shrinking.data, lambda part: isinstance(part, list) and len(part) > 0)
    for path in sorted(lists, key=lambda path: -len(part_at(shrinking.data, path))):
        entries = _entries_at(shrinking, path)
        if entries is not None:
            _remove(entries, partial(_takes_at, shrinking, path))


def _takes_at(shrinking: _Shrinking, path: Path, part: Any) -> bool:
    """Whether the difference is there if the part at a path is another."""
    return shrinking.takes(with_part(shrinking.data, path, part))


def _takes_joined(shrinking: _Shrinking, path: Path, joint: str, pieces: list[str]) -> bool:
    return _takes_at(shrinking, path, joint.join(pieces))


def _entries_at(shrinking: _Shrinking, path: Path) -> list[Any] | None:
    """The list at a path, if there still is one."""
    try:
        part = part_at(shrinking.data, path)
    except (LookupError, TypeError):
        return None
    return part if isinstance(part, list) else None


def _remove(entries: list[Any], takes: Callable[[list[Any]], bool]) -> list[Any]:
    """The ddmin algorithm: removes ever smaller pieces as long as what is left is taken."""
    pieces = 2
    if entries and takes([]):
        return []
    while len(entries) >= 2:
        width = max(1, len(entries) // pieces)
        for begin in range(0, len(entries), width):
            left = entries[:begin] + entries[begin + width :]
            if left and takes(left):
                entries, pieces = left, max(2, pieces - 1)
                break
        else:
            if width == 1:
                break
            pieces = min(len(entries), pieces * 2)
    return entries


def _take_as_long_as(shrinking: _Shrinking, simpler: Callable[[Any], Iterator[Any]]) -> None:
    """Takes the first of some simpler answers that keeps the difference, as long as there is one."""
    while any(shrinking.takes(data) for data in simpler(shrinking.data)):
        continue


def _shrink_texts(shrinking: _Shrinking) -> None:
    """Removes lines, then words, then characters of texts."""
    for path, part in list(parts_of(shrinking.data)):
        if isinstance(part, str) and part and path[:1] != ("reasoning",):
            for joint in ("\n", " ", ""):
                pieces = part.split(joint) if joint else list(part)
                if len(pieces) < 2 or (not joint and len(pieces) > 400):
                    continue
                pieces = _remove(pieces, partial(_takes_joined, shrinking, path, joint))
                part = joint.join(pieces)
    data = shrinking.data
    if isinstance(data, dict) and data.get("reasoning"):
        shrinking.takes({**data, "reasoning": ""})


def _drop_keys(shrinking: _Shrinking) -> None:
    """Removes keys of records."""
    records = paths_to(shrinking.data, lambda part: isinstance(part, dict))
    for path in records:
        for key in list(_record_at(shrinking, path)):
            record = _record_at(shrinking, path)
            if key in record:
                left = {name: value for name, value in record.items() if name != key}
                shrinking.takes(with_part(shrinking.data, path, left))


def _record_at(shrinking: _Shrinking, path: Path) -> dict[str, Any]:
    try:
        part = part_at(shrinking.data, path)
    except (LookupError, TypeError):
        return {}
    return part if isinstance(part, dict) else {}


# Numbers -------------------------------------------------------------------------------------------------------------


def _shrink_numbers(shrinking: _Shrinking) -> None:
    """Numbers become zero, equal to others, or shorter: all at once, all of one axis, then one by one."""
    paths = paths_to(shrinking.data, is_number)
    for together in [paths, *_axes(paths)]:
        for digits in (0, 1, 2, 3, 4, 6):
            if len(together) > 1 and _take_rounded(shrinking, together, digits):
                break
    for moved in moved_to_zero(shrinking.data):
        if most_digits(as_answer(moved)) <= most_digits(shrinking.answer):
            shrinking.takes(moved)
    common: list[Any] = []
    for path in paths:
        value = part_at(shrinking.data, path)
        for simple in _simpler(value, common):
            if shrinking.takes(with_part(shrinking.data, path, simple)):
                break
        value = part_at(shrinking.data, path)
        if value not in common:
            common = [value, *common][:4]


def _axes(paths: list[Path]) -> list[list[Path]]:
    return [[path for path in paths if path[-1] == axis] for axis in dict.fromkeys(path[-1] for path in paths)]


def _take_rounded(shrinking: _Shrinking, paths: list[Path], digits: int) -> bool:
    data = shrinking.data
    for path in paths:
        value = part_at(data, path)
        data = with_part(data, path, _with_digits(value, digits))
    return shrinking.takes(data)


def _with_digits(value: float, digits: int) -> float:
    if not digits or value != value or value in (float("inf"), -float("inf")):
        return value if digits else 0
    short = float(f"{value:.{digits}g}")
    return int(short) if isinstance(value, int) or short.is_integer() else short


def _shortened(value: float, digits: int) -> Iterator[float]:
    """A number with a few digits: the nearest, and the next ones below and above it."""
    nearest = _with_digits(value, digits)
    yield nearest
    if math.isfinite(value) and value:
        step = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
        for other in (nearest - step, nearest + step):
            yield _with_digits(int(other) if isinstance(value, int) else other, digits)


def _simpler(value: float, common: list[Any]) -> Iterator[Any]:
    """Numbers that are simpler than a number, the simplest first."""
    length = digits_of(value)
    tried = [0, 1, *(other for other in common if digits_of(other) <= length)]
    tried += [short for digits in range(1, min(length, 8)) for short in _shortened(value, digits)]
    if isinstance(value, int) and abs(value) > 1:
        tried += [value // 2, value - 1 if value > 0 else value + 1]
    tried = [simple for simple in tried if simple != value and _rank(simple) < _rank(value)]
    yield from dict.fromkeys(tried)


def _rank(value: float) -> tuple[int, int, float]:
    """A key by which simpler numbers come first."""
    return digits_of(value), int(value < 0), abs(value)


# The instance --------------------------------------------------------------------------------------------------------


def _shrink_instance(shrinking: _Shrinking) -> None:
    """Tries the same answer on small instances, where the instance is a generated one."""
    task, instance = resolve(shrinking.address)
    if task.generates and instance.seed is not None:
        for address in _smaller_instances(task):
            if address != instance.address and shrinking.holds(address, shrinking.answer):
                return


def _make_anew(shrinking: _Shrinking) -> None:
    """Tries answers to small instances that are made anew, where the answer has many elements."""
    task, _ = resolve(shrinking.address)
    if task.generates and element_count(shrinking.answer) > _FEW:
        for address in _smaller_instances(task):
            if _takes_anew(shrinking, task, address):
                return


def _takes_anew(shrinking: _Shrinking, task: Task[Any], address: str) -> bool:
    """Whether an answer to another instance, changed from its reference, shows the difference and becomes smaller."""
    for text in _answers_anew(task, address, shrinking.data):
        shrinking.rest()
        if shrinking.shows(address, text):
            other = shrinking.beginning_at(address, text)
            try:
                _shrink_answer(other)
            finally:
                is_taken = shrinking.takes_smaller(other)
            return is_taken
    return False


def _answers_anew(task: Task[Any], address: str, old: Any) -> Iterator[str]:
    """The reference of an instance, with an entry of the old answer, changed as a whole, or at random.

    Equal arguments give equal answers.
    """
    try:
        text = task.format(task.solve(resolve(address)[1]))
    except Cancelled:
        raise
    except Exception:
        # Some solvers find nothing for some instances; then there is nothing to change.
        return
    yield text
    data = plain_data(text) if task.answer_format == "json" else text
    if not isinstance(data, str):
        yield from (as_answer(changed) for changed in with_entries_of(old, data))
        yield from (as_answer(changed) for changed in whole_changes(data))
    rng = np.random.default_rng(0)
    for _ in range(_MADE_ANEW):
        changed = mutated(data, rng)
        if changed is not None:
            yield as_answer(changed)


def _smaller_instances(task: Task[Any]) -> Iterator[str]:
    """Generated instances whose parameters have their least values: all of them, then each alone."""
    fields = [each for each in declared_fields(task.difficulty) if each.low is not None]
    counts = {each.path: each.low for each in fields if each.kind is FieldKind.COUNT}
    chosen = [counts, *({each.path: each.low} for each in fields if len(fields) > 1)]
    for place, arguments in enumerate(chosen):
        for seed in range(1 if place else _SMALLER_SEEDS):
            try:
                yield task.generate(seed, **arguments).address
            except Cancelled:
                raise
            except Exception:
                # A generator may refuse its own least difficulty; then the instance stays as it is.
                break
