"""The key of an endpoint: typed once, kept in the system's keyring, or for this session only."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from spatial_workbench.engine.models import (
    ModelSettings,
    give_session_key,
    has_session_key,
    key_name,
    key_variables,
    store_key,
)
from spatial_workbench.widgets.theme import SPACE


class EndpointKey(QWidget):
    """A field for a key, whether it is kept for this session only, and from where else a key would be read.

    Attributes:
        line: What is typed; it is never shown again.
        session: Ticked: the key stays in the memory of the program, and of processes that ask with it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setAccessibleName("Key")
        self.session = QCheckBox("For this session only; it is not stored")
        self.session.setToolTip("The key stays in memory until the program ends; batches get it when they are started")
        self.about = QLabel()
        self.about.setObjectName("caption")
        self.about.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE)
        column.addWidget(self.line)
        column.addWidget(self.session)
        column.addWidget(self.about)

    def show_settings(self, settings: ModelSettings) -> None:
        """Shows where the key of these settings is kept; nothing is read."""
        self.line.clear()
        variables = " or ".join(key_variables(settings))
        given = has_session_key(settings)
        self.session.setChecked(given)
        self.line.setPlaceholderText(
            "given for this session" if given else f"kept in the system's keyring, as “{key_name(settings)}”"
        )
        self.about.setText(f"Without one, it is read from the environment variable {variables}.")

    def store(self, settings: ModelSettings) -> None:
        """Keeps what was typed, if anything was.

        Raises:
            KeyringProblem: There is no keyring, or it is locked.
        """
        key = self.line.text()
        if not self.session.isChecked() and has_session_key(settings):
            give_session_key(key_name(settings), "")
        if not key:
            return
        if self.session.isChecked():
            give_session_key(key_name(settings), key)
        else:
            store_key(key_name(settings), key)
        self.line.clear()
