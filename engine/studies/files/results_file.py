"""Results: a session on its way from the participant's machine to the leader's project, in one file."""

from __future__ import annotations

import gzip
import json
import shutil
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.studies.files.archives import ArchiveError, Signature, read_archive, write_archive
from spatial_workbench.engine.studies.files.canonical import SHOWN_CHARS, canonical
from spatial_workbench.engine.studies.files.merging import StudyDelivery, chain_of
from spatial_workbench.engine.studies.files.sealed_parts import Once, seal_anew, seal_chunks, seal_session
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, inconsistencies

SUFFIX = ".studyresult"
FORMAT: Literal[2] = 2
"""Since format 2 what tells outcomes is sealed, unless the study has no keys."""
MOST_EVENT_BYTES = 200_000_000
_HEAD = "result.json"
_TRIALS = "trials.json"
_SUBMISSIONS = "submissions.json"
_ANSWERS = "answers.json"
_ALLOWED = (_HEAD, _TRIALS, _SUBMISSIONS, _ANSWERS, "events/*.jsonl.gz")
KeyOf = Callable[[str, str], bytes | None]
"""The key of a bundle, by the study's hash and the bundle's id; None if it is not known."""


class ResultError(ValueError):
    """A results file that is refused; says why."""


class _ResultsHead(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: int = FORMAT
    session: dict[str, Any]
    chain: tuple[str, ...]


def file_name(session: SessionRecord) -> str:
    """The name of a session's results file: study, code, and the beginning of the session's id."""
    return f"{session.study[:SHOWN_CHARS]}-{session.code}-{session.id[:8]}{SUFFIX}"


def write_results(
    path: Path,
    session: SessionRecord,
    chunks: Sequence[bytes],
    key: bytes,
    public: str = "",
    once: Once = seal_anew,
) -> str:
    """Writes a session and its events; returns the file's SHA-256.

    Args:
        chunks: The events as JSON lines, in the pieces in which they are chained.
        public: The key to which what tells outcomes is encrypted; "" leaves it in the open.
        once: Keeps what was sealed, so that a state of a session that is written twice is the same.

    Raises:
        OSError: It cannot be written.
    """
    if public:
        chunks = seal_chunks(session, chunks, public, once)
        session = seal_session(session, public, once)
    data = session.model_dump(mode="json")
    trials, submissions, answers = _apart(data.pop("trials"))
    head = _ResultsHead(session=data, chain=chain_of(chunks))
    parts = {
        _HEAD: canonical(head.model_dump(mode="json")),
        _TRIALS: canonical(trials),
        _SUBMISSIONS: canonical(submissions),
        _ANSWERS: canonical(answers),
    } | {f"events/{number:05}.jsonl.gz": gzip.compress(chunk, mtime=0) for number, chunk in enumerate(chunks, 1)}
    return write_archive(path, parts, key)


def _apart(trials: list[dict[str, Any]]) -> tuple[list[Any], list[Any], dict[str, str]]:
    """Trials, submissions and answers, each for itself."""
    submissions = []
    answers = {}
    for trial in trials:
        for submission in trial.pop("submissions"):
            answers[f"{trial['position']}.{submission['number']}"] = submission.pop("answer")
            submissions.append({"position": trial["position"], **submission})
    return trials, submissions, answers


def read_results(path: Path, key_of: KeyOf) -> StudyDelivery:
    """A session from its file, with what is wrong with it among its `file_faults`.

    Raises:
        ResultError: It is damaged, newer, or not a results file.
        OSError: It cannot be read.
    """
    try:
        parts = read_archive(path, _ALLOWED, None).parts
        head = _head(path, parts)
        session = _session(head, parts)
        chunks = _chunks(parts)
        key = key_of(session.study, session.bundle)
        signature = read_archive(path, _ALLOWED, key).signature
    except KeyError as error:
        raise ResultError(f"{path.name} lacks the part {error.args[0]}") from None
    except (ValidationError, ValueError, TypeError, AttributeError, zlib.error) as error:
        raise ResultError(_sentence(path, error)) from None
    if chain_of(chunks) != head.chain:
        raise ResultError(f"{path.name} is damaged: its events are not those that it lists")
    return StudyDelivery(session.model_copy(update={"file_faults": _faults(session, signature)}), head.chain, chunks)


def countersign(path: Path, own_key: bytes, key: bytes, code: str, target: Path) -> None:
    """Signs the results of one place with the key of a bundle, if they are signed with the place's own key.

    Results that are not keep their signature, which is then none of the bundle's.

    Args:
        code: The place.
        target: Where the results are written; in another folder.

    Raises:
        ResultError: They are damaged, no results, or those of another place.
        OSError: They cannot be read, or the target cannot be written.
    """
    try:
        archive = read_archive(path, _ALLOWED, own_key)
        found = _head(path, archive.parts).session.get("code")
    except KeyError as error:
        raise ResultError(f"{path.name} lacks the part {error.args[0]}") from None
    except (ValueError, AttributeError) as error:
        raise ResultError(_sentence(path, error)) from None
    if found != code:
        raise ResultError(f"{path.name} stands in the folder of {code}, and holds results of another place")
    if archive.signature is Signature.GOOD:
        write_archive(target, archive.parts, key)
    else:
        shutil.copyfile(path, target)


def _head(path: Path, parts: Mapping[str, bytes]) -> _ResultsHead:
    data = json.loads(parts[_HEAD])
    number = data.get("format") if isinstance(data, dict) else None
    if not isinstance(number, int):
        raise ResultError(f"{path.name} holds no results of a study")
    if number > FORMAT:
        raise ResultError(f"{path.name} has the format {number}, which is newer than this version knows ({FORMAT})")
    return _ResultsHead.model_validate(data)


def _session(head: _ResultsHead, parts: Mapping[str, bytes]) -> SessionRecord:
    answers = json.loads(parts[_ANSWERS])
    submissions: dict[int, list[dict[str, Any]]] = {}
    for submission in json.loads(parts[_SUBMISSIONS]):
        position = submission.pop("position")
        answer = answers[f"{position}.{submission['number']}"]
        submissions.setdefault(position, []).append({**submission, "answer": answer})
    trials = [{**trial, "submissions": submissions.get(trial["position"], [])} for trial in json.loads(parts[_TRIALS])]
    return SessionRecord.model_validate({**head.session, "trials": trials})


def _chunks(parts: Mapping[str, bytes]) -> tuple[bytes, ...]:
    chunks = []
    size = 0
    for name in sorted(name for name in parts if name.startswith("events/")):
        unpacker = zlib.decompressobj(wbits=31)
        chunks.append(unpacker.decompress(parts[name], MOST_EVENT_BYTES - size + 1))
        size += len(chunks[-1])
        if size > MOST_EVENT_BYTES:
            raise ValueError("its events unpack to more than 200 MB")
    return tuple(chunks)


def _faults(session: SessionRecord, signature: Signature) -> tuple[str, ...]:
    faults = list(session.file_faults)
    faults += [signature.value] if signature is not Signature.GOOD else []
    faults += ["inconsistent"] if inconsistencies(session) else []
    faults += ["build"] if session.build != application_version() else []
    return tuple(dict.fromkeys(faults))


def _sentence(path: Path, error: Exception) -> str:
    if isinstance(error, ResultError | ArchiveError):
        return str(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{path.name} is damaged: {'.'.join(map(str, first['loc']))}: {first['msg']}"
    return f"{path.name} is damaged: {error}"
