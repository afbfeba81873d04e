"""How a session begins in the window: the items are checked in the background, and a typed code opens its session."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background import judging
from spatial_workbench.app.background.jobs import Jobs
from spatial_workbench.engine.core.languages.translation import spoken_language, tr
from spatial_workbench.engine.studies.files.bundles import Bundle
from spatial_workbench.engine.studies.planning.document import StudySetting
from spatial_workbench.engine.studies.planning.keyboard import by_pointer_in
from spatial_workbench.engine.studies.planning.slots import Slot
from spatial_workbench.engine.studies.sessions.entry import EntryRefused, enter, slot_of, try_out
from spatial_workbench.engine.studies.sessions.queued_file import QueuedSessionFile
from spatial_workbench.engine.studies.sessions.session_file import Damaged
from spatial_workbench.engine.studies.sessions.sitting import Sitting


class Entrance(QObject):
    """Admits people by their codes, once this machine is known to word the items as the study does.

    path: where the bundle is. sessions: where sessions are kept; None is the usual place.
    leaves_nothing: whether sessions are only tried out. setting: where people take part.
    environment: tells what is logged of the machine.

    Attributes:
        materials: Why nobody can begin on this machine; empty if people can, None while that is being checked.

    Signals:
        entered(Sitting): a session has begun, or goes on.
        refused(str): why nobody can begin, or not yet; empty if they can after all.
    """

    entered = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        bundle: Bundle,
        path: Path,
        sessions: Path | None,
        leaves_nothing: bool,
        environment: Callable[[], dict[str, Any]],
        setting: StudySetting = StudySetting.DESK,
    ) -> None:
        super().__init__()
        self.materials: str | None = None
        self._bundle = bundle
        self._path = path
        self._sessions = sessions
        self._leaves_nothing = leaves_nothing
        self._environment = environment
        self._setting = setting
        self._wanted_code = ""

    def check(self, jobs: Jobs) -> None:
        """Compares the items with those of the frozen study, in the background."""
        jobs.live.run(
            tr("Checking the items"),
            judging.check_materials,
            str(self._path),
            spoken_language(),
            done=self._checked,
            failed=lambda text: self._checked(tr("The items of the study cannot be checked. {reason}", reason=text)),
            quiet=True,
        )

    def begin(self, code: str) -> None:
        """Begins or continues the session of a code."""
        if self.materials is None:
            self._wanted_code = code
            self.refused.emit(tr("One moment: the items of the study are being checked."))
            return
        if self.materials:
            self.refused.emit(self.materials)
            return
        try:
            sitting = self._session_of(code)
        except (EntryRefused, Damaged) as error:
            self.refused.emit(str(error))
        except (OSError, sqlite3.Error) as error:
            self.refused.emit(tr("The session cannot be stored: {reason}.", reason=error))
        else:
            self.entered.emit(sitting)

    def _session_of(self, code: str) -> Sitting:
        slot = slot_of(self._bundle, code)
        if address := self._needs_pointer(slot):
            reason = tr("{code} works by keys alone, and the editor of {address} needs a pointer.")
            raise EntryRefused(reason.format(code=slot.code, address=address))
        environment = self._environment()
        if self._leaves_nothing:
            return try_out(self._bundle, slot, environment=environment)
        return enter(
            self._bundle,
            code,
            self._sessions,
            environment=environment,
            file_type=QueuedSessionFile,
            setting=self._setting,
        )

    def _needs_pointer(self, slot: Slot) -> str:
        """The first item that needs a pointer, if the slot is for the keyboard alone."""
        if not self._bundle.accommodations_of(slot.code).keyboard_only:
            return ""
        return next(iter(by_pointer_in(self._bundle.study, slot)), "")

    def _checked(self, text: str) -> None:
        self.materials = text
        self.refused.emit(text)
        if self._wanted_code and not text:
            self.begin(self._wanted_code)
