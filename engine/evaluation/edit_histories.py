"""How an answer was built, edit by edit: by a person in an editor, or by a model with hands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from spatial_workbench.engine.core import InstanceError, resolve
from spatial_workbench.engine.core.formats.patch import apply
from spatial_workbench.engine.store import Edit


class NoEditHistory(ValueError):
    """There is no history that can be replayed; the message is a sentence that says why."""


@dataclass(frozen=True)
class EditHistory:
    """How a person built an answer: the empty answer as plain data, and the edits that followed.

    Attributes:
        shown: After how many edits a replay begins.
        note: What there is to say about that edit.
    """

    address: str
    start: Any
    edits: tuple[Edit, ...]
    shown: int = 0
    note: str = ""

    def answer_after(self, number: int) -> str:
        """The answer after so many edits, as JSON.

        Raises:
            ValueError: An edit does not fit the answer before it.
        """
        data = self.start
        for edit in self.edits[:number]:
            data = apply(data, edit.patch)
        return json.dumps(data)

    @property
    def answers(self) -> Iterator[str]:
        """The answer before the first edit and after each, as JSON."""
        data = self.start
        yield json.dumps(data)
        for edit in self.edits:
            data = apply(data, edit.patch)
            yield json.dumps(data)


def history_of_person(address: str, number: int, edits: Sequence[Edit]) -> EditHistory:
    """The history of a person's attempt. Raises NoEditHistory."""
    try:
        task, instance = resolve(address)
    except InstanceError as error:
        raise NoEditHistory(f"This version does not know the instance of attempt {number}. {error}") from None
    history = EditHistory(address, task.empty(instance).model_dump(mode="json"), tuple(edits))
    try:
        history.answer_after(len(edits))
    except ValueError:
        raise NoEditHistory(
            f"The edits of attempt {number} cannot be replayed: they did not begin with the empty answer."
        ) from None
    return history


def history_of_hands(address: str, number: int, record: str, ended: datetime) -> EditHistory:
    """The changes that a model with hands made, as the edits of a person.

    record: Of its run. ended: When the attempt was handed in.

    Raises:
        NoEditHistory: The run cannot be read or replayed.
    """
    from spatial_workbench.engine.evaluation.hands.records import HandsRecord

    try:
        played = HandsRecord.model_validate_json(record)
    except ValueError:
        raise NoEditHistory(f"The run of attempt {number} cannot be read.") from None
    begun = ended - timedelta(seconds=played.seconds)
    changes = [call for call in played.calls if call.patch]
    edits = [
        Edit(number=place, label=call.label, patch=call.patch, at=begun + timedelta(seconds=call.seconds))
        for place, call in enumerate(changes, 1)
    ]
    return history_of_person(address, number, edits)
