"""Figures of a set beside the published ones, with a histogram of the number of steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from spatial_workbench.engine.puzzles.annotation.vocabulary import Modality, PuzzleDifficulty, Skill
from spatial_workbench.engine.puzzles.published import PublishedDataset, published_dataset
from spatial_workbench.engine.puzzles.statistics import SetStatistics
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.qt import sized_font
from spatial_workbench.widgets.theme import SPACE

MOST_BARS = 30
"""Puzzles with more steps share the last bar."""
_BAR_PX, _GAP_PX, _FOOT_PX = 28, 6, 22

Row = tuple[str, str, str]
"""A figure: its name, its value in the set, its published value."""


class StatisticsView(QScrollArea):
    """The statistics of a set."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.viewport().setObjectName("page")
        self.histogram = StepHistogram()
        self.rows: list[Row] = []

    def show_statistics(self, statistics: SetStatistics) -> None:
        """Shows the figures of a set."""
        published = published_dataset()
        self.histogram = StepHistogram()
        self.histogram.show_steps(statistics.steps)
        parts = {
            "The set": list(_overall(statistics, published)),
            "Puzzles by modality and difficulty": list(_by_modality(statistics, published)),
            "Puzzles by skill": [(skill.label, str(statistics.by_skill[skill]), "–") for skill in Skill],
        }
        self.rows = [row for rows in parts.values() for row in rows]
        body = QWidget()
        body.setObjectName("page")
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 4 * SPACE, 0, 6 * SPACE)
        column.setSpacing(4 * SPACE)
        for name, rows in parts.items():
            column.addWidget(_heading(name))
            column.addWidget(_table(rows))
            if name == "The set":
                column.addWidget(_heading("Number of steps"))
                column.addWidget(self.histogram)
        column.addStretch(1)
        self.setWidget(body)


def _overall(statistics: SetStatistics, published: PublishedDataset) -> Iterator[Row]:
    share = statistics.share_with_figure
    visual = None if share is None else 100 * share
    yield "Puzzles", str(statistics.puzzles), str(published.puzzles)
    yield "Steps of a puzzle, mean", _number(statistics.mean_steps), _number(published.mean_steps)
    yield "Steps of a puzzle, median", _number(statistics.median_steps), "–"
    yield "Steps with a figure (%)", _number(visual), _number(published.steps_with_figure_percent)
    yield "Words of a step, mean", _number(statistics.mean_words), _number(published.mean_words)
    correlation = statistics.difficulty_and_steps
    yield (
        "Correlation of difficulty and steps",
        "n/a" if correlation is None else f"{correlation:.2f}".replace("-", "−"),
        f"{published.difficulty_and_steps:.2f}",
    )


def _by_modality(statistics: SetStatistics, published: PublishedDataset) -> Iterator[Row]:
    for modality in Modality:
        for difficulty in PuzzleDifficulty:
            here = statistics.by_modality[modality][difficulty]
            yield f"{modality}, {difficulty}", str(here), str(published.by_modality[modality][difficulty])


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.1f}"


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setObjectName("sectionTitle")
    return label


def _table(rows: list[Row]) -> QWidget:
    """Three columns that are as wide as they need to be."""
    body = QWidget()
    grid = QGridLayout(body)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(8 * SPACE)
    grid.setVerticalSpacing(SPACE)
    for column, title in enumerate(("", "this set", "published")):
        grid.addWidget(_cell(title, "caption", column), 0, column)
    for i, row in enumerate(rows, 1):
        for column, text in enumerate(row):
            grid.addWidget(_cell(text, "secondary" if column == 2 else "", column), i, column)
    grid.setColumnMinimumWidth(0, 280)
    grid.setColumnStretch(3, 1)
    return body


def _cell(text: str, name: str, column: int) -> QLabel:
    label = QLabel(text)
    label.setObjectName(name)
    if column:
        label.setAlignment(Qt.AlignmentFlag.AlignRight)
    return label


class StepHistogram(QWidget):
    """How many puzzles have how many steps, as bars."""

    def __init__(self) -> None:
        super().__init__()
        self.bars: list[int] = []
        self.setAccessibleName("Histogram of the number of steps")
        self.setFixedHeight(180)

    def show_steps(self, steps: Mapping[int, int]) -> None:
        """Shows counts by number of steps."""
        most = min(max(steps, default=0), MOST_BARS)
        self.bars = [steps.get(i, 0) for i in range(1, most)]
        self.bars += [sum(count for number, count in steps.items() if number >= most)] if most else []
        words = ", ".join(f"{i}: {count}" for i, count in enumerate(self.bars, 1))
        self.setAccessibleDescription(f"Puzzles by number of steps: {words}" if words else "No puzzles")
        self.setToolTip(self.accessibleDescription())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize((_BAR_PX + _GAP_PX) * max(1, len(self.bars)), 180)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = appearance().theme
        painter.setFont(sized_font(11))
        height = self.height() - 2 * _FOOT_PX
        for i, count in enumerate(self.bars):
            left = i * (_BAR_PX + _GAP_PX)
            bar = height * count / max(self.bars)
            box = QRectF(left, _FOOT_PX + height - bar, _BAR_PX, bar)
            painter.fillRect(box, theme.mark("series 0"))
            painter.setPen(theme.color("text"))
            last = "+" if i + 1 == MOST_BARS else ""
            foot = QRectF(left, self.height() - _FOOT_PX, _BAR_PX, _FOOT_PX)
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, f"{i + 1}{last}")
            if count:
                above = QRectF(left, box.top() - _FOOT_PX, _BAR_PX, _FOOT_PX)
                painter.drawText(above, Qt.AlignmentFlag.AlignCenter, str(count))
        painter.setPen(theme.color("line"))
        base = self.height() - _FOOT_PX
        painter.drawLine(0, base, len(self.bars) * (_BAR_PX + _GAP_PX), base)
