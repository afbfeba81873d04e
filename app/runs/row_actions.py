"""Actions on selected rows: open one attempt, replay one, or compare two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.attempts import drawings
from spatial_workbench.app.attempts.dossier import Dossier, collect
from spatial_workbench.app.attempts.replays import replay_of
from spatial_workbench.app.runs.model import Ask
from spatial_workbench.app.video.films import TakeFilm, film_of_replay

if TYPE_CHECKING:
    from spatial_workbench.app.attempts.drawings import AttemptDrawing
    from spatial_workbench.app.background.jobs import Jobs


class RowActions(QObject):
    """Reads in the background what an action needs, then requests the page that shows it.

    Signals:
        message(str): a note for the status bar, mostly why nothing is shown.
        attempt_opened(str, int): the instance's address and the attempt's number: put its answer into the editor.
        compare_requested(object, object): two Compared answers to show beside each other.
        replay_requested(str, object): a title, and a RunRecord or MachineRun to show.
    """

    message = Signal(str)
    attempt_opened = Signal(str, int)
    compare_requested = Signal(object, object)
    replay_requested = Signal(str, object)

    def __init__(self, ask: Ask, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._ask = ask
        self._jobs = jobs
        self._is_closed = False

    def open_in_editor(self, number: int) -> None:
        """Puts an attempt's answer into the editor of its instance."""
        self._ask(
            lambda project: project.runs.rows([number]),
            lambda rows: self.attempt_opened.emit(rows[0].address, number) if rows else None,
        )

    def replay(self, number: int) -> None:
        """Shows an agent's run step by step, or a machine and the run that made it."""

        def show(record: Any) -> None:
            if isinstance(record, str):
                self.message.emit(record)
            else:
                self.replay_requested.emit(f"Replay of attempt {number}", record)

        self._ask(lambda project: replay_of(project, number), show)

    def offer_film(self, number: int, take: TakeFilm) -> None:
        """Offers the replay of an attempt."""
        self._ask(lambda project: film_of_replay(replay_of(project, number), number), take)

    def compare(self, *numbers: int) -> None:
        """Shows two attempts beside each other, if they answer the same instance."""

        def arrived(dossiers: list[Dossier | None]) -> None:
            left, right = dossiers
            if left is None or right is None:
                self.message.emit("One of these attempts no longer exists.")
            elif left.row.address == right.row.address:
                self._draw(left, right)
            else:
                self.message.emit(
                    f"Attempts {left.row.number} and {right.row.number} answer different instances ({left.row.address} "
                    f"and {right.row.address}); only attempts at the same instance can be compared."
                )

        self._ask(lambda project: [collect(project, number) for number in sorted(numbers)], arrived)

    def close(self) -> None:
        """Ignores further results."""
        self._is_closed = True

    def _draw(self, *dossiers: Dossier) -> None:
        self._jobs.live.run(
            "Drawing the attempts",
            drawings.draw_all,
            dossiers[0].row.address,
            [dossier.attempt.answer for dossier in dossiers],
            done=lambda drawn: None if self._is_closed else self._show_both(dossiers, drawn),
            failed=lambda text: self.message.emit(f"The attempts could not be drawn. {text}"),
            quiet=True,
        )

    def _show_both(self, dossiers: Sequence[Dossier], drawn: Sequence[AttemptDrawing]) -> None:
        from spatial_workbench.app.attempts.compared import of_attempt

        for dossier, drawing in zip(dossiers, drawn, strict=True):
            if drawing.trouble:
                self.message.emit(f"Attempt {dossier.row.number}: {drawing.trouble}")
        scenes = [drawing.scene for drawing in drawn if drawing.scene is not None]
        if len(scenes) == len(drawn):
            self.compare_requested.emit(*map(of_attempt, dossiers, scenes))
