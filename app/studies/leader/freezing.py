"""Freezing a study: what is asked before, and the recovery key that is shown afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from spatial_workbench.app.studies.leader.chosen_study import ChosenStudy
from spatial_workbench.app.studies.leader.dialogs.freezing import FreezeDialog, RecoveryDialog
from spatial_workbench.app.studies.leader.work import freezing
from spatial_workbench.engine.studies.planning.checking import empty_parts


class Freezing:
    """Asks for the passphrase of the outcomes, freezes the chosen study, and shows the recovery key."""

    def __init__(self, chosen: ChosenStudy) -> None:
        self._chosen = chosen

    def ask(self, then: Callable[[str], object]) -> None:
        """Asks whether to freeze the study as it is stored; `then` is called with the passphrase for its outcomes."""
        study = self._chosen.id

        def show(empty: Sequence[str]) -> None:
            if not self._chosen.is_closed and self._chosen.id == study:
                dialog = FreezeDialog(empty, self._chosen.page)
                dialog.ordered.connect(then)
                self._chosen.ask(dialog)

        # The snapshot may be older than what was stored a moment ago.
        self._chosen.project.ask(lambda project: empty_parts(project.studies.document(study)), show)

    def freeze(self, passphrase: str) -> None:
        """Freezes the study; the passphrase will open its outcomes."""
        self._chosen.do("Freezing a study", freezing.frozen, passphrase, done=self._show_frozen)

    def show_recovery_key(self, key: str) -> None:
        """Shows the recovery key, which can be saved as a sheet to print."""
        snapshot = self._chosen.snapshot
        if snapshot is not None and not self._chosen.is_closed:
            dialog = RecoveryDialog(snapshot.row.name, key, self._chosen.page)
            dialog.ordered.connect(partial(self._write_sheet, key))
            self._chosen.ask(dialog)

    def _show_frozen(self, frozen: freezing.NewlyFrozen) -> None:
        self._chosen.finish(frozen.words)
        self.show_recovery_key(frozen.recovery)

    def _write_sheet(self, key: str, target: Path) -> None:
        self._chosen.do("Writing the recovery sheet", freezing.recovery_sheet_written, key, target)
