"""Asks every verifier about an answer, and finds where two of them part."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from spatial_workbench.engine.children import ProcessorClock
from spatial_workbench.engine.core import Instance, State
from spatial_workbench.engine.core.consent import allow_programs
from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding, divergence
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble

ASKING_LIMIT_S = 60.0
"""How long a verifier may compute; that it takes longer is a finding."""
_CLOCK_TIMES = 4
"""How many times as long it may take by the clock, on a machine with other work."""
NOT_THE_SAME = "not the same twice"


class ProgramMissed(Exception):
    """The answer holds a program, and none may run, so that what verifiers say of it means nothing."""


def ask_all(
    verifiers: Sequence[AnyVerifier], instance: Instance, answer: str, programs: bool = False
) -> dict[str, Ruled]:
    """What each verifier says of an answer, by its name.

    programs: Whether programs in the answer run, in the sandbox.

    Raises:
        ProgramMissed: The answer holds a program, and none may run.
        Cancelled: Whoever waits for it no longer does.
    """
    with allow_programs(programs) as consent:
        ruled = {verifier.name: ask(verifier, instance, answer) for verifier in verifiers}
    if consent.was_missed:
        raise ProgramMissed
    return ruled


def ask(verifier: AnyVerifier, instance: Instance, answer: str, limit_s: float = ASKING_LIMIT_S) -> Ruled:
    """What a verifier says of an answer; that it takes too long is trouble, too, where it can be interrupted."""
    try:
        with _alarm(limit_s):
            return verifier.ask(instance, answer)
    except TimeoutError as error:
        return Trouble(verifier.name, "time-out", str(error))


def ask_twice(
    verifiers: Sequence[AnyVerifier],
    instance: Instance,
    answer: str,
    before: Mapping[str, Ruled],
    programs: bool = False,
) -> dict[str, Trouble]:
    """The verifiers that say something else when they are asked again, in the other order, unless they took too long.

    before: What they said the first time.
    """
    again = ask_all(verifiers[::-1], instance, answer, programs)
    return {
        name: Trouble(name, NOT_THE_SAME, f"First: {words_of(ruled)}. Then: {words_of(again[name])}.")
        for name, ruled in before.items()
        if gist(ruled) != gist(again[name]) and not any(map(_is_late, (ruled, again[name])))
    }


def gist(ruled: Ruled) -> Any:
    """What may not change when the same verifier is asked again, as plain data: score, checks, messages, figures."""
    if isinstance(ruled, Trouble):
        return [ruled.kind, ruled.message]
    checks = [[check.name, check.state.value, check.message] for check in ruled.checks]
    figures = [[figure.name, repr(figure.value)] for figure in ruled.figures]
    return [repr(ruled.score), ruled.passed, checks, figures]


def signature(ruled: Mapping[str, Ruled]) -> str:
    """What all verifiers say, roughly: answers of new signatures are worth changing further."""
    return ";".join(f"{name}:{_rough(each)}" for name, each in ruled.items())


def findings_in(
    verifiers: Sequence[AnyVerifier], ruled: Mapping[str, Ruled], address: str, answer: str, source: str
) -> list[Finding]:
    """Where two verifiers part on an answer, and where all are in trouble.

    A pair without the default is left out if it follows: the default agrees with one of them, and not with the other.
    """
    default, *others = verifiers
    parted = {other.name: _parting(default, other, ruled) for other in others}
    pairs = [(default, other, parted[other.name]) for other in others]
    for k, first in enumerate(others):
        pairs += [
            (first, second, _parting(first, second, ruled))
            for second in others[k + 1 :]
            if (parted[first.name] is None) == (parted[second.name] is None)
        ]
    found = [
        Finding(address, answer, source, way, ruled[first.name], ruled[second.name])
        for first, second, way in pairs
        if way is not None
    ]
    return found or _of_all(verifiers, ruled, address, answer, source)


def words_of(ruled: Ruled) -> str:
    """What a verifier said, in a few words."""
    if isinstance(ruled, Trouble):
        return f"{ruled.kind} ({ruled.message})"
    failed = next((f", fails {check.name}" for check in ruled.checks if check.state is State.FAILED), "")
    return f"{'passed' if ruled.passed else 'not passed'}, {ruled.score:.6g}{failed}"


def _parting(first: AnyVerifier, second: AnyVerifier, ruled: Mapping[str, Ruled]) -> Divergence | None:
    return divergence((first, ruled[first.name]), (second, ruled[second.name]))


def _of_all(
    verifiers: Sequence[AnyVerifier], ruled: Mapping[str, Ruled], address: str, answer: str, source: str
) -> list[Finding]:
    """The finding that the default is in trouble as the next verifier is, or alone if no other was asked."""
    first, second = (ruled[verifier.name] for verifier in (verifiers[0], verifiers[:2][-1]))
    if not isinstance(first, Trouble) or not isinstance(second, Trouble):
        return []
    way = Divergence(first.verifier, second.verifier, first.kind, f"{first.kind}, {second.kind}")
    return [Finding(address, answer, source, way, first, second)]


def _is_late(ruled: Ruled) -> bool:
    return isinstance(ruled, Trouble) and ruled.kind == "time-out"


def _rough(ruled: Ruled) -> str:
    if isinstance(ruled, Trouble):
        return f"{ruled.kind} {ruled.message.partition(':')[0]}"
    failed = [check.name for check in ruled.checks if check.state is State.FAILED]
    return f"{ruled.passed:d}{round(ruled.score * 10)}{','.join(failed)}{'w' if ruled.warnings else ''}"


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raises TimeoutError inside the `with` block, where the system can do that.

    It does so after some seconds of the processor, or four times as many of the clock.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    processor, ends = ProcessorClock(), time.monotonic() + _CLOCK_TIMES * seconds
    computed = processor()

    def give_up(*_: object) -> None:
        if processor() - computed >= seconds or time.monotonic() >= ends:
            raise TimeoutError(f"It took longer than {seconds:g} s.")

    old = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds / _CLOCK_TIMES)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
