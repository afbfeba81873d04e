"""The filter of the runs browser as it was left in a project; another project begins without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from spatial_workbench.engine.store import RunFilter

if TYPE_CHECKING:
    from pathlib import Path

    from spatial_workbench.app.frame.settings import Settings
    from spatial_workbench.app.runs.filtering.filters import FilterBar

_NAME = "runs-filter"


class KeptFilter:
    """Keeps the filter in the settings, with the project that it belongs to."""

    def __init__(self, settings: Settings, project: Path | None, filters: FilterBar) -> None:
        self._settings = settings
        self._project = str(project)
        self._filters = filters

    def store(self) -> None:
        """Keeps the filter as it is."""
        chosen = self._filters.run_filter.model_dump(mode="json", exclude_none=True)
        self._settings.remember(_NAME, json.dumps({"project": self._project, "filter": chosen}))

    def restore(self) -> None:
        """Sets the filter that was kept for this project; none if it was kept for another one."""
        self._filters.set_filter(self._read())

    def _read(self) -> RunFilter:
        try:
            kept = json.loads(self._settings.remembered(_NAME))
            return RunFilter.model_validate(kept["filter"]) if kept["project"] == self._project else RunFilter()
        except (ValueError, TypeError, LookupError):
            return RunFilter()
