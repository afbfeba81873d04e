"""A study as JSON lines, which hold everything and can be merged again with equal rows.

The lines of a session are signed with the key of its bundle, as its results file is: the signature finds damage and
casual edits, and whoever has the bundle can forge it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from spatial_workbench.engine.studies.analysis.outcomes import Outcomes
from spatial_workbench.engine.studies.files.archives import Signature, mac_of
from spatial_workbench.engine.studies.files.canonical import canonical
from spatial_workbench.engine.studies.files.merging import StudyDelivery, chain_of
from spatial_workbench.engine.studies.files.results_file import KeyOf
from spatial_workbench.engine.studies.files.sealed_parts import without_outcomes
from spatial_workbench.engine.studies.sessions.schema import SessionRecord

_SIGNATURE = "signature"
_WITHOUT_SESSION = ("study", "slot")
_TYPES = (*_WITHOUT_SESSION, "session", "trial", "submission", "response", "event", "readable_event", _SIGNATURE)
StudyEvents = Mapping[str, Sequence[bytes]]
"""Events by the ids of their sessions, as JSON lines in pieces."""


class LinesError(ValueError):
    """Lines that cannot be read; names the line."""


def study_lines(
    outcomes: Outcomes,
    readable: StudyEvents | None = None,
    chained: StudyEvents | None = None,
    key_of: KeyOf | None = None,
) -> Iterator[bytes]:
    """The lines, in the order study, slots, and then session by session.

    readable: the events of each session as far as they can be read, in pieces.
    chained: the events as the sessions' files hold them, in the chained pieces, which can be merged again.
    key_of: gives the keys that sign the sessions; one whose key is not known is not signed.
    """
    yield _line("study", hash=outcomes.study.hash, state=outcomes.state.value, document=outcomes.study.data)
    for slot in outcomes.frozen.slots if outcomes.frozen else ():
        trials = [[trial.block, trial.item, trial.condition] for trial in slot.trials]
        yield _line("slot", code=slot.code, row=slot.row, condition=slot.condition, trials=trials)
    for session in outcomes.sessions:
        lines = _Lines()
        for line in _lines_of(outcomes, session, readable or {}, chained or {}):
            lines.add(line)
            yield line
        key = key_of(session.study, session.bundle) if key_of else None
        if key is not None:
            yield _line(_SIGNATURE, session=session.id, mac=lines.mac(key))


@dataclass
class _Lines:
    """The lines of a session on their way to a signature."""

    _digest: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes) -> None:
        self._digest.update(line)

    def mac(self, key: bytes) -> str:
        return mac_of(self._digest.digest(), key).decode()


def _lines_of(
    outcomes: Outcomes, session: SessionRecord, readable: StudyEvents, chained: StudyEvents
) -> Iterator[bytes]:
    yield from _session_lines(outcomes, session)
    yield from _event_lines(session.id, readable.get(session.id, ()), chained.get(session.id, ()))


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


@dataclass
class _ReadSession:
    """A session as its lines give it, with what they are signed by."""

    data: dict[str, Any]
    chunks: dict[int, bytes] = field(default_factory=dict)
    lines: _Lines = field(default_factory=_Lines)
    mac: str = ""

    def signature(self, key: bytes | None) -> Signature:
        """What the signature says; without a key it cannot be checked."""
        if not self.mac or key is None:
            return Signature.UNSIGNED
        return Signature.GOOD if hmac.compare_digest(self.mac, self.lines.mac(key)) else Signature.ALTERED


def read_lines(lines: Iterable[bytes | str], key_of: KeyOf) -> list[StudyDelivery]:
    """The sessions of a study from its lines, to be merged; one whose signature does not hold has it as a fault.

    Raises:
        LinesError: A line cannot be read.
    """
    sessions: dict[str, _ReadSession] = {}
    for number, line in enumerate(lines, 1):
        try:
            _take_line(json.loads(line), sessions)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LinesError(f"Line {number} cannot be read: {_sentence(error)}") from None
    return [_delivery(session, key_of) for session in sessions.values()]


def _take_line(line: Any, sessions: dict[str, _ReadSession]) -> None:
    kind = line["type"]
    if kind not in _TYPES:
        raise ValueError(f"there is no type “{kind}”")
    if kind in _WITHOUT_SESSION:
        return
    if kind == "session":
        sessions[line["data"]["id"]] = _ReadSession({**line["data"], "trials": {}})
    session = sessions[line["data"]["id"] if kind == "session" else line["session"]]
    if kind == _SIGNATURE:
        session.mac = str(line["mac"])
        return
    # Blanks, or another order of the fields, are no change.
    session.lines.add(canonical(line) + b"\n")
    if kind == "trial":
        session.data["trials"][line["data"]["position"]] = {**line["data"], "submissions": []}
    elif kind == "submission":
        session.data["trials"][line["position"]]["submissions"].append(line["data"])
    elif kind == "event":
        number = line["chunk"]
        session.chunks[number] = session.chunks.get(number, b"") + line["line"].encode() + b"\n"


def _delivery(read: _ReadSession, key_of: KeyOf) -> StudyDelivery:
    data = read.data
    try:
        session = SessionRecord.model_validate({**data, "trials": list(data["trials"].values())})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise LinesError(f"Session {data.get('code')} cannot be read: {place}: {first['msg']}") from None
    ordered = tuple(read.chunks[number] for number in sorted(read.chunks))
    signature = read.signature(key_of(session.study, session.bundle))
    if signature is not Signature.GOOD:
        faults = dict.fromkeys((*session.file_faults, signature.value))
        session = session.model_copy(update={"file_faults": tuple(faults)})
    # An export made after opening holds the outcomes beside their sealed form, which is what is merged.
    standing = without_outcomes(session) if session.sealed else session
    return StudyDelivery(standing, chain_of(ordered), ordered)


def _sentence(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)
