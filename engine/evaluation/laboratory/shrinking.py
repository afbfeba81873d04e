"""Makes an answer small that two verifiers judge differently, and keeps the difference.

Delta debugging (Zeller and Hildebrandt, 2002) over the entries of every list, then over texts, then over numbers, and
then over the instance, where the task generates smaller ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from spatial_workbench.engine.core import Cancelled, InstanceError, Progress, Task, resolve, silent
from spatial_workbench.engine.evaluation.laboratory.answer_parts import (
    Path,
    as_answer,
    digits_of,
    is_number,
    part_at,
    parts_of,
    paths_to,
    plain_data,
    size_of,
    with_part,
)
from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding
from spatial_workbench.engine.evaluation.laboratory.searching.asking import ProgramMissed, ask_all, findings_in
from spatial_workbench.engine.evaluation.laboratory.searching.task_search import FindingGroup
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, verifiers_of

Keeps = Callable[[str, str], bool]
"""(address, answer) -> whether the difference is still there."""

LIMIT_S = 60.0
MOST_ASKED = 4000
MADE_SMALL = "made small"
_MOST_ROUNDS = 6
_SMALLER_SEEDS = 3


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
    def __init__(self, address: str, answer: str, keeps: Keeps, limit_s: float, most: int, progress: Progress) -> None:
        self.address = address
        self.answer = answer
        self.asked = 0
        self._keeps = keeps
        self._deadline = time.monotonic() + limit_s
        self._most = most
        self._progress = progress
        self._known: dict[tuple[str, str], bool] = {}

    def holds(self, address: str, answer: str) -> bool:
        """Whether the difference is there in another answer, which is then the smallest so far."""
        place = address, answer
        if place not in self._known:
            if self.asked >= self._most or time.monotonic() > self._deadline:
                raise _Enough
            self.asked += 1
            elements, digits, characters = size_of(self.answer)
            words = f"{elements} elements, {digits} digits, {characters} characters"
            self._progress(self.asked, self._most, words)
            self._known[place] = self._keeps(address, answer)
        if self._known[place]:
            self.address, self.answer = address, answer
        return self._known[place]

    def takes(self, data: Any) -> bool:
        """The same for plain data and the instance as it is."""
        text = as_answer(data)
        return text != self.answer and self.holds(self.address, text)

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
) -> SmallAnswer:
    """A smaller answer, on the same instance or a smaller one, in which the difference is still there.

    Equal arguments give equal answers unless the time is used up.

    Raises:
        Cancelled: Raised by `progress`.
    """
    shrinking = _Shrinking(address, answer, keeps, limit_s, most_asked, progress)
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
    keeps = keeping(task, way, others, programs)
    small = made_small(finding.address, finding.answer, keeps, limit_s, progress=progress)
    if (small.address, small.answer) == (finding.address, finding.answer):
        return group
    verifiers = [each for each in verifiers_of(task, others) if each.name in (way.first, way.second)]
    ruled = ask_all(verifiers, resolve(small.address)[1], small.answer, programs)
    source = finding.source if finding.source.endswith(MADE_SMALL) else f"{finding.source}, {MADE_SMALL}"
    smallest = Finding(small.address, small.answer, source, way, ruled[way.first], ruled[way.second])
    return replace(group, smallest=smallest)


def keeping(task: Task[Any], wanted: Divergence, others: Sequence[AnyVerifier] = (), programs: bool = False) -> Keeps:
    """Whether an answer still shows a difference of the same shape."""
    verifiers = verifiers_of(task, others)
    of_pair = [verifier for verifier in verifiers if verifier.name in (wanted.first, wanted.second)]

    def keeps(address: str, answer: str) -> bool:
        try:
            ruled: dict[str, Ruled] = ask_all(of_pair, resolve(address)[1], answer, programs)
        except (ProgramMissed, InstanceError):
            return False
        found = findings_in(of_pair, ruled, address, answer, MADE_SMALL)
        return any(finding.divergence.shape == wanted.shape for finding in found)

    return keeps


def _shrink_all(shrinking: _Shrinking) -> None:
    for _ in range(_MOST_ROUNDS):
        before = shrinking.address, shrinking.answer
        _shrink_lists(shrinking)
        _shrink_texts(shrinking)
        _drop_keys(shrinking)
        _shrink_numbers(shrinking)
        if (shrinking.address, shrinking.answer) == before:
            break
    _shrink_instance(shrinking)


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


def _simpler(value: float, common: list[Any]) -> Iterator[Any]:
    """Numbers that are simpler than a number, the simplest first."""
    length = digits_of(value)
    tried = [0, 1, *(other for other in common if digits_of(other) <= length)]
    tried += [_with_digits(value, digits) for digits in range(1, min(length, 8))]
    if isinstance(value, int) and abs(value) > 1:
        tried += [value // 2, value - 1 if value > 0 else value + 1]
    tried = [simple for simple in tried if simple != value and _rank(simple) < _rank(value)]
    yield from dict.fromkeys(tried)


def _rank(value: float) -> tuple[int, int, float]:
    """A key by which simpler numbers come first."""
    return digits_of(value), int(value < 0), abs(value)


# The instance --------------------------------------------------------------------------------------------------------


def _shrink_instance(shrinking: _Shrinking) -> None:
    """Tries the smallest instances that the task generates, with the same answer and with their own references."""
    task, instance = resolve(shrinking.address)
    if instance.seed is None or not task.generates:
        return
    for address in _smaller_instances(task, shrinking.address):
        if shrinking.holds(address, shrinking.answer):
            return


def _smaller_instances(task: Task[Any], address: str) -> Iterator[str]:
    for name, field in task.difficulty.model_fields.items():
        least = next((rule.ge for rule in field.metadata if hasattr(rule, "ge")), None)
        if isinstance(least, int) and not isinstance(least, bool):
            for seed in range(_SMALLER_SEEDS):
                try:
                    yield task.generate(seed, **{name: least}).address
                except Cancelled:
                    raise
                except Exception:
                    # A generator may refuse its own least difficulty; then the instance stays as it is.
                    continue
