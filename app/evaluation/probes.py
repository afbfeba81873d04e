"""Finds out what endpoints can do before a batch asks them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from spatial_workbench.app.background import evaluations as background
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.models import LibraryProblem, ModelLibrary, session_keys

if TYPE_CHECKING:
    from spatial_workbench.app.background.jobs import BackgroundJob, Jobs
    from spatial_workbench.engine.models import Capabilities, Feature, ModelSettings


class WantedProbe(NamedTuple):
    """What has to be found out about an endpoint."""

    settings: ModelSettings
    features: frozenset[Feature] | None
    """None: everything."""


class EndpointProbes(QObject):
    """Probes one endpoint after the other; each result is stored at once.

    Signals:
        moved(): a probe began or ended.
        ended(): no probe is left.

    Attributes:
        failures: What went wrong, by the name of the model.
    """

    moved = Signal()
    ended = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._running: dict[str, BackgroundJob] = {}
        self.failures: dict[str, str] = {}

    @property
    def is_running(self) -> bool:
        """Whether a probe is left."""
        return bool(self._running)

    @property
    def words(self) -> str:
        """Which endpoint is probed now, and how many follow."""
        more = len(self._running) - 1
        rest = f" {counted(more, 'endpoint')} to follow." if more else ""
        return f"Finding out what the endpoint of {next(iter(self._running))} can do…{rest}"

    def probe(self, wanted: Sequence[WantedProbe]) -> None:
        """Begins to probe these endpoints."""
        self.failures.clear()
        for settings, features in wanted:
            self._running[settings.name] = self._jobs.run(
                f"Probing {settings.name}",
                background.probe_model,
                settings.model_dump_json(),
                None if features is None else sorted(features),
                session_keys([settings]),
                done=partial(self._learn, settings.name),
                failed=partial(self._fail, settings.name),
            )
        self.moved.emit()

    def cancel(self) -> None:
        """Stops all probes."""
        for job in self._running.values():
            if job.is_pending:
                job.cancel()

    def _learn(self, name: str, capabilities: Capabilities) -> None:
        try:
            ModelLibrary().learn(name, capabilities)
        except LibraryProblem as error:
            self.failures[name] = str(error)
        self._end(name)

    def _fail(self, name: str, reason: str) -> None:
        self.failures[name] = reason
        self._end(name)

    def _end(self, name: str) -> None:
        self._running.pop(name)
        self.moved.emit()
        if not self._running:
            self.ended.emit()
