"""Asks a sample of answers again in another process, in the other order, with another order of sets.

What a verifier says may depend on what it was asked before, on what its process keeps, or on the order in which Python
goes through a set. None of this shows where the same process asks twice.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from spatial_workbench.engine.children import ChildProcess, Line, Message
from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier, asked
from spatial_workbench.engine.evaluation.laboratory.searching.asking import ProgramMissed, ask_all, gist, words_of
from spatial_workbench.engine.evaluation.laboratory.verifiers import Ruled, Trouble, verifiers_of

ELSEWHERE = "not the same in another process"
_FUNCTION = "spatial_workbench.engine.evaluation.laboratory.searching.elsewhere:serve"
_OTHER_ORDER = {"PYTHONHASHSEED": "4711"}
"""Another order of sets than in the processes that search."""


@dataclass(frozen=True)
class AskedBefore:
    """An answer that was asked about here, and what the verifiers said."""

    address: str
    answer: str
    source: str
    ruled: dict[str, Ruled]


def asked_elsewhere(
    sample: Sequence[AskedBefore], own: Sequence[dict[str, Any]] = (), programs: bool = False, limit_s: float = 300.0
) -> list[Finding]:
    """Where verifiers say something else of these answers in a fresh process, which is asked in the other order.

    own: The fields of each `OwnVerifier` that is asked beside the task's verifiers.
    limit_s: After so many seconds, the rest of the sample is left out; the start of the process does not count.
    """
    inbox: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
    order = list(sample)[::-1]
    child = ChildProcess(_FUNCTION, deliver=inbox.put, environment=_OTHER_ORDER)
    try:
        child.wait_until_ready()
        child.send(Message({"own": list(own), "programs": programs, "asked": [[a.address, a.answer] for a in order]}))
        return list(_differing(order, inbox, child, time.monotonic() + limit_s))
    finally:
        child.close()


def _differing(
    order: Sequence[AskedBefore], inbox: queue.SimpleQueue[Message | None], child: ChildProcess, deadline: float
) -> Iterator[Finding]:
    for before in order:
        try:
            message = inbox.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return
        if message is None:
            ended = Trouble("default", ELSEWHERE, f"Another process ended {child.obituary()}")
            yield _finding(before, "default", ended)
            return
        said: dict[str, list[Any]] = message.data["said"]
        for name, ruled in before.ruled.items():
            if name in said and not _is_same(ruled, said[name][0]):
                words = f"Here: {words_of(ruled)}. In another process: {said[name][1]}."
                yield _finding(before, name, Trouble(name, ELSEWHERE, words))


def _is_same(ruled: Ruled, other: Any) -> bool:
    """Whether a verifier said the same elsewhere; that it took too long there or here says nothing."""
    here = gist(ruled)
    return "time-out" in (here[0], other[0]) or here == other


def _finding(before: AskedBefore, name: str, trouble: Trouble) -> Finding:
    way = Divergence(name, name, ELSEWHERE, ELSEWHERE)
    return Finding(before.address, before.answer, before.source, way, before.ruled[name], trouble)


def serve(line: Line) -> None:
    """The other process: says of each answer what the verifiers say, in the order in which it gets them."""
    order = line.receive().data
    with ExitStack() as stack:
        others = [stack.enter_context(asked(OwnVerifier.model_validate(row))).verifier for row in order["own"]]
        for address, answer in order["asked"]:
            task, instance = resolve(address)
            try:
                ruled = ask_all(verifiers_of(task, others)[::-1], instance, answer, order["programs"])
            except ProgramMissed:
                ruled = {}
            said = {name: [gist(each), words_of(each)] for name, each in ruled.items()}
            line.send(Message({"said": said}))
