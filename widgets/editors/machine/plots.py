"""The plots below the view: the curves of the simulation that plays, over those of earlier ones.

This module is imported when the first simulation plays: pyqtgraph takes a while to load.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.machines.building.poses import kind_of
from spatial_workbench.engine.machines.levels.level import Level
from spatial_workbench.engine.tasks.machine.playback import SimulatedRun
from spatial_workbench.engine.tasks.machine.series import PLOTS
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.layouts import column, row
from spatial_workbench.widgets.rich_text import make_rich
from spatial_workbench.widgets.theme import SPACE, Theme
from spatial_workbench.widgets.wheel_fields import ChoiceBox

HEIGHT_PX = 190
_EARLIER_OPACITY = 0.65
_MOST_NAMES = 6
_BREAK_COLUMNS = ("Broke", "t, s", "Force, N", "Torque, N m", "Load")
_BREAKS_PX = 440
_LEAST_RANGE = 0.1
"""The smallest range of the axes, in the unit of the curves: what is constant is drawn as a straight line."""
_SERIES = 8
"""How many colours of curves a theme has."""


class BreakList(QTableWidget):
    """The connections that broke in a run, in the order of time.

    Signals:
        chosen(float): a row was clicked; its time, s.
    """

    chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__(0, len(_BREAK_COLUMNS))
        self.setHorizontalHeaderLabels([said(name) for name in _BREAK_COLUMNS])
        self.setAccessibleName(tr("What broke"))
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setFixedWidth(_BREAKS_PX)
        self._times: list[float] = []
        self.cellClicked.connect(lambda place, _: self.chosen.emit(self._times[place]))
        self.cellActivated.connect(lambda place, _: self.chosen.emit(self._times[place]))

    def show_run(self, run: SimulatedRun) -> None:
        """Lists what broke; nothing is shown where nothing did."""
        rows = run.trace.breaks
        self.setVisible(bool(rows))
        self._times = [row.time for row in rows]
        self.setRowCount(len(rows))
        for place, broken in enumerate(rows):
            name = f"{broken.block} {said(kind_of(run.tree[broken.block]).name)}"
            figures = [f"{broken.time:.2f}", f"{broken.force:,.0f}", f"{broken.torque:,.0f}", f"{broken.load:.2f}"]
            for across, text in enumerate([name, *figures]):
                item = QTableWidgetItem(text.replace("-", "−"))
                if across:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(place, across, item)


class RunPlots(QWidget):
    """One plot at a time; the latest run is drawn strongly, earlier ones dashed. What broke is listed beside it.

    Signals:
        moment_chosen(float): a break was clicked; its time, s.
    """

    moment_chosen = Signal(float)

    def __init__(self, level: Level) -> None:
        super().__init__()
        self._level = level
        self._runs: Sequence[SimulatedRun] = ()
        self.setObjectName("panel")
        self.kinds = ChoiceBox()
        self.kinds.addItems([said(plot.title) for plot in PLOTS])
        self.kinds.setAccessibleName(tr("What is plotted"))
        self.kinds.setToolTip(tr("What is plotted"))
        self.kinds.currentIndexChanged.connect(lambda _: self._draw_curves())
        self.legend = make_rich(QLabel())
        self.plot = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        self.plot.setLimits(minXRange=_LEAST_RANGE, minYRange=_LEAST_RANGE)
        for name in ("bottom", "left"):
            self.plot.getAxis(name).enableAutoSIPrefix(False)
        self.plot.setAccessibleName(tr("Curves of the simulation"))
        self._cursor = pg.InfiniteLine(angle=90)
        head = QWidget()
        row(head, self.kinds, self.legend, None, margins=(2 * SPACE, SPACE), spacing=2 * SPACE)
        self.breaks = BreakList()
        self.breaks.chosen.connect(self.moment_chosen)
        body = QWidget()
        row(body, self.plot, self.breaks).setStretch(0, 1)
        column(self, head, body)
        self.setFixedHeight(HEIGHT_PX)
        self.show_theme(appearance().theme)

    def show_runs(self, runs: Sequence[SimulatedRun]) -> None:
        """Draws these runs, the latest last."""
        self._runs = runs
        self.breaks.show_run(runs[-1])
        self._draw_curves()

    def show_time(self, time: float) -> None:
        """Moves the cursor to a time, in seconds."""
        self._cursor.setValue(time)

    def show_theme(self, theme: Theme) -> None:
        """Draws in the colours of a theme."""
        self._theme = theme
        self.plot.setBackground(theme.color("panel"))
        for name in ("bottom", "left"):
            axis = self.plot.getAxis(name)
            axis.setPen(theme.color("line"))
            axis.setTextPen(theme.color("secondary"))
        self._cursor.setPen(pg.mkPen(theme.color("accent"), width=1))
        self._draw_curves()

    def _draw_curves(self) -> None:
        plot = PLOTS[self.kinds.currentIndex()]
        self.plot.clear()
        self.plot.setLabel("bottom", said(plot.across))
        self.plot.setLabel("left", said(plot.up))
        names = []
        for run in self._runs:
            is_latest = run is self._runs[-1]
            for k, curve in enumerate(plot.curves(self._level, run.tree, run.trace)):
                color = QColor(self._theme.mark(f"series {k % _SERIES}"))
                color.setAlphaF(1.0 if is_latest else _EARLIER_OPACITY)
                style = Qt.PenStyle.SolidLine if is_latest else Qt.PenStyle.DashLine
                pen = pg.mkPen(color, width=2 if is_latest else 1, style=style)
                self.plot.plot(curve.x, curve.y, pen=pen, connect="finite")
                if is_latest:
                    names.append(f'<span style="color:{color.name()}">{escape(_said_name(curve.name))}</span>')
        earlier = len(self._runs) - 1
        words = f" · dashed: {counted(earlier, 'earlier run')}" if earlier > 0 else ""
        if len(names) > _MOST_NAMES:
            names[_MOST_NAMES:] = [said(f"{len(names) - _MOST_NAMES} more")]
        self.legend.setText((" · ".join(names) or tr("Nothing of this kind is in the machine")) + said(words))
        if plot.across.startswith("time"):
            self.plot.addItem(self._cursor)


def _said_name(name: str) -> str:
    """The name of a curve, which may end in the number of a block, in the language that is spoken."""
    return " ".join(map(said, name.rsplit(" ", 1)))
