"""What the *Edit* menu has for the editor in front: cutting, copying, pasting, selecting and deleting.

The keys are the editor's own, so that they work without a menu too; a field that is being typed into comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QTextEdit, QWidget

from spatial_workbench.widgets.editing.controls import Verb
from spatial_workbench.widgets.editing.things import clip_for
from spatial_workbench.widgets.icons import icon

if TYPE_CHECKING:
    from spatial_workbench.app.workspace.page import Workspace

_KEYS = {
    Verb.CUT: "Ctrl+X",
    Verb.COPY: "Ctrl+C",
    Verb.PASTE: "Ctrl+V",
    Verb.DUPLICATE: "Ctrl+D",
    Verb.SELECT_ALL: "Ctrl+A",
    Verb.INVERT: "Ctrl+I",
    Verb.DELETE: "Del",
}
_ICONS = {Verb.COPY: "copy", Verb.DELETE: "delete"}
_TEXTS = {Verb.CUT: "cut", Verb.COPY: "copy", Verb.PASTE: "paste", Verb.SELECT_ALL: "selectAll"}
"""The methods of Qt's fields that do the same with text."""
_CHANGES_TEXT = (Verb.CUT, Verb.PASTE)
Field = QLineEdit | QPlainTextEdit | QTextEdit


class EditEntries(QObject):
    """The entries of the menu; those that do nothing now are grey and say why."""

    def __init__(self, menu: QMenu, workspace: Callable[[], Workspace | None]) -> None:
        super().__init__(menu)
        self._workspace = workspace
        self.actions: dict[Verb, QAction] = {}
        for verb in Verb:
            action = menu.addAction(verb.value)
            if verb in _ICONS:
                action.setIcon(icon(_ICONS[verb]))
            action.triggered.connect(partial(self._run, verb))
            self.actions[verb] = action
        menu.aboutToShow.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Says what each entry would do now."""
        for verb, action in self.actions.items():
            own = self._own(verb)
            keys = own.shortcut() if own is not None else QKeySequence(_KEYS[verb])
            why = self._why_not(verb)
            words = f"{verb.value} ({why})" if why else verb.value
            action.setText(f"{words}\t{keys.toString(QKeySequence.SequenceFormat.NativeText)}")
            action.setStatusTip(own.toolTip() if own is not None else verb.value)
            action.setEnabled(not why)

    def _run(self, verb: Verb, _: bool = False) -> None:
        field = _typed_field()
        own = self._own(verb)
        if field is not None and verb in _TEXTS:
            getattr(field, _TEXTS[verb])()
        elif own is not None:
            own.trigger()

    def _own(self, verb: Verb) -> QAction | None:
        """The editor's own action."""
        workspace = self._workspace()
        return None if workspace is None else workspace.editor.panel.verbs.get(verb)

    def _why_not(self, verb: Verb) -> str:
        """Why an entry does nothing now, in a few words; "" if it does something."""
        field = _typed_field()
        own = self._own(verb)
        workspace = self._workspace()
        if field is not None and verb in _TEXTS:
            return "this text is read-only" if verb in _CHANGES_TEXT and field.isReadOnly() else ""
        if workspace is None:
            return "no subtask is in front"
        if own is None:
            return "not in this editor"
        if not own.isEnabled():
            return "nothing is selected"
        if verb is Verb.PASTE and Verb.CUT in workspace.editor.panel.verbs:
            return "" if clip_for(workspace.document.task.id) is not None else "nothing of this task was copied"
        return ""


def _typed_field() -> Field | None:
    """The field with text that has the keyboard."""
    focus: QWidget | None = QApplication.focusWidget()
    field: Any = focus
    return field if isinstance(focus, QLineEdit | QPlainTextEdit | QTextEdit) else None
