"""The participant's window on a screen that a browser shows: it fills the screen, and tells the server of each page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication

from spatial_workbench.app.studies.participant.display import apply_needs, with_choices
from spatial_workbench.app.studies.participant.focused_field import FocusedField
from spatial_workbench.app.studies.participant.pages.entry_pages import LanguagePage
from spatial_workbench.app.studies.participant.seen_texts import seen_texts
from spatial_workbench.app.studies.participant.window import ParticipantWindow
from spatial_workbench.engine.studies.sessions.pages import StudyPage
from spatial_workbench.engine.studies.sessions.sitting import Sitting

MOST_BYTES = 1 << 17
"""A longer line of the server is no message."""


class ServedWindow(QObject):
    """Fits a window to its screen, whose size follows the browser's, and connects it with the server.

    Both speak in lines of JSON. The window tells of each page: `page`, what covers it (`cover`), `is_over` once
    nothing follows, the `language` once it is chosen, and the `texts` that the person has seen; also that these are
    wanted as pages (`texts_wanted`), and which text field has the focus (`field`). The server says what the person
    has told beforehand (`entry`), that the page in the browser has answered (`answer`), which browser it is
    (`browser`), what was typed in a field of the page (`typed`), and that the window has to close (`leave`), so that
    the session goes on another time.

    window: the window, which is not shown yet. control: the server's Unix socket.
    """

    def __init__(self, application: QApplication, window: ParticipantWindow, control: Path) -> None:
        super().__init__(window)
        self._application = application
        self._window = window
        self._told: dict[str, Any] = {}
        self._entry: dict[str, Any] | None = None
        """What the person has told beforehand, until there is a session that logs it."""
        self._socket = QLocalSocket(self)
        self._socket.readyRead.connect(self._listen)
        self._socket.disconnected.connect(window.leave)
        self._socket.connectToServer(str(control))
        self._field = FocusedField(application, self)
        self._field.changed.connect(lambda field: self._say(field=field))
        self._field.first_typed.connect(lambda: window.surroundings.log("page_field"))
        window.session_shown.connect(self._tell)
        window.texts_wanted.connect(lambda: self._say(texts_wanted=True))

    def open(self) -> None:
        """Shows the window on the whole screen; no window manager runs there, so nobody else resizes it."""
        window = self._window
        window.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        screen = window.screen()
        screen.geometryChanged.connect(window.setGeometry)
        window.open()
        window.setGeometry(screen.geometry())
        self._tell()

    def _tell(self) -> None:
        sitting = self._window.sitting
        if sitting is not None and self._entry is not None:
            entry = self._entry
            self._entry = None
            sitting.log("entry", **entry)
            self._show_as_chosen(sitting, entry)
        told: dict[str, Any] = {"page": "code", "cover": "", "is_over": False, "language": ""}
        if sitting is not None:
            told["page"] = sitting.state.page
            told["cover"] = sitting.state.cover or ""
            told["is_over"] = sitting.state.page.is_last
            told["language"] = "" if sitting.state.page is StudyPage.LANGUAGE else sitting.state.language
            told["texts"] = seen_texts(sitting)
        if told != self._told:
            self._told = told
            self._say(**told)

    def _show_as_chosen(self, sitting: Sitting, entry: dict[str, Any]) -> None:
        needs = with_choices(self._window.bundle.accommodations_of(sitting.state.code), entry)
        apply_needs(self._application, needs)
        self._window.set_scale(needs.type_scale)
        if isinstance(page := self._window.page, LanguagePage):
            page.suggest(entry.get("language", ""))

    def _say(self, **told: Any) -> None:
        self._socket.write(json.dumps(told).encode() + b"\n")
        self._socket.flush()

    def _listen(self) -> None:
        while self._socket.canReadLine():
            line = bytes(self._socket.readLine(MOST_BYTES).data())
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("leave") is True:
            self._window.leave()
        elif (entry := message.get("entry")) is not None:
            self._entry = entry
            self._tell()
        elif (sitting := self._window.sitting) is None:
            return
        elif (typed := message.get("typed")) is not None:
            self._field.type_text(**typed)
        elif (answer := message.get("answer")) is not None:
            sitting.connection.answer(answer["round_trip_ms"], answer["behind_ms"])
            sitting.set_away(not answer["is_looked_at"])
        elif (browser := message.get("browser")) is not None:
            sitting.log("browser", **browser)
