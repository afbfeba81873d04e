"""The list of checks with their live values; a click on a row shows the elements concerned."""

from __future__ import annotations

from collections.abc import Sequence

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.pipe_loop.live import PipeRow
from spatial_workbench.widgets.panels.lamps import LampColumn

WIDTH = 196


class LiveChecks(LampColumn):
    """A column with a line for each check."""

    def __init__(self, shows_lamps: bool) -> None:
        super().__init__("Live", shows_lamps)
        self.setFixedWidth(WIDTH)
        self._rows: Sequence[PipeRow] = ()

    def show_rows(self, rows: Sequence[PipeRow]) -> None:
        """Shows these rows."""
        if rows == self._rows:
            return
        self._rows = rows
        while len(self.lines) < len(rows):
            self.add_line().setToolTip(tr("Click to show the pipes and joints concerned"))
        for index, line in enumerate(self.lines):
            line.setVisible(index < len(rows))
        for line, row in zip(self.lines, rows, strict=False):
            name = said(row.name)
            line.show_line(name[:1].upper() + name[1:], row.value, row.met)
