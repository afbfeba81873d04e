"""How a session begins: a code is typed, and the session of its slot is made or taken up again."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from spatial_workbench.engine.core.clocks.system_clocks import ReadClocks, read_clocks
from spatial_workbench.engine.core.languages.translation import marked, tr
from spatial_workbench.engine.core.version import application_version
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.planning.codes import CodeError, code_of, number_of
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.planning.freezing import differences
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.schema import SessionRecord, SessionState
from spatial_workbench.engine.studies.sessions.session_file import (
    SUFFIX,
    SessionFile,
    SessionFileError,
    folder_of,
    read_session,
    tombstone,
)
from spatial_workbench.engine.studies.sessions.sitting import Sitting

_OVER = {
    SessionState.FINISHED: marked("{code} has already finished. Thank you."),
    SessionState.STOPPED: marked("{code} has stopped. The session cannot go on."),
    SessionState.ENDED: marked("The session of {code} was ended by the study's leader."),
}


_ELSEWHERE = {
    StudySetting.DESK: marked("People take part in this study in a browser, not at a desk."),
    StudySetting.BROWSER: marked("People take part in this study at a desk, not in a browser."),
}


class EntryRefused(ValueError):
    """Nobody can begin with this code; says why."""


def slot_of(bundle: Bundle, typed: str) -> Slot:
    """The slot of a code as somebody typed it.

    Raises:
        EntryRefused: It is not a code, or not one of this bundle.
    """
    try:
        code = code_of(number_of(typed))
    except CodeError as error:
        raise EntryRefused(f"{error}.") from None
    slot = bundle.slot(code)
    if slot is not None:
        return slot
    planned = bundle.study.plan.slots + bundle.study.plan.reserve
    if number_of(code) > planned:
        raise EntryRefused(tr("{code} is unknown in this study.", code=code))
    raise EntryRefused(tr("{code} belongs to another machine.", code=code))


def check_materials(bundle: Bundle) -> str:
    """Why people cannot begin on this machine: it would ask differently; empty if they can. May take a while."""
    if _numbers(bundle.needs) > _numbers(application_version()):
        return tr(
            "This study needs version {needed} of the workbench; this is {present}.",
            needed=bundle.needs,
            present=application_version(),
        )
    return next(differences(bundle.study, bundle.materials), "")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:3]]


def enter(
    bundle: Bundle,
    typed: str,
    folder: Path | None = None,
    clocks: ReadClocks = read_clocks,
    environment: Mapping[str, Any] | None = None,
    file_type: type[SessionFile] = SessionFile,
    setting: StudySetting = StudySetting.DESK,
) -> Sitting:
    """The session of a code: a new one, or the one that was begun on this machine.

    `folder` is where sessions are kept; None is the usual place. `file_type` says whether its file is written at once.
    `setting` is where the person takes part.

    Raises:
        EntryRefused: The code cannot begin: a slip, finished, withdrawn, in use in another window; or nobody takes part
            in the study in this setting.
        Damaged: The session's file is damaged, and there is no copy.
        OSError, sqlite3.Error: The file cannot be written.
    """
    slot = slot_of(bundle, typed)
    if setting not in bundle.study.settings:
        raise EntryRefused(tr(_ELSEWHERE[setting]))
    place = folder_of(bundle.hash) if folder is None else folder
    path = place / f"{slot.code}{SUFFIX}"
    if tombstone(place, slot.code):
        raise EntryRefused(tr("The session of {code} was deleted, as its participant asked.", code=slot.code))
    if path.exists():
        return _again(bundle, slot, path, clocks, environment, file_type)
    try:
        file = file_type.create(path, new_head(bundle, slot, setting))
    except SessionFileError as error:
        raise EntryRefused(str(error)) from None
    return _begun(Sitting(bundle, slot, file, clocks, environment))


def try_out(
    bundle: Bundle, slot: Slot, clocks: ReadClocks = read_clocks, environment: Mapping[str, Any] | None = None
) -> Sitting:
    """A session that leaves nothing behind."""
    file = SessionFile.create(None, new_head(bundle, slot, bundle.study.settings[0]))
    return Sitting(bundle, slot, file, clocks, environment)


def running_code(bundle: Bundle, folder: Path | None = None) -> str | None:
    """The code of the session that goes on on this machine; None if there is none, or several."""
    place = folder_of(bundle.hash) if folder is None else folder
    running = []
    for slot in bundle.slots:
        path = place / f"{slot.code}{SUFFIX}"
        if path.exists() and _is_going_on(path):
            running.append(slot.code)
    return running[0] if len(running) == 1 else None


def new_head(bundle: Bundle, slot: Slot, setting: StudySetting = StudySetting.DESK) -> SessionRecord:
    """What is stored of a session before its consent: code, version and time."""
    return SessionRecord(
        id=str(uuid.uuid4()),
        study=bundle.hash,
        code=slot.code,
        phase=bundle.phase,
        build=application_version(),
        bundle=bundle.id,
        site=bundle.site,
        setting=setting,
        began_at=datetime.now(UTC).isoformat(timespec="seconds"),
        state=SessionState.NEW,
        accommodations=bundle.accommodations_of(slot.code),
    )


def _again(
    bundle: Bundle,
    slot: Slot,
    path: Path,
    clocks: ReadClocks,
    environment: Mapping[str, Any] | None,
    file_type: type[SessionFile],
) -> Sitting:
    from spatial_workbench.engine.studies.sessions.session_file import Damaged

    try:
        file = file_type.open(path)
    except Damaged:
        raise
    except SessionFileError as error:
        raise EntryRefused(str(error)) from None
    if sentence := _OVER.get(file.head.state):
        file.close()
        raise EntryRefused(tr(sentence, code=slot.code))
    return _begun(Sitting(bundle, slot, file, clocks, environment))


def _begun(sitting: Sitting) -> Sitting:
    """The session, once it is on the disk that it goes on: each resume counts, however soon the next crash comes."""
    sitting.state.file.flush()
    return sitting


def _is_going_on(path: Path) -> bool:
    try:
        state = read_session(path).state
    except SessionFileError:
        return False
    return state not in _OVER and state is not SessionState.NEW
