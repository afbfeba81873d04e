"""How small the stored answers to the known differences become: the second table in docs/laboratory.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spatial_workbench.engine.children import ProcessorClock
from spatial_workbench.engine.core import Progress, resolve, silent
from spatial_workbench.engine.core.registry import task as task_of
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.evaluation.laboratory.answer_parts import element_count, most_digits
from spatial_workbench.engine.evaluation.laboratory.known import KnownDifference, known_differences
from spatial_workbench.engine.evaluation.laboratory.searching.asking import ask_all, findings_in
from spatial_workbench.engine.evaluation.laboratory.shrinking import LIMIT_S, MOST_ASKED, keeping, made_small
from spatial_workbench.engine.evaluation.laboratory.verifiers import verifiers_of

FEW_ELEMENTS = 5
FEW_DIGITS = 3

Size = tuple[int, int]
"""Elements of an answer, and the digits of its longest number."""


@dataclass(frozen=True)
class ShrunkenDifference:
    """How small the stored answer to a known difference became.

    Attributes:
        task, id: Of the difference.
        before, after: The size of the stored answer, and of the small one.
        asked: About how many answers the verifiers were asked.
        seconds: Of the processor.
        is_finished: Whether nothing smaller was found; False if a limit was reached before.
    """

    task: str
    id: str
    before: Size
    after: Size
    asked: int
    seconds: float
    is_finished: bool

    @property
    def is_small(self) -> bool:
        """Whether it has fewer than five elements, and three digits at most."""
        return self.after[0] < FEW_ELEMENTS and self.after[1] <= FEW_DIGITS


def shrunken_differences(
    tasks: Sequence[str], limit_s: float = LIMIT_S, progress: Progress = silent
) -> Iterator[ShrunkenDifference]:
    """Makes the stored answers to the known differences of some tasks small, one after the other.

    limit_s: Seconds of the processor for each.

    Raises:
        Cancelled: Raised by `progress`, which is asked before each answer.
    """
    for task in tasks:
        for known in known_differences(task):
            yield _shrunken(task, known, limit_s, progress)


def _shrunken(name: str, known: KnownDifference, limit_s: float, progress: Progress) -> ShrunkenDifference:
    task = task_of(name)
    address, answer = known.example.address, known.example.answer
    pair = [verifier for verifier in verifiers_of(task) if verifier.name in ("default", known.verifier)]
    (finding,) = findings_in(pair, ask_all(pair, resolve(address)[1], answer), address, answer, known.id)
    keeps = keeping(task, finding.divergence, known=(known.id,))
    clock = ProcessorClock()
    began = clock()
    small = made_small(address, answer, keeps, limit_s, MOST_ASKED, progress, clock)
    sizes = [(element_count(text), most_digits(text)) for text in (answer, small.answer)]
    return ShrunkenDifference(name, known.id, sizes[0], sizes[1], small.asked, clock() - began, small.is_finished)


def as_size_table(rows: Sequence[ShrunkenDifference]) -> str:
    """The table of sizes, in Markdown: a row for each difference, and a sum."""
    lines = [
        "| task | difference | stored answer | made small | answers | seconds |",
        "|---|---|---|---|--:|--:|",
    ]
    for row in rows:
        more = "" if row.is_finished else ", limit reached"
        lines.append(
            f"| {row.task} | `{row.id}` | {_in_words(row.before)} | {_in_words(row.after)}{more} "
            f"| {row.asked:,} | {row.seconds:,.0f} |"
        )
    few = sum(row.after[0] < FEW_ELEMENTS for row in rows)
    short = sum(row.after[1] <= FEW_DIGITS for row in rows)
    small = sum(row.is_small for row in rows)
    lines.append(
        f"| all | {len(rows)} | | fewer than {FEW_ELEMENTS} elements: {few}; at most {FEW_DIGITS} digits: {short}; "
        f"both: {small} | {sum(row.asked for row in rows):,} | {sum(row.seconds for row in rows):,.0f} |"
    )
    return "\n".join(lines) + "\n"


def _in_words(size: Size) -> str:
    elements, digits = size
    return f"{counted(elements, 'element')}, {counted(digits, 'digit')}"
