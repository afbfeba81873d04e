"""Themes: the application's colours, and what the roles of scenes look like in them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QColor, QPalette

SERIES = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe and Ito's colours, which colour-blind people can tell apart too; the eighth is black or white."""

MARKS = {
    False: ("#0072B2", "#B97F00", "#009E73", "#C4689C", "#3590CC", "#D55E00", "#857F00", "#000000"),
    True: ("#2E8BD6", "#E69F00", "#009E73", "#CC79A7", "#8CCBF2", "#D55E00", "#F0E442", "#FFFFFF"),
}
"""The same series as marks of charts, on light and (True) on dark ground; Okabe and Ito's do not all have 3 : 1."""

TICK_GROUND = "#2F6FDE"
"""The ground of white ticks in both themes: 4.5 : 1 with the tick, and 3 : 1 with whatever is around."""

HEAT = ("#30123B", "#4662D7", "#36AAF9", "#1AE4B6", "#72FE5E", "#C8EF34", "#FABA39", "#F66B19", "#CB2A04", "#7A0403")
"""Stops of the heat scale from 0 to 1."""

SPACE = 4
"""The unit of spacing in pixels: 1 within a control, 2 between controls, 4 between groups, 6 at page edges."""


@dataclass(frozen=True)
class Theme:
    """A set of colours, as "#rrggbb"."""

    name: str
    window: str
    panel: str
    field: str
    text: str
    secondary: str
    disabled: str
    line: str
    accent: str
    on_accent: str
    passed: str
    failed: str
    not_reached: str
    warning: str
    viewport_bottom: str
    viewport_top: str
    neutral: str
    rock: str
    soil: str
    water: str
    target: str

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than its background."""
        return QColor(self.window).lightness() < 128

    def color(self, role: str) -> QColor:
        """The colour of a scene's role (see spatial_workbench.engine.core.scene).

        Raises:
            ValueError: unknown role.
        """
        if role.startswith("#"):
            return QColor(role)
        kind, _, argument = role.partition(" ")
        if kind == "series":
            index = int(argument) % 8
            last = "#FFFFFF" if self.is_dark else "#000000"
            return QColor((*SERIES, last)[index])
        if kind == "scale":
            return heat(float(argument))
        value = {"muted": self.disabled}.get(role) or getattr(self, role, None)
        if not isinstance(value, str) or not value.startswith("#"):
            raise ValueError(f"unknown colour role '{role}'")
        return QColor(value)

    def mark(self, role: str) -> QColor:
        """The colour of a mark in a chart; that of a scene unless it is a series. Raises ValueError as `color` does."""
        kind, _, argument = role.partition(" ")
        return QColor(MARKS[self.is_dark][int(argument) % 8]) if kind == "series" else self.color(role)

    def rgb(self, role: str) -> tuple[float, float, float]:
        """The colour of a role as red, green and blue from 0 to 1."""
        color = self.color(role)
        return color.redF(), color.greenF(), color.blueF()

    def palette(self) -> QPalette:
        """The Qt palette of this theme."""
        palette = QPalette()
        group = QPalette.ColorGroup
        role = QPalette.ColorRole
        for target, value in {
            role.Window: self.window,
            role.WindowText: self.text,
            role.Base: self.field,
            role.AlternateBase: self.window,
            role.ToolTipBase: self.panel,
            role.ToolTipText: self.text,
            role.Text: self.text,
            role.PlaceholderText: self.secondary,
            role.Button: self.panel,
            role.ButtonText: self.text,
            role.BrightText: self.failed,
            role.Highlight: self.accent,
            role.HighlightedText: self.on_accent,
            role.Link: self.accent,
            role.LinkVisited: self.disabled,
            role.Accent: self.accent,
            role.Mid: self.line,
            role.Midlight: self.line,
            role.Dark: self.line,
            role.Shadow: self.line,
            role.Light: self.panel,
        }.items():
            palette.setColor(target, QColor(value))
        for target in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(group.Disabled, target, QColor(self.disabled))
        return palette


def heat(value: float) -> QColor:
    """The colour of a value from 0 to 1 on the heat scale."""
    position = min(1.0, max(0.0, value)) * (len(HEAT) - 1)
    index = min(int(position), len(HEAT) - 2)
    low = QColor(HEAT[index])
    high = QColor(HEAT[index + 1])
    share = position - index
    return QColor.fromRgbF(
        low.redF() + share * (high.redF() - low.redF()),
        low.greenF() + share * (high.greenF() - low.greenF()),
        low.blueF() + share * (high.blueF() - low.blueF()),
    )


LIGHT = Theme(
    name="light",
    window="#F4F5F7",
    panel="#FFFFFF",
    field="#FFFFFF",
    text="#1F2430",
    secondary="#5B6472",
    disabled="#9AA2AF",
    line="#DDE1E7",
    accent="#2A68D4",
    on_accent="#FFFFFF",
    passed="#17794F",
    failed="#C8372D",
    not_reached="#667080",
    warning="#8F5C10",
    viewport_bottom="#E9EDF2",
    viewport_top="#F9FAFC",
    neutral="#B9C2CF",
    rock="#A79F94",
    soil="#B08D62",
    water="#3F8FD6",
    target="#7FA8E8",
)

DARK = Theme(
    name="dark",
    window="#1E2127",
    panel="#262A31",
    field="#1B1E24",
    text="#E6E8EC",
    secondary="#A4ACB9",
    disabled="#6B7380",
    line="#363B45",
    accent="#6EA0FF",
    on_accent="#10131A",
    passed="#4CC38A",
    failed="#FF7A6E",
    not_reached="#8A93A1",
    warning="#E5B454",
    viewport_bottom="#1A1D23",
    viewport_top="#2B3039",
    neutral="#7E8897",
    rock="#8A8379",
    soil="#A07F57",
    water="#58A6E8",
    target="#5B86C9",
)

LIGHT_CONTRAST = replace(
    LIGHT,
    window="#FFFFFF",
    text="#000000",
    secondary="#23272E",
    disabled="#59616D",
    line="#59616D",
    accent="#0A3FA8",
    passed="#00562F",
    failed="#9C0006",
    warning="#6E4500",
)
DARK_CONTRAST = replace(
    DARK,
    window="#000000",
    panel="#000000",
    field="#000000",
    text="#FFFFFF",
    secondary="#E6E8EC",
    disabled="#A4ACB9",
    line="#A4ACB9",
    accent="#9CC4FF",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
