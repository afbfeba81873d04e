"""The figures of a trial: a table, and a sentence that says whether the machine holds so many people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict

from spatial_workbench.app.serving.load.crowd_report import CrowdReport, mark
from spatial_workbench.app.serving.load.taken_share import OF_PEOPLE, ProcessorShares, Taker
from spatial_workbench.engine.core.words import counted

MOST_MS = 200
"""Aim for the latency that 95 % of the moves do not exceed."""
PERSON_BYTES = 250_000_000
"""Aim for the memory of a person."""
MOST_UNANSWERED = 0.5
"""If more moves than this share had no picture, the others say little."""
_NOISE = 0.1
"""Other programs that keep so large a share of the processors busy spoil the figures."""


class LoadSummary(BaseModel):
    """The figures of a trial. What could not be measured is None.

    Attributes:
        people: How many took part.
        processors: How many this machine has.
        seconds: How long they worked.
        moves: How often the pointer was moved in items that answer to it.
        unanswered: Those of the moves after which no picture came.
        unanswering: People in items that do not answer to the pointer.
        median_ms, p95_ms, worst_ms: From a move of the pointer to the picture that changes there; where none does, to
            the next picture of the drawing.
        pictures_a_second: While somebody orbits.
        bytes_a_second: Of pictures, for each person.
        person_bytes: Memory for each person: window, verdict process, Xvnc and sandbox.
        memory: The same for each of these, and the gate's memory.
        person_processors: Processors that each person kept busy.
        processors_busy: The same for all people together, by kind of process.
        others_busy: Processors that other programs kept busy.
        handed_in: People who handed in an item at the end.
    """

    model_config = ConfigDict(extra="forbid")

    people: int
    processors: int
    seconds: float
    moves: int
    unanswered: int
    unanswering: int
    median_ms: float | None
    p95_ms: float | None
    worst_ms: float | None
    pictures_a_second: float | None
    bytes_a_second: float
    person_bytes: float
    memory: dict[Taker, float]
    person_processors: float
    processors_busy: dict[Taker, float]
    others_busy: float
    handed_in: int


def summary_of(
    people: int, processors: int, report: CrowdReport, memory: Mapping[Taker, int], shares: ProcessorShares
) -> LoadSummary:
    """The figures of a trial, from what was measured."""
    each = {kind: memory.get(kind, 0) / people for kind in OF_PEOPLE}
    answered = report.answered_ms
    return LoadSummary(
        people=people,
        processors=processors,
        seconds=report.seconds,
        moves=report.moves,
        unanswered=report.unanswered,
        unanswering=report.unanswering,
        median_ms=mark(answered, 0.5),
        p95_ms=mark(answered, 0.95),
        worst_ms=mark(answered, 1),
        pictures_a_second=report.pictures_a_second,
        bytes_a_second=report.bytes_received / people / report.seconds if report.seconds else 0,
        person_bytes=sum(each.values()),
        memory={**each, Taker.GATE: memory.get(Taker.GATE, 0)},
        person_processors=sum(shares.own.get(kind, 0) for kind in OF_PEOPLE) / people,
        processors_busy=dict(shares.own),
        others_busy=shares.others,
        handed_in=report.handed_in,
    )


def load_table(summary: LoadSummary) -> list[str]:
    """The lines of the table, and of what is to be said about it."""
    rows = list(_rows(summary))
    width = max(len(name) for name, _ in rows)
    return [*(f"{name:{width}}  {value}" for name, value in rows), "", verdict_on(summary)]


def _rows(summary: LoadSummary) -> Iterator[tuple[str, str]]:
    yield "people", f"{summary.people}, for {summary.seconds:.0f} s, on {counted(summary.processors, 'processor')}"
    if summary.p95_ms is None:
        yield "from pointer to picture", "nothing changed where the pointer was"
    else:
        yield (
            "from pointer to picture",
            f"median {summary.median_ms:.0f} ms, 95 % within {summary.p95_ms:.0f} ms, worst {summary.worst_ms:.0f} ms",
        )
    yield "moves without a picture", f"{summary.unanswered} of {summary.moves}"
    if summary.unanswering:
        yield "items that do not answer", f"those of {counted(summary.unanswering, 'person', 'people')}"
    pictures = summary.pictures_a_second
    yield "pictures while orbiting", "none" if pictures is None else f"{pictures:.1f} a second"
    yield "pictures sent", f"{summary.bytes_a_second / 1e6:.2f} MB/s a person"
    yield "memory a person", f"{_megabytes(summary.person_bytes)} ({_parts(summary)})"
    yield "memory of the gate", _megabytes(summary.memory[Taker.GATE])
    yield "processors a person", f"{summary.person_processors:.3f}"
    for kind, busy in summary.processors_busy.items():
        yield f"processors, {kind}", f"{busy:.2f}"
    yield "processors, other programs", f"{summary.others_busy:.2f}"
    yield "handed in", f"{summary.handed_in} of {summary.people}"


def _parts(summary: LoadSummary) -> str:
    return ", ".join(f"{kind} {_megabytes(summary.memory[kind])}" for kind in OF_PEOPLE if kind in summary.memory)


def _megabytes(count: float) -> str:
    return f"{count / 1e6:.0f} MB"


def verdict_on(summary: LoadSummary) -> str:
    """Whether the machine holds so many people; no more is said than was measured."""
    who = "1 person" if summary.people == 1 else f"{summary.people} people at once"
    if summary.p95_ms is None or summary.unanswered > MOST_UNANSWERED * summary.moves:
        return f"Whether this machine holds {who} cannot be told: most moves of the pointer changed nothing."
    faults = list(_faults(summary))
    if not faults:
        return f"This machine holds {who}: 95 % of the pictures came within {MOST_MS} ms, with {_used(summary)}."
    noise = summary.others_busy > _NOISE * summary.processors
    again = " Other programs kept it busy; try again when it is quiet." if noise else ""
    return f"This machine does not hold {who}: {' and '.join(faults)}.{again}"


def _used(summary: LoadSummary) -> str:
    return f"{_megabytes(summary.person_bytes)} of memory a person"


def _faults(summary: LoadSummary) -> Iterator[str]:
    """What is worse than the aims."""
    if summary.p95_ms is not None and summary.p95_ms >= MOST_MS:
        yield f"5 % of the pictures took {summary.p95_ms:.0f} ms or longer (aim: {MOST_MS} ms)"
    if summary.person_bytes > PERSON_BYTES:
        yield f"a person takes {_megabytes(summary.person_bytes)} of memory (aim: {_megabytes(PERSON_BYTES)})"
