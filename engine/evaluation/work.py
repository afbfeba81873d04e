"""What a batch has done in other processes: pure functions of JSON data that give JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core import Answer, AnswerError, Task, resolve
from engine.core.consent import allow_programs

Data = dict[str, Any]


def judge(addresses: Sequence[str], text: str) -> Data:
    """What all verifiers, and the cross-check, say of one answer to each instance; programs in it run in the sandbox.

    Gives `answer` (the text that was verified), `note` (how it was read, where that took more than reading) and
    `verdicts`: for each address a list of verdicts as JSON data.
    """
    with allow_programs():
        read, note = readable(resolve(addresses[0])[0], text)
        return {"answer": read, "note": note, "verdicts": {address: _verdicts(address, read) for address in addresses}}


def reference(address: str) -> Data:
    """The reference solution as a response's fields."""
    return _asked("reference", address, 0, 0)


def random_answer(address: str, repeat: int, seed: int) -> Data:
    """An answer drawn at random as a response's fields."""
    return _asked("random", address, repeat, seed)


def readable(one: Task[Any], text: str) -> tuple[str, str]:
    """The text itself where the task can read it; else the data that can be found in it, and a word about that."""
    try:
        one.parse(text)
        return text, ""
    except AnswerError:
        found = _found(one, text)
    return (text, "") if found is None else (found, "The data was found inside of free text.")


def _found(one: Task[Any], text: str) -> str | None:
    from engine.models.reading import read_loosely

    try:
        answer: Answer = one.parse(read_loosely(text, one.schema() if one.answer_format == "json" else None))
    except AnswerError:
        return None
    return answer.model_dump_json() if one.answer_format == "json" else one.format(answer)


def _verdicts(address: str, text: str) -> list[Data]:
    one, instance = resolve(address)
    return [verdict.model_dump(mode="json") for verdict in one.verify_all(instance, text)]


def _asked(provider: str, address: str, repeat: int, seed: int) -> Data:
    from engine.evaluation.single import request_for
    from engine.models import ModelSettings, Provider, open_answerer

    one, instance = resolve(address)
    settings = ModelSettings(name=provider, provider=Provider(provider), seed=seed)
    response = open_answerer(settings).ask(request_for(one, instance, repeat, seed))
    return response.model_dump(mode="json")
