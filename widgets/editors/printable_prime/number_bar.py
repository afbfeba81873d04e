"""The bar above the stack: the number with its commas; groups that occur twice are underlined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.core.languages.translation import tr
from spatial_workbench.engine.tasks.printable_prime.digits import groups_of
from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.rich_text import make_rich

EMPTY = "Type digits, or choose them on the left: the first digit lies on the build plate."


class NumberBar(QLabel):
    """The number, with a link for each digit.

    Signals:
        digit_clicked(int): the digit at this index, from the left, was clicked.
    """

    digit_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        make_rich(self)
        self.setWordWrap(True)
        self.setAccessibleName(tr("The number"))
        self.setContentsMargins(16, 10, 16, 10)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.linkActivated.connect(lambda link: self.digit_clicked.emit(int(link)))

    def show_number(self, number: str, group: int, marked: Sequence[int], shows_twice: bool) -> None:
        """Shows a number cut into groups.

        marked: the indices of selected digits.
        shows_twice: whether groups that occur twice are underlined.
        """
        theme = appearance().theme
        if not number:
            self.setText(f'<span style="color:{theme.secondary}">{said(EMPTY)}</span>')
            return
        groups = groups_of(number, group)
        twice = {text for text, count in Counter(groups).items() if shows_twice and count > 1}
        place = 0
        parts = []
        for text in groups:
            digits = "".join(self._digit(d, place + k, place + k in marked, text in twice) for k, d in enumerate(text))
            parts.append(digits)
            place += len(text)
        comma = f'<span style="color:{theme.secondary}">,&#8203;</span>'
        self.setText(f'<span style="font-size:15pt">{comma.join(parts)}</span>')

    def _digit(self, digit: str, place: int, marked: bool, twice: bool) -> str:
        theme = appearance().theme
        color = theme.failed if twice else theme.accent if marked else theme.text
        style = f"color:{color};text-decoration:{'underline' if twice or marked else 'none'}"
        return f'<a href="{place}" style="{style}">{escape(digit)}</a>'
