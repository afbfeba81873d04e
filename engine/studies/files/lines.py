"""A study as JSON lines, which hold everything and can be merged again with equal rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.files.canonical import canonical
from spatial_workbench.engine.studies.files.merging import StudyDelivery, chain_of
from spatial_workbench.engine.studies.files.sealed_parts import without_outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

_TYPES = ("study", "slot", "session", "trial", "submission", "response", "event", "readable_event")
StudyEvents = Mapping[str, Sequence[bytes]]
"""Events by the ids of their sessions, as JSON lines in pieces."""


class LinesError(ValueError):
    """Lines that cannot be read; names the line."""


def study_lines(
    outcomes: Outcomes, readable: StudyEvents | None = None, chained: StudyEvents | None = None
) -> Iterator[bytes]:
    """The lines, in the order study, slots, and then session by session.

    readable: the events of each session as far as they can be read, in pieces.
    chained: the events as the sessions' files hold them, in the chained pieces, which can be merged again.
    """
    yield _line("study", hash=outcomes.study.hash, state=outcomes.state.value, document=outcomes.study.data)
    for slot in outcomes.frozen.slots if outcomes.frozen else ():
        trials = [[trial.block, trial.item, trial.condition] for trial in slot.trials]
        yield _line("slot", code=slot.code, row=slot.row, condition=slot.condition, trials=trials)
    for session in outcomes.sessions:
        yield from _session_lines(outcomes, session)
        yield from _event_lines(session.id, (readable or {}).get(session.id, ()), (chained or {}).get(session.id, ()))


def _session_lines(outcomes: Outcomes, session: SessionRecord) -> Iterator[bytes]:
    data = session.model_dump(mode="json", exclude={"trials"})
    yield _line("session", data=data)
    for key, value in session.responses.items():
        yield _line("response", session=session.id, position=None, key=key, value=value)
    for trial in session.trials:
        yield _line("trial", session=session.id, data=trial.model_dump(mode="json", exclude={"submissions"}))
        for key, value in trial.responses.items():
            yield _line("response", session=session.id, position=trial.position, key=key, value=value)
        for submission in trial.submissions:
            judged = outcomes.judged.get((session.id, trial.position, submission.number))
            outcome = {"score": judged.score, "passed": judged.passed} if judged else None
            data = submission.model_dump(mode="json")
            yield _line("submission", session=session.id, position=trial.position, data=data, outcome=outcome)


def _event_lines(session: str, readable: Sequence[bytes], chained: Sequence[bytes]) -> Iterator[bytes]:
    """The chained events, and the readable ones where they are others."""
    for number, chunk in enumerate(chained):
        for line in chunk.splitlines():
            yield _line("event", session=session, chunk=number, line=line.decode())
    if list(readable) != list(chained):
        for line in b"".join(readable).splitlines():
            yield _line("readable_event", session=session, line=line.decode())


def _line(kind: str, **values: Any) -> bytes:
    return canonical({"type": kind, **values}) + b"\n"


def read_lines(lines: Iterable[bytes | str]) -> list[StudyDelivery]:
    """The sessions of a study from its lines, to be merged.

    Raises:
        LinesError: A line cannot be read.
    """
    sessions: dict[str, dict[str, Any]] = {}
    chunks: dict[str, dict[int, bytes]] = {}
    for number, line in enumerate(lines, 1):
        try:
            _take_line(json.loads(line), sessions, chunks)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LinesError(f"Line {number} cannot be read: {_sentence(error)}") from None
    return [_delivery(data, chunks.get(key, {})) for key, data in sessions.items()]


def _take_line(line: Any, sessions: dict[str, dict[str, Any]], chunks: dict[str, dict[int, bytes]]) -> None:
    kind = line["type"]
    if kind == "session":
        sessions[line["data"]["id"]] = {**line["data"], "trials": {}}
    elif kind == "trial":
        trial = line["data"]
        sessions[line["session"]]["trials"][trial["position"]] = {**trial, "submissions": []}
    elif kind == "submission":
        sessions[line["session"]]["trials"][line["position"]]["submissions"].append(line["data"])
    elif kind == "event":
        own = chunks.setdefault(line["session"], {})
        own[line["chunk"]] = own.get(line["chunk"], b"") + line["line"].encode() + b"\n"
    elif kind not in _TYPES:
        raise ValueError(f"there is no type “{kind}”")


def _delivery(data: dict[str, Any], chunks: Mapping[int, bytes]) -> StudyDelivery:
    try:
        session = SessionRecord.model_validate({**data, "trials": list(data["trials"].values())})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise LinesError(f"Session {data.get('code')} cannot be read: {place}: {first['msg']}") from None
    ordered = tuple(chunks[number] for number in sorted(chunks))
    # An export made after opening holds the outcomes beside their sealed form, which is what is merged.
    standing = without_outcomes(session) if session.sealed else session
    return StudyDelivery(standing, chain_of(ordered), ordered)


def _sentence(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
