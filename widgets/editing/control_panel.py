"""Builds an editor's panel from its list of controls, and keeps it up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QLabel, QSlider, QVBoxLayout, QWidget

from spatial_workbench.engine.core import Aid
from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.widgets.editing.controls import (
    Action,
    Bars,
    Buttons,
    Choice,
    Control,
    CustomPart,
    Declared,
    Gauge,
    Keys,
    Note,
    Number,
    Numbers,
    Option,
    Row,
    Section,
    Slider,
    Switch,
    Verb,
    aid_of,
)
from spatial_workbench.widgets.editing.panel import MUTED, NumberGrid, ToolPanel
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.panels.meter import Meter
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.theme import SPACE

if TYPE_CHECKING:
    from spatial_workbench.widgets.editing.editor import Editor


class ControlPanel:
    """Builds the controls of an editor into its tool panel.

    `refresh` updates every control; the editor calls it after every change.
    """

    def __init__(self, editor: Editor[Any], panel: ToolPanel, declared: Iterable[Declared]) -> None:
        self.declared = tuple(declared)
        self.widgets: dict[str, QWidget] = {}
        """The widget of each control that is not an action, by the control's text."""
        self.actions: dict[str, QAction] = {}
        self.verbs: dict[Verb, QAction] = {}
        """The actions that stand for entries of the *Edit* menu."""
        self._editor = editor
        self._panel = panel
        self._refreshers: list[Callable[[], None]] = []
        self._reported: set[str] = set()
        """The texts of the fields and sliders whose first use was reported."""
        for group in self.declared:
            if isinstance(group, Keys):
                for action in group.actions:
                    self._action(action)
            elif isinstance(group, Bars):
                self._add_bars(group)
            else:
                self._add_section(group)

    def refresh(self) -> None:
        """Updates every control."""
        for refresher in self._refreshers:
            refresher()

    # Building ----------------------------------------------------------------------------------------------------

    def _add_section(self, section: Section) -> None:
        heading = self._panel.add_section(section.title)
        shown = [control.shown for control in section.controls if control.shown is not None]
        if len(shown) == len(list(section.controls)):
            self._refreshers.append(lambda: heading.setVisible(any(is_shown() for is_shown in shown)))
        for row in section.rows:
            self._add_row(row)

    def _add_bars(self, bars: Bars) -> None:
        for part in bars.parts:
            widget = self.widgets[part.text] = self._make_part(part)
            row = _captioned(widget, part.caption)
            (bars.place or self._editor.add_bar)(row)
            if part.shown is not None:
                self._refreshers.append(partial(_show_when, row, part.shown))

    def _add_row(self, row: Row) -> None:
        if isinstance(row, Buttons):
            actions = [self._action(action) for action in row.actions]
            self._panel.add_tools(actions, row.exclusive, row.columns, row.has_words, row.icon_px, row.wraps)
            return
        widget = _BUILDERS[type(row)](self, row)
        self.widgets[row.text] = widget
        self._watch(row, widget)

    def _action(self, control: Action) -> QAction:
        action = self._make_action(control)
        self.actions[control.text] = action
        if control.verb is not None:
            self.verbs[control.verb] = action
        if control.picture is not None:
            action.setIcon(control.picture())
        if control.checked is not None:
            action.setCheckable(True)
            checked = control.checked
            self._refreshers.append(lambda: action.setChecked(checked()))
            action.triggered.connect(lambda _: self.refresh())
        if control.says is not None:
            says = control.says
            self._refreshers.append(lambda: action.setText(said(says())))
        if control.enabled is not None:
            enabled = control.enabled
            self._refreshers.append(lambda: action.setEnabled(enabled()))
        if control.shown is not None:
            shown = control.shown
            self._refreshers.append(lambda: action.setVisible(shown()))
        return action

    def _make_action(self, control: Action) -> QAction:
        """An action of the editor, which is in the palette too; its shortcut works while the editor has the focus."""
        action = QAction(said(control.text), self._editor)
        action.setProperty(MUTED, control.is_muted)
        if control.aid not in (Aid.VIEWING, Aid.EDITING):
            action.triggered.connect(lambda _=False: self._editor.use_aid(control.text, control.aid))
        action.triggered.connect(lambda _=False: control.run())
        action.setToolTip(_tip_with_keys(control))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.setShortcuts(_keys_of(control))
        if control.icon:
            action.setIcon(icon(control.icon))
        self._editor.addAction(action)
        return action

    def _watch(self, control: Control, widget: QWidget) -> None:
        """Enables a widget, and shows it with its label, as the control's functions say."""
        if control.enabled is not None:
            enabled = control.enabled
            self._refreshers.append(lambda: widget.setEnabled(enabled()))
        if control.shown is not None:
            shown = control.shown
            row = self._panel.row_of(widget)
            self._refreshers.append(lambda: row.setVisible(shown()))

    def _switch(self, control: Switch) -> QWidget:
        box = self._panel.add_check(control.text, control.is_on(), control.turn, control.tip, control.aid)
        self._add_refresher(box, lambda: box.setChecked(control.is_on()))
        return box

    def _choice(self, control: Choice) -> QWidget:
        texts = [_text_of(option) for option in control.options]
        aids = [aid_of(option, control) for option in control.options]
        combo = self._panel.add_choice(control.text, texts, control.choose, control.tip, aids)
        self._add_refresher(combo, lambda: combo.setCurrentIndex(control.chosen()))
        return combo

    def _number(self, control: Number) -> QWidget:
        field = self._panel.add_number(
            control.text,
            control.value(),
            control.bounds,
            self._reporting(control, control.put),
            control.step,
            control.decimals,
            control.unit,
            control.tip,
        )
        field.setSpecialValueText(said(control.least))
        self._add_refresher(field, lambda: field.setValue(control.value()))
        return field

    def _slider(self, control: Slider) -> QWidget:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(*control.bounds)
        slider.setValue(round(control.value()))
        slider.setAccessibleName(said(control.text))
        slider.setToolTip(said(control.tip))
        slider.valueChanged.connect(self._reporting(control, control.put))
        self._panel.add_widget(_captioned(slider, control.caption))
        self._add_refresher(slider, lambda: self._slide(slider, control))
        return slider

    def _slide(self, slider: QSlider, control: Slider) -> None:
        if control.greatest is not None:
            slider.setMaximum(control.greatest())
        slider.setValue(round(control.value()))

    def _numbers(self, control: Numbers) -> QWidget:
        grid = NumberGrid(
            control.labels,
            control.bounds,
            control.step,
            control.decimals,
            control.unit,
            control.columns,
            above=control.above,
        )
        for field in grid.fields:
            field.setMinimumWidth(control.field_px)
        for field, bounds in zip(grid.fields, control.bounds_each, strict=False):
            field.setRange(*bounds)
        grid.setToolTip(said(control.tip))
        grid.setAccessibleName(said(control.text))
        grid.edited.connect(self._reporting(control, control.put))
        self._panel.add_widget(grid)
        self._refreshers.append(lambda: grid.set_values(control.values()))
        return grid

    def _note(self, control: Note) -> QWidget:
        note = self._panel.add_note(control.text if control.says is None else control.says())
        if control.lines > 1:
            note.setAlignment(Qt.AlignmentFlag.AlignTop)
            note.setMinimumHeight(control.lines * note.fontMetrics().lineSpacing())
        if control.says is not None:
            says = control.says
            self._refreshers.append(lambda: note.setText(said(says())))
        return note

    def _gauge(self, control: Gauge) -> QWidget:
        meter = Meter(control.picture)
        meter.setAccessibleName(said(control.text))
        meter.words.setWordWrap(control.wraps)
        self._panel.add_widget(meter)

        def read() -> None:
            reading = control.read()
            meter.show_figure(reading.figure, reading.words, reading.is_met, reading.tip or control.tip)

        self._refreshers.append(read)
        return meter

    def _part(self, control: CustomPart[Any]) -> QWidget:
        widget = self._make_part(control)
        self._panel.add_widget(_captioned(widget, control.caption))
        return widget

    def _make_part(self, control: CustomPart[Any]) -> QWidget:
        widget: QWidget = control.make()
        widget.setProperty("aid", control.aid.value)
        if control.tip:
            widget.setToolTip(said(control.tip))
        if control.refresh is not None:
            self._refreshers.append(partial(control.refresh, widget))
        return widget

    def _reporting(self, control: Control, put: Callable[..., object]) -> Callable[..., None]:
        """Wraps `put`: reports the first use of a control with an aid class above editing."""

        def take(*values: float) -> None:
            if control.text not in self._reported and control.aid not in (Aid.VIEWING, Aid.EDITING):
                self._reported.add(control.text)
                self._editor.use_aid(control.text, control.aid)
            put(*values)

        return take

    def _add_refresher(self, widget: QWidget, show: Callable[[], None]) -> None:
        """Adds a refresher that shows a value without signalling a change to the editor."""

        def refresh() -> None:
            with QSignalBlocker(widget):
                show()

        self._refreshers.append(refresh)


_BUILDERS: dict[type[Control], Callable[[ControlPanel, Any], QWidget]] = {
    Switch: ControlPanel._switch,
    Choice: ControlPanel._choice,
    Number: ControlPanel._number,
    Slider: ControlPanel._slider,
    Numbers: ControlPanel._numbers,
    Note: ControlPanel._note,
    Gauge: ControlPanel._gauge,
    CustomPart: ControlPanel._part,
}


def add_section_control(panel: ToolPanel, view: SceneView) -> None:
    """Adds the control that cuts a scene open, if the view is three-dimensional."""
    if view.scene.flat:
        return
    from spatial_workbench.widgets.scene_views.section_control import SectionControl
    from spatial_workbench.widgets.scene_views.viewport3d import Viewport3D

    if isinstance(view, Viewport3D):
        panel.add_section("Section")
        panel.add_widget(SectionControl(view))


def _show_when(widget: QWidget, is_shown: Callable[[], bool]) -> None:
    widget.setVisible(is_shown())


def _captioned(widget: QWidget, caption: str) -> QWidget:
    """Puts a widget below its caption; returns the widget itself if there is no caption."""
    if not caption:
        return widget
    row = QWidget()
    label = QLabel(said(caption))
    label.setObjectName("secondary")
    column = QVBoxLayout(row)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE)
    column.addWidget(label)
    column.addWidget(widget, 1)
    return row


def census(declared: Iterable[Declared]) -> list[tuple[str, Aid]]:
    """Every control with its aid class, in the panel's order, including options with a class of their own."""
    return [line for group in declared for control in group.controls for line in _lines(control)]


def _lines(control: Control) -> list[tuple[str, Aid]]:
    options = control.options if isinstance(control, Choice) else ()
    special = [(f"{control.text}: {option.text}", option.aid) for option in options if isinstance(option, Option)]
    return [(control.text, control.aid), *special]


def _keys_of(control: Action) -> list[QKeySequence]:
    return [QKeySequence(part) for part in control.key.split(", ")] if control.key else []


def _tip_with_keys(control: Action) -> str:
    """What an action does, and its keys as this system writes them."""
    keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in _keys_of(control)]
    tip = said(control.tip or control.text)
    return f"{tip}  ({', '.join(keys)})" if keys else tip


def _text_of(option: str | Option) -> str:
    return option.text if isinstance(option, Option) else option
