"""What a user sets for the whole window: its appearance, its settings and its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from spatial_workbench.app.frame.style import apply_theme, wanted_theme
from spatial_workbench.app.window.abilities import Ability, abilities
from spatial_workbench.widgets.qt import the_application

if TYPE_CHECKING:
    from spatial_workbench.app.frame.host import Host


class Preferences(QObject):
    """Applies the settings of a window and asks for them.

    Signals:
        changed(): the dialog of settings was accepted.
    """

    changed = Signal()

    def __init__(self, window: Host) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        the_application().styleHints().colorSchemeChanged.connect(self.apply_appearance)

    def apply_appearance(self) -> None:
        """Applies the chosen theme."""
        application = the_application()
        theme = wanted_theme(self._settings.theme, application)
        apply_theme(application, theme, self._settings.reduce_motion, later=self._window.pages.theme_later())

    def toggle_theme(self) -> None:
        """Changes from light to dark or back."""
        now = wanted_theme(self._settings.theme, the_application())
        self._settings.theme = "light" if now.is_dark else "dark"
        self.apply_appearance()

    def reset_layout(self) -> None:
        """Puts all panels where they are at first."""
        self._settings.forget_layouts()
        for page in self._window.pages.workspaces:
            page.docks.reset()

    def show_settings(self) -> None:
        """Opens the dialog of settings; what this computer can do is added once it is known."""
        from spatial_workbench.app.window.dialogs import SettingsDialog

        dialog = SettingsDialog(self._settings, self._window.actions_registry, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._accept)
        dialog.open()

        def show(trials: list[Ability]) -> None:
            if isValid(dialog):
                dialog.show_abilities(trials)

        self._window.jobs.run("Testing what this computer can do", abilities, done=show, quiet=True)

    def _accept(self) -> None:
        self.apply_appearance()
        self.changed.emit()
