"""Finds texts that nobody has translated, with a language in which every translation stands in brackets."""

import re
from gettext import NullTranslations
from string import Formatter

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from spatial_workbench.engine.core.languages import sayings, translation

MARKED = "xx"
"""A language in which every text of the program stands in brackets; what is put into its places does not."""
COMPLETE = "de"
"""A language whose catalogue has every text."""
_BRACKETS = re.compile("«[^«»]*»")
_KEYS = re.compile(
    r"\(?((Ctrl|Shift|Alt|Strg|Umschalt)\+)+[A-Za-z0-9]+\)?|\([A-Z0-9\[\]+-][A-Za-z]*(, [A-Z0-9\[\]+-][A-Za-z]*)*\)"
)
LONGEST_KEY = 20
"""Characters of the longest name of a key, of which short texts that are given may be parts."""
_CODES = re.compile(r"\b[A-Z]+(_[A-Z]+)+\b")
_TAGS = re.compile(r"</?[a-z]+( [^<>]*)?>|&#?\w+;")
_WORDS = re.compile(r"[^\W\d_]{2,}")

_MONOMIAL = re.compile("[uv⁰¹²³⁴-⁹]+")
UNITS = {"mm", "cm", "km", "m²", "m³", "mm²", "mm³", "cm²", "cm³", "kg", "ms", "px", "rad", "deg"}
SYMBOLS = UNITS | {"nan", "pi", "sin", "cos", "JSON", "STL", "SVG", "CSV"}
"""Units and names that are written alike in every language."""
SPOKEN_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


class Marking(NullTranslations):
    """Puts the words of every text in brackets, and leaves the places between them open."""

    def gettext(self, message):
        return "".join(
            (f"«{_escaped(literal)}»" if literal else "") + _place(name, form, how)
            for literal, name, form, how in Formatter().parse(message)
        )

    def ngettext(self, one, many, number):
        return self.gettext(one if number == 1 else many)


def _escaped(literal):
    return literal.replace("{", "{{").replace("}", "}}")


def _place(name, form, how):
    if name is None:
        return ""
    return f"{{{name}{'!' + how if how else ''}{':' + form if form else ''}}}"


def mark_texts(monkeypatch):
    """From now on, texts stand in brackets while that language is spoken."""
    catalogue_of = translation.catalogue_of
    messages_of = translation.messages_of
    marking = Marking()
    monkeypatch.setattr(
        translation, "catalogue_of", lambda language: marking if language == MARKED else catalogue_of(language)
    )
    # A catalogue has the texts of all sources, which tests/core/languages proves; finding them there takes longer.
    monkeypatch.setattr(
        translation, "messages_of", lambda language: messages_of(COMPLETE if language == MARKED else language)
    )


def forget_marked():
    """Lets go of the patterns of the language that is none."""
    sayings.sayings_of.cache_clear()


def shown_texts(root, is_left_out=lambda widget: False):
    """All texts that somebody sees or hears in a widget, but for what is typed, and for widgets that are left out."""
    yield root.windowTitle()
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and not is_left_out(widget):
            yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
            yield from texts_in(widget)


def texts_in(widget):
    """The texts of one widget without its children."""
    match widget:
        case QLabel() | QAbstractButton():
            yield widget.text()
        case QLineEdit():
            yield widget.placeholderText()
        case QTextEdit():
            yield widget.toPlainText()
        case QPlainTextEdit():
            yield widget.placeholderText()
        case QTabBar():
            yield from (widget.tabText(k) for k in range(widget.count()))
        case QComboBox():
            yield from (widget.itemText(k) for k in range(widget.count()))
        case QAbstractSpinBox():
            yield widget.specialValueText()
            yield widget.text()
        case QAbstractItemView():
            yield from texts_of_rows(widget.model())


def texts_of_rows(model):
    """The headings and cells of a table, their tooltips, and what screen readers are told."""
    if model is None:
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(model.rowCount()):
            index = model.index(row, column)
            yield from (str(index.data(role) or "") for role in SPOKEN_ROLES)


def untranslated_words(text, given=()):
    """The words of a text that stand neither in brackets nor in the texts that are given, and could be translated."""
    longest_first = sorted(filter(None, given), key=len, reverse=True)
    text = _without(text, [part for part in longest_first if len(part) > LONGEST_KEY])
    text = _CODES.sub(" ", _KEYS.sub(" ", text))
    text = _TAGS.sub("", _without(text, longest_first))
    while (rest := _BRACKETS.sub(" ", text)) != text:
        text = rest
    return [word for word in _WORDS.findall(text) if not is_symbol(word)]


def _without(text, parts):
    for part in parts:
        text = text.replace(part, " ")
    return text


def is_symbol(word):
    """Whether a word is written alike in every language."""
    return word in SYMBOLS or _MONOMIAL.fullmatch(word) is not None
