"""Which parts of a session tell outcomes, and how a session travels without them.

Of main items, answers, sketches, the scratch pad, what people were told, the end *solved*, and the data of events are
sealed; times, counts, kinds of events, questionnaires, and everything about practice, attention and comprehension items
stay open. `without_outcomes` makes the open form, so that a state of a session has one digest, sealed or opened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from spatial_workbench.engine.studies.files.canonical import canonical
from spatial_workbench.engine.studies.files.sealing import SealError, open_bytes, seal_bytes
from spatial_workbench.engine.studies.sessions.schema import NOTES, SessionRecord, Submission, TrialRecord, TrialState

MAIN = "main"
SEALED_SESSION = "session"
"""The name under which the sealed part of a session is kept."""
SEALED_KIND = "sealed"
"""The kind of the last line of a chunk of events, which holds the sealed data of those before it."""
_TOLD_OF_SUBMISSIONS = ("answer", "is_readable", "told_score", "told_passed")
_OPEN_OF_EVENTS = frozenset({"n", "t", "b", "trial", "kind", "left", "ms", "cause", "merged", "item", "page"})
"""What stays open of an event during a main item."""

Once = Callable[[str, bytes, Callable[[bytes], str]], str]
"""Seals contents under a name, or returns what was sealed before if the contents are the same."""


def seal_anew(name: str, content: bytes, seal: Callable[[bytes], str]) -> str:
    """Seals contents without keeping the result: each call gives another text."""
    return seal(content)


def without_outcomes(session: SessionRecord) -> SessionRecord:
    """The open form of a session: without what tells outcomes of main items."""
    return session.model_copy(update={"trials": tuple(map(_open_form, session.trials))})


def tells_outcomes(session: SessionRecord) -> bool:
    """Whether a session says in the open what is to be sealed."""
    return without_outcomes(session) != session


def outcomes_in(session: SessionRecord) -> bytes:
    """What of a session is to be sealed."""
    return canonical({str(trial.position): _outcomes_of(trial) for trial in session.trials if trial.phase == MAIN})


def seal_session(session: SessionRecord, public: str, once: Once) -> SessionRecord:
    """A session with what tells outcomes encrypted to a public key."""
    sealed = once(SEALED_SESSION, outcomes_in(session), lambda content: seal_bytes(public, content))
    return without_outcomes(session).model_copy(update={"sealed": sealed})


def open_session(session: SessionRecord, private: bytes) -> SessionRecord:
    """A session with its outcomes again; one that was not sealed stays as it is.

    Raises:
        SealError: It was sealed for another key, or does not fit together.
    """
    if not session.sealed:
        return session
    try:
        outcomes = json.loads(open_bytes(private, session.sealed))
        trials = tuple(_with_outcomes(trial, outcomes.get(str(trial.position))) for trial in session.trials)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, SealError):
            raise
        raise SealError("The sealed part of the session does not fit its open part.") from error
    return session.model_copy(update={"trials": trials})


def seal_chunks(session: SessionRecord, chunks: Sequence[bytes], public: str, once: Once) -> tuple[bytes, ...]:
    """Chunks of events with the data of main items encrypted, each in a line at its end."""
    mains = {trial.position for trial in session.trials if trial.phase == MAIN}
    return tuple(
        once(f"events {number}", chunk, lambda content: _sealed_chunk(content, mains, public)).encode()
        for number, chunk in enumerate(chunks, 1)
    )


def open_chunk(chunk: bytes, private: bytes) -> bytes:
    """A chunk of events as it was before it was sealed; one that was not sealed stays as it is.

    Raises:
        SealError: It was sealed for another key, or does not fit together.
    """
    head, line = _without_sealed_line(chunk)
    if line is None:
        return chunk
    try:
        withheld = json.loads(open_bytes(private, json.loads(line)["data"]))
        lines = [json.loads(text) for text in head.splitlines()]
        return b"".join(_line(event | withheld.get(str(number), {})) for number, event in enumerate(lines))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, SealError):
            raise
        raise SealError("The sealed part of the events does not fit their open part.") from error


def readable_chunk(chunk: bytes, private: bytes | None) -> bytes:
    """A chunk of events opened by a key, or its open lines where there is no key or it does not fit."""
    try:
        return open_chunk(chunk, private) if private is not None else open_events(chunk)
    except SealError:
        return open_events(chunk)


def sealed_size(session: SessionRecord) -> int:
    """How many bytes of a session are sealed."""
    return len(session.sealed) * 3 // 4


def open_events(chunk: bytes) -> bytes:
    """The open lines of a chunk of events."""
    return _without_sealed_line(chunk)[0]


def _open_form(trial: TrialRecord) -> TrialRecord:
    if trial.phase != MAIN:
        return trial
    handed_in = tuple(
        Submission(number=one.number, active_ms=one.active_ms, answer="", is_given_up=one.is_given_up)
        for one in trial.submissions
    )
    state = TrialState.SUBMITTED if trial.state is TrialState.SOLVED else trial.state
    return trial.model_copy(
        update={"submissions": handed_in, "state": state, "sketches": {}, "scratch": "", "unapplied": ""}
    )


def _outcomes_of(trial: TrialRecord) -> dict[str, Any]:
    data = trial.model_dump(mode="json")
    notes = {name: data[name] for name in NOTES if data.get(name)}
    submissions = [{name: one[name] for name in _TOLD_OF_SUBMISSIONS} for one in data["submissions"]]
    return {"state": data["state"], "submissions": submissions, **notes}


def _with_outcomes(trial: TrialRecord, outcomes: Mapping[str, Any] | None) -> TrialRecord:
    if trial.phase != MAIN or outcomes is None:
        return trial
    pairs = zip(trial.submissions, outcomes["submissions"], strict=True)
    submissions = [
        one.model_dump(mode="json") | {name: told[name] for name in _TOLD_OF_SUBMISSIONS} for one, told in pairs
    ]
    notes = {name: outcomes[name] for name in NOTES if name in outcomes}
    data = trial.model_dump(mode="json") | {"state": outcomes["state"], "submissions": submissions, **notes}
    return TrialRecord.model_validate(data)


def _sealed_chunk(chunk: bytes, mains: set[int], public: str) -> str:
    lines = []
    withheld: dict[str, Any] = {}
    for number, text in enumerate(chunk.splitlines()):
        event = json.loads(text)
        if event.get("trial") in mains:
            closed = {name: value for name, value in event.items() if name not in _OPEN_OF_EVENTS}
            if closed:
                withheld[str(number)] = closed
            event = {name: value for name, value in event.items() if name in _OPEN_OF_EVENTS}
        lines.append(_line(event))
    if withheld:
        lines.append(_line({"kind": SEALED_KIND, "data": seal_bytes(public, canonical(withheld))}))
    return b"".join(lines).decode()


def _without_sealed_line(chunk: bytes) -> tuple[bytes, bytes | None]:
    """The lines of a chunk, and its sealed line if it has one."""
    begin = chunk[:-1].rfind(b"\n") + 1
    last = chunk[begin:]
    is_sealed = last.startswith(b'{"data":') and f'"kind":"{SEALED_KIND}"'.encode() in last[-40:]
    return (chunk[:begin], last) if is_sealed else (chunk, None)


def _line(event: Mapping[str, Any]) -> bytes:
    return canonical(event) + b"\n"
