"""How the participant's window stands before a person."""

from __future__ import annotations

from enum import StrEnum

from spatial_workbench.engine.studies.planning.document import StudySetting


class WindowForm(StrEnum):
    """What the window covers, who closes it, and whether it reaches files."""

    ORDINARY = "ordinary"
    """A window among others, which can be closed between people."""
    KIOSK = "kiosk"
    """It covers all screens while somebody takes part, and is only left with the passphrase."""
    SERVED = "served"
    """It fills a screen of its own that a browser shows to one person. The server closes it, and it saves no files."""

    @property
    def setting(self) -> StudySetting:
        """Where the person sits in front of it."""
        return StudySetting.BROWSER if self is WindowForm.SERVED else StudySetting.DESK
