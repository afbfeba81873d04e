"""The top-level fields of an answer: which are known, and what happens to the others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_origin

from pydantic import BaseModel

from engine.core.errors import AnswerError
from engine.core.limits import field_name

REASONING = "reasoning"
"""The field for reasoning, which every answer may have and which is never scored."""

LONGEST_SHOWN = 40
_MAX_NAMED = 5
_MAX_COMPARED = 50


def known_fields(answer_type: type[BaseModel], data: Any, warn: Callable[[str], None]) -> Any:
    """The data without the fields that the answer type does not have, each of which is warned about.

    A bare list is read as the answer's only list field, and a list of a single object as that object.

    Raises:
        AnswerError: A required field is missing and there is an unknown one, which may be a misspelling of it.
    """
    if isinstance(data, list | tuple):
        data = _unlisted(answer_type, data, warn)
    if not isinstance(data, Mapping):
        return data
    _refuse_misspelt(answer_type, data)
    fields = answer_type.model_fields
    unknown = [field_name(name) for name in data if name not in fields and name != REASONING]
    if unknown:
        verb = "is not a field of the answer and was" if len(unknown) == 1 else "are not fields of the answer and were"
        warn(f"{_listed(unknown)} {verb} ignored")
    known = {name: value for name, value in data.items() if name in fields}
    if not isinstance(known.get(REASONING, ""), str):
        warn("reasoning is not text and was ignored")
        del known[REASONING]
    return known


def nearest_name(name: str, candidates: Sequence[str]) -> str | None:
    """Which of several names is most like a name; None if none is similar."""
    alike = {other.casefold(): other for other in candidates[:_MAX_COMPARED] if len(other) <= LONGEST_SHOWN}
    close = get_close_matches(name.casefold(), alike, n=1, cutoff=0.6)
    return alike[close[0]] if close else None


def short_text(text: str) -> str:
    """At most 40 characters of a text."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def _unlisted(answer_type: type[BaseModel], data: Sequence[Any], warn: Callable[[str], None]) -> Any:
    own = [name for name in answer_type.model_fields if name != REASONING]
    whole = [entry for entry in data if isinstance(entry, Mapping) and any(name in entry for name in own)]
    if len(whole) == len(data) == 1:
        warn("The answer was the only entry of a list and was taken out of it")
        return whole[0]
    lists = _list_fields(answer_type)
    if whole or len(lists) != 1:
        return data
    warn(f"The answer is a bare list; it was read as {lists[0]}")
    return {lists[0]: data}


def _list_fields(answer_type: type[BaseModel]) -> list[str]:
    """The names of the fields that hold lists; empty where there are other fields beside the reasoning."""
    fields = {name: field for name, field in answer_type.model_fields.items() if name != REASONING}
    lists = [name for name, field in fields.items() if get_origin(field.annotation) is tuple]
    return lists if len(lists) == len(fields) else []


def _refuse_misspelt(answer_type: type[BaseModel], data: Mapping[Any, Any]) -> None:
    missing = [name for name, field in answer_type.model_fields.items() if field.is_required() and name not in data]
    unknown = [field_name(name) for name in data if name not in answer_type.model_fields and name != REASONING]
    if not missing or not unknown:
        return
    alike = nearest_name(missing[0], unknown)
    rest = f"{short_text(alike)} is not known; is it {missing[0]}?" if alike else _not_known(unknown)
    raise AnswerError(f"{missing[0]} is missing; {rest}", (missing[0],))


def _not_known(unknown: Sequence[str]) -> str:
    return f"{_listed(unknown)} {'is' if len(unknown) == 1 else 'are'} not known"


def _listed(names: Iterable[str]) -> str:
    """The first names of a list: "a, b and 12 more"."""
    shown = [short_text(name) for name in names]
    if len(shown) > _MAX_NAMED:
        shown = [*shown[:_MAX_NAMED], f"{len(shown) - _MAX_NAMED} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
