"""Puts a theme on the whole application: Qt's palette, a style sheet for each window, and the appearance that widgets
follow."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.widgets.appearance import appearance, scaled
from spatial_workbench.widgets.theme import DARK, LIGHT, TICK_GROUND, Theme

SCHEME = "scheme-of-system"
"""The property of an application that says "light" or "dark" where there is no system to ask."""
_SHEET = """
QWidget {{ font-size: 13px; }}
QLabel, QToolTip, QTipLabel {{ qproperty-textFormat: PlainText; }}
QLabel[rich="true"] {{ qproperty-textFormat: RichText; }}
QToolTip {{ background: {panel}; color: {text}; border: 1px solid {line}; padding: 4px; }}
QMainWindow, QDialog {{ background: {window}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; button-layout: 3; }}
QMainWindow::separator {{ background: {line}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
#panel, QDockWidget > QWidget {{ background: {panel}; }}
QDockWidget {{ font-size: 13px; font-weight: 600; }}
QDockWidget {{ titlebar-close-icon: url({icons}/dock_close.svg); titlebar-normal-icon: url({icons}/dock_float.svg); }}
QDockWidget::close-button, QDockWidget::float-button {{ border: none; padding: 0; }}
QDockWidget::close-button:hover, QDockWidget::float-button:hover {{ background: {window}; border-radius: 4px; }}
QDockWidget::title {{ background: {panel}; padding: 8px 12px; border-bottom: 1px solid {line}; }}
#page {{ background: {window}; }}
#caption {{ color: {secondary}; font-size: 11px; }}
#mono {{ font-size: 12px; }}
#secondary {{ color: {secondary}; }}
#figures {{ color: {secondary}; }}
#pageTitle {{ font-size: 22px; font-weight: 600; }}
#sectionTitle {{ font-size: 14px; font-weight: 600; }}
#panelTitle {{ font-size: 16px; font-weight: 600; }}
#score {{ font-size: 22px; font-weight: 600; }}
#score:disabled {{ color: {secondary}; }}
#error {{ color: {failed}; }}
#timeLeft {{ font-size: 16px; }}
#urgent {{ color: {failed}; font-size: 16px; font-weight: 600; }}
#card {{ background: {panel}; border: 1px solid {line}; border-radius: 6px; }}
#card:hover, #card:focus {{ border-color: {accent}; }}
#step {{ background: {panel}; border: 1px solid {line}; border-radius: 6px; }}
#step[current="true"] {{ border-color: {accent}; }}
#tour {{ background: {panel}; border: 1px solid {accent}; border-radius: 8px; }}
#banner {{ background: {panel}; border-bottom: 1px solid {line}; }}
#dialog-frame {{ background: {panel}; border: 1px solid {secondary}; }}
#dialog-frame QLabel {{ font-weight: 600; }}
QStatusBar {{ background: {panel}; border-top: 1px solid {line}; }}
QStatusBar::item {{ border: none; }}
QMenuBar {{ background: {panel}; border-bottom: 1px solid {line}; padding: 2px 8px; }}
QMenuBar::item {{ padding: 4px 8px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {window}; }}
QMenu {{ background: {panel}; border: 1px solid {line}; padding: 4px; }}
QMenu::item {{ padding: 5px 28px 5px 24px; border-radius: 4px; }}
QMenu::item:selected {{ background: {accent}; color: {on_accent}; }}
QMenu::item:disabled {{ color: {disabled}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 8px; }}
QMenu::icon {{ left: 4px; }}
QTabBar {{ background: {window}; qproperty-drawBase: 0; }}
QTabBar::tab {{ background: transparent; color: {secondary}; padding: 8px 14px; border: none;
  border-bottom: 2px solid transparent; }}
QTabBar#openTabs::tab {{ min-height: 22px; }}
QTabBar::tab:selected {{ color: {text}; border-bottom: 2px solid {accent}; }}
QTabBar::tab:hover {{ color: {text}; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {line}; }}
QPushButton {{ background: {panel}; border: 1px solid {line}; border-radius: 6px; padding: 5px 12px; }}
QPushButton:hover {{ border-color: {secondary}; }}
QPushButton:pressed {{ background: {window}; }}
QPushButton:focus {{ border-color: {accent}; }}
QPushButton#primary:focus {{ border: 2px solid {text}; padding: 4px 11px; }}
QPushButton:disabled {{ color: {disabled}; }}
QPushButton:checked {{ background: {accent}; color: {on_accent}; border-color: {accent}; }}
QPushButton#primary {{ background: {accent}; color: {on_accent}; border-color: {accent}; font-weight: 600; }}
QPushButton#primary:disabled {{ background: {line}; color: {disabled}; border-color: {line}; }}
QPushButton#chip {{ background: transparent; padding: 2px 8px; border-radius: 11px; font-size: 12px; }}
QPushButton#chip:hover {{ border-color: {secondary}; }}
QPushButton#link {{ border: none; background: transparent; color: {accent}; padding: 3px 6px; }}
QPushButton#link:disabled {{ color: {disabled}; }}
QPushButton#link:focus {{ text-decoration: underline; }}
#popup {{ background: {panel}; border: 1px solid {line}; border-radius: 6px; }}
#note {{ color: {accent}; }}
QToolButton {{ border: 1px solid transparent; border-radius: 6px; padding: 4px 6px; background: transparent; }}
QToolButton#closeTab {{ padding: 1px; }}
QToolButton[popupMode="2"] {{ padding-right: 18px; }}
QToolButton::menu-indicator {{ image: url({icons}/arrow_down.svg); width: 9px; height: 9px;
  subcontrol-origin: padding; subcontrol-position: right center; right: 5px; }}
QToolButton:hover {{ background: {window}; }}
QToolButton:checked {{ background: {window}; border-color: {accent}; color: {accent}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton[muted="true"] {{ color: {secondary}; }}
QToolButton#small {{ font-size: 11px; padding: 2px 4px; }}
QLineEdit, QPlainTextEdit, QTextEdit {{ background: {field}; border: 1px solid {line}; border-radius: 6px;
  padding: 4px 6px; selection-background-color: {accent}; selection-color: {on_accent}; }}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus {{ border-color: {accent}; }}
QLineEdit:disabled {{ color: {disabled}; }}
QComboBox, QAbstractSpinBox {{ background: {field}; border: 1px solid {line}; border-radius: 6px; padding: 4px 6px;
  selection-background-color: {accent}; selection-color: {on_accent}; }}
QComboBox:focus, QAbstractSpinBox:focus {{ border-color: {accent}; }}
QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {disabled}; }}
QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 20px; }}
QComboBox::down-arrow, QDateEdit::down-arrow {{ image: url({icons}/arrow_down.svg); width: 10px; height: 10px; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox QAbstractItemView {{ background: {panel}; border: 1px solid {line}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: 18px; background: transparent; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox::up-arrow {{ image: url({icons}/arrow_up.svg); width: 8px; height: 8px; }}
QAbstractSpinBox::down-arrow {{ image: url({icons}/arrow_down.svg); width: 8px; height: 8px; }}
QCheckBox {{ spacing: 8px; }}
QCheckBox::indicator, QListView::indicator, QTreeView::indicator {{ width: 14px; height: 14px;
  border: 1px solid {secondary}; border-radius: 4px; background: {field}; }}
QCheckBox::indicator:checked, QListView::indicator:checked, QTreeView::indicator:checked {{ background: {tick_ground};
  border-color: {tick_ground}; image: url({icons}/tick.svg); }}
QTreeView::indicator:indeterminate {{ background: {tick_ground}; border-color: {tick_ground};
  image: url({icons}/dash.svg); }}
QCheckBox:focus, QRadioButton:focus {{ color: {accent}; }}
#choice {{ border: 1px solid transparent; border-radius: 4px; padding: 1px 6px 1px 0; }}
#choice:focus {{ color: {text}; border-color: {accent}; }}
QRadioButton {{ spacing: 8px; }}
QRadioButton::indicator {{ width: 14px; height: 14px; border: 1px solid {secondary}; border-radius: 8px;
  background: {field}; }}
QRadioButton::indicator:checked {{ width: 6px; height: 6px; border: 5px solid {accent}; background: {on_accent}; }}
QRadioButton:disabled {{ color: {disabled}; }}
QProgressBar {{ background: {line}; border: none; border-radius: 4px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 4px; }}
QSlider:horizontal {{ min-height: 18px; }}
QSlider::groove:horizontal {{ height: 4px; background: {line}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {accent}; border-radius: 2px; }}
QSlider[touched="false"]::handle:horizontal {{ background: transparent; border-color: transparent; }}
QSlider[touched="false"]::groove:horizontal {{ background: {secondary}; }}
QSlider[touched="false"]::sub-page:horizontal {{ background: {secondary}; }}
QSlider:focus {{ border: 1px solid {accent}; border-radius: 6px; }}
QTextEdit#studyText, QTextEdit#studyText:focus {{ background: transparent; border: none; padding: 0;
  font-size: 15px; }}
QSlider::handle:horizontal {{ background: {panel}; border: 2px solid {accent}; width: 12px; height: 12px;
  margin: -6px 0; border-radius: 8px; }}
QTreeView, QListView, QTableView {{ background: {panel}; border: none; outline: none;
  alternate-background-color: {window}; gridline-color: {line}; }}
QListView#sections {{ border: 1px solid {line}; border-radius: 6px; padding: 4px; }}
QListView#sections::item {{ padding: 4px 6px; border-radius: 4px; }}
QListView#sections::item:selected {{ background: {accent}; color: {on_accent}; }}
QTreeView::item, QListView::item {{ padding: 3px 0; }}
QComboBox QAbstractItemView::item {{ padding: 4px 3px; }}
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected {{ background: {accent};
  color: {on_accent}; }}
QTableView::item {{ padding: 0 6px; }}
QHeaderView {{ background: {panel}; }}
QTableView > QLabel#caption {{ border-bottom: 1px solid {line}; }}
QHeaderView::up-arrow {{ image: url({icons}/arrow_up.svg); width: 9px; height: 9px; margin-right: 4px; }}
QHeaderView::down-arrow {{ image: url({icons}/arrow_down.svg); width: 9px; height: 9px; margin-right: 4px; }}
QHeaderView::section {{ background: {panel}; color: {secondary}; border: none; border-bottom: 1px solid {line};
  padding: 5px 6px; font-size: 11px; }}
QTableView QHeaderView::section {{ padding: 5px 9px; }}
QTableView QHeaderView::section:vertical {{ padding: 5px 6px; }}
QTreeView QHeaderView::section {{ padding: 5px 3px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {line}; border-radius: 4px; min-height: 28px; min-width: 28px; margin: 1px; }}
QScrollBar::handle:hover {{ background: {disabled}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QScrollArea {{ background: transparent; border: none; }}
QSplitter::handle {{ background: {line}; }}
"""


_DRESSED = "dressed"
"""The property of a window that has the style sheet."""
_TYPE_SIZE = re.compile(r"font-size: (\d+)px")
_INDICATOR = re.compile(r"(?:::indicator|QSlider(?:::handle|::groove)?:horizontal)[^{]*\{[^}]*\}")
_LENGTH = re.compile(r"(-?\d+)px")

_ROLES = {
    "window": "palette(window)",
    "panel": "palette(button)",
    "field": "palette(base)",
    "text": "palette(text)",
    "secondary": "palette(placeholder-text)",
    "disabled": "palette(link-visited)",
    "line": "palette(mid)",
    "accent": "palette(highlight)",
    "on_accent": "palette(highlighted-text)",
    "failed": "palette(bright-text)",
}
"""The colours of a theme by their roles in its palette, so that one style sheet serves every theme."""


def wanted_theme(name: str, application: QApplication) -> Theme:
    """The theme that a setting ("system", "light", "dark") means here and now."""
    if name == "system":
        name = application.property(SCHEME) or _scheme_of_system(application)
    return DARK if name == "dark" else LIGHT


def _scheme_of_system(application: QApplication) -> str:
    return "dark" if application.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"


def apply_theme(
    application: QApplication, theme: Theme, reduce_motion: bool = False, later: Iterable[QWidget] = ()
) -> None:
    """Gives everything that is open, and everything opened later, the colours of a theme.

    later: pages that are out of sight; `take_theme` gives them the colours when they are seen.
    """
    application.setPalette(theme.palette())
    waiting = set(later)
    for window in application.topLevelWidgets():
        take_theme(window, waiting)
    appearance().set(theme, reduce_motion)


def dress(window: QWidget) -> None:
    """Gives the style sheet to a window without a parent; whatever is put into it and its dialogs take it over.

    It is not given to the application: with a style sheet there, Qt announces a new style to all widgets of a page each
    time that one of them is put into another, which took a quarter of the time to make a page.
    """
    window.setProperty(_DRESSED, True)
    window.setStyleSheet(_sheet())


def set_type_scale(application: QApplication, scale: float) -> None:
    """Makes all text this much larger than usual, from 1 to 2."""
    appearance().type_scale = scale
    _set_font(application)
    for window in application.topLevelWidgets():
        if window.property(_DRESSED):
            window.setStyleSheet(_sheet())


def _sheet() -> str:
    icons = str(resource("icons")).replace("\\", "/")
    sheet = _SHEET.format(**_ROLES, icons=icons, tick_ground=TICK_GROUND)
    sheet = _INDICATOR.sub(lambda rule: _LENGTH.sub(lambda px: f"{scaled(int(px[1]))}px", rule[0]), sheet)
    return _TYPE_SIZE.sub(lambda size: f"font-size: {scaled(int(size[1]))}px", sheet)


def take_theme(widget: QWidget, later: Collection[QWidget] = ()) -> None:
    """Gives a widget and all in it the colours in force, except for the parts that get them later.

    A new style sheet for the application would do the same at ten times the cost: Qt would lay out everything again.
    """
    if widget in later:
        return
    widget.style().polish(widget)
    widget.update()
    for child in widget.children():
        if isinstance(child, QWidget):
            take_theme(child, later)


def prepare(application: QApplication) -> None:
    """Sets what both themes share: the style and the font size."""
    if (
        application.style().name() != "fusion"
    ):  # Once: the style that is replaced is destroyed, and may still be in use.
        application.setStyle("Fusion")
    _set_font(application)


def _set_font(application: QApplication) -> None:
    font = QFont(application.font())
    font.setPixelSize(scaled(13))
    application.setFont(font)
