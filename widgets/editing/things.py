"""Things that are placed one by one: how they are cut, copied, pasted, duplicated and selected, in all editors alike.

An editor says what its things are (`Things`) and declares the controls that this makes of them. What is copied is an
answer of the task that holds the chosen things; it goes through the clipboard as text, so that a study's rules for the
clipboard hold for it too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData

from spatial_workbench.engine.core import Aid, Answer, AnswerError
from spatial_workbench.widgets.clipboard import copy_data, pasted
from spatial_workbench.widgets.editing.controls import Action, Condition, Keys, Verb
from spatial_workbench.widgets.editing.selection import NumberedSelection

if TYPE_CHECKING:
    from spatial_workbench.widgets.editing.editor import Editor

MARK = "application/x-spatial-workbench-things"
"""Says of a text in the clipboard which task's things it holds, and which of the answer's things they are."""
MOST_CHARS = 4_000_000


@dataclass(frozen=True)
class Things:
    """The placed things of an editor, known by their places in the answer.

    Attributes:
        name: What several of them are called: "bricks".
        selection: Those that are selected; knows how many there are.
        part: Returns an answer that holds some of them, and where they are in it.
        add: Adds things of another answer as one step under a label, and selects them, or says why not. They are put
            where they were or, if that is taken, beside it.
        delete: Deletes the selected ones.
        select: Selects some, where that takes more than the selection does.
    """

    name: str
    selection: NumberedSelection
    part: Callable[[Sequence[int]], tuple[Answer, Sequence[int]]]
    add: Callable[[str, Any, Sequence[int]], object]
    delete: Callable[[], object]
    select: Callable[[Iterable[int]], object] | None = None


@dataclass(frozen=True)
class Clip:
    """Things in the clipboard: an answer as text, and which of its things are meant."""

    text: str
    numbers: tuple[int, ...]


def clip_for(task_id: str) -> Clip | None:
    """What the clipboard holds of a task's things; None if that is nothing."""
    data = pasted()
    if not data.hasFormat(MARK) or not data.hasText():
        return None
    try:
        mark = json.loads(bytes(data.data(MARK).data()))
        if mark["task"] != task_id or len(data.text()) > MOST_CHARS:
            return None
        return Clip(data.text(), tuple(int(number) for number in mark["numbers"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


class ThingsEditing:
    """Cuts, copies and pastes an editor's things."""

    def __init__(self, editor: Editor[Any], things: Things) -> None:
        self._editor = editor
        self._things = things

    def controls(self, declared: Iterable[Verb] = ()) -> Keys:
        """The controls for everything that the editor has not `declared` itself."""
        own = set(declared)
        return Keys(*(action for action in self._actions() if action.verb not in own))

    def _actions(self) -> Iterator[Action]:
        name = self._things.name
        chosen = self._things.selection.has_any
        beside = "Copy the selection beside itself"
        yield Action(f"Cut {name}", self.cut, "Ctrl+X", verb=Verb.CUT, enabled=chosen)
        yield Action(f"Copy {name}", self.copy, "Ctrl+C", verb=Verb.COPY, enabled=chosen)
        yield Action(f"Paste {name}", self.paste, "Ctrl+V", verb=Verb.PASTE)
        yield Action(f"Duplicate {name}", self.duplicate, "Ctrl+D", tip=beside, verb=Verb.DUPLICATE, enabled=chosen)
        yield Action(f"Select all {name}", self.select_all, "Ctrl+A", aid=Aid.VIEWING, verb=Verb.SELECT_ALL)
        yield Action(f"Invert the selection of {name}", self.invert, "Ctrl+I", aid=Aid.VIEWING, verb=Verb.INVERT)

    def copy(self) -> None:
        """Puts the selected things into the clipboard."""
        numbers = self._things.selection.numbers
        if not numbers:
            return
        answer, places = self._things.part(numbers)
        task = self._editor.task
        data = QMimeData()
        data.setText(task.format(answer))
        data.setData(MARK, json.dumps({"task": task.id, "numbers": [int(place) for place in places]}).encode())
        copy_data(data)

    def cut(self) -> None:
        """Puts the selected things into the clipboard, and deletes them."""
        if self._things.selection.numbers:
            self.copy()
            self._things.delete()

    def paste(self) -> None:
        """Adds the things in the clipboard, or says why not."""
        clip = clip_for(self._editor.task.id)
        if clip is None:
            self._editor.message.emit(f"There are no {self._things.name} of this task in the clipboard.")
            return
        try:
            answer = self._editor.task.parse(clip.text)
        except AnswerError as error:
            self._editor.message.emit(f"The clipboard cannot be pasted. {error}")
            return
        self._things.add(f"Paste {self._things.name}", answer, clip.numbers)

    def duplicate(self) -> None:
        """Adds copies of the selected things beside them."""
        numbers = self._things.selection.numbers
        if numbers:
            answer, places = self._things.part(numbers)
            self._things.add(f"Duplicate {self._things.name}", answer, places)

    def select_all(self) -> None:
        """Selects everything."""
        self._select(range(self._things.selection.count()))

    def invert(self) -> None:
        """Selects what is not selected, and nothing else."""
        selection = self._things.selection
        chosen = set(selection.numbers)
        self._select(number for number in range(selection.count()) if number not in chosen)

    def _select(self, numbers: Iterable[int]) -> None:
        (self._things.select or self._things.selection.select)(numbers)


def step_label(verb: str, count: int, one: str, many: str) -> str:
    """What the history calls a change of some things: "Delete brick", "Delete 3 bricks".

    one, many: the sentences, with places: "{verb} brick", "{verb} {count} bricks".
    """
    return one.format(verb=verb) if count == 1 else many.format(verb=verb, count=count)


def duplicate_button(run: Callable[[], object], tip: str, key: str = "Ctrl+D", enabled: Condition = None) -> Action:
    """The button that copies what is selected beside it."""
    return Action("Duplicate", run, key, "copy", tip, verb=Verb.DUPLICATE, enabled=enabled)


def delete_button(run: Callable[[], object], tip: str, enabled: Condition = None) -> Action:
    """The button that deletes what is selected."""
    return Action("Delete", run, "Delete, Backspace", "delete", tip, verb=Verb.DELETE, enabled=enabled)
