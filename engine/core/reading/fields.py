"""The fourth step of reading: what of the data is the answer, and which of its fields are known.

The same holds for the answer and for every part of it: a field that is not known is left out with a warning, unless a
field is missing that it may be a misspelling of.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel

from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.formats.jsontext import Path, format_path
from spatial_workbench.engine.core.reading.how_read import ENCODED, ENVELOPE, ONLY_ENTRY, Repair, bare_list
from spatial_workbench.engine.core.reading.limits import field_name
from spatial_workbench.engine.core.reading.mending import NotData, data_at

REASONING = "reasoning"
"""The field for reasoning, which every answer may have and which is never scored."""
ENVELOPES = ("answer", "final_answer")
"""Fields out of which an answer is taken, if it has no such field itself."""

LONGEST_SHOWN = 40
_MAX_NAMED = 5
_MAX_COMPARED = 50


@dataclass(frozen=True)
class Unwrapped:
    """An answer's data, taken out of fields and lists around it.

    Attributes:
        data: Plain data, an object unless it cannot be an answer.
        place: The path to it in the whole data.
        repairs: What was done to take it out.
        is_bare: Whether it was a list without the object around it.
    """

    data: Any
    place: Path = ()
    repairs: tuple[Repair, ...] = ()
    is_bare: bool = False


def unwrapped(answer_type: type[BaseModel], data: Any) -> Unwrapped:
    """Takes an answer out of a field "answer", a list of one, or a text; and puts a bare list into its only field."""
    envelope = _envelope(answer_type, data)
    if envelope is None:
        return _unlisted(answer_type, data, Unwrapped(data))
    inner = data[envelope]
    repairs: tuple[Repair, ...] = (ENVELOPE,)
    if isinstance(inner, str):
        inner = _decoded(inner)
        repairs = (ENVELOPE, ENCODED)
    return _unlisted(answer_type, inner, Unwrapped(inner, (envelope,), repairs))


def known_fields(answer_type: type[BaseModel], data: Any, warn: Callable[[str], None]) -> Any:
    """The data without the fields that the answer and its parts do not have, which are warned about.

    Raises:
        AnswerError: A required field is missing and there is an unknown one, which may be a misspelling of it.
    """
    if not isinstance(data, Mapping):
        return data
    _refuse_misspelt(answer_type, data)
    fields = answer_type.model_fields
    unknown = [field_name(name) for name in data if name not in fields and name != REASONING]
    if unknown:
        warn(_ignored(unknown))
    known = {name: value for name, value in data.items() if name in fields}
    if not isinstance(known.get(REASONING, ""), str):
        warn("reasoning is not text and was ignored")
        del known[REASONING]
    strange: list[str] = []
    known = {
        name: _known_parts(value, _layout_of(answer_type, name), (name,), strange) for name, value in known.items()
    }
    if strange:
        warn(_ignored(strange))
    return known


def _ignored(names: Sequence[str]) -> str:
    verb = "is not a field of the answer and was" if len(names) == 1 else "are not fields of the answer and were"
    return f"{_listed(names)} {verb} ignored"


# Parts ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Layout:
    """The fields of a part, or of every entry of a list of parts."""

    fields: Mapping[str, "_Layout | None"]
    required: frozenset[str]
    depth: int
    """How many lists the parts are nested in."""


@cache
def _layout(annotation: Any) -> _Layout | None:
    depth = 0
    while True:
        if get_origin(annotation) is Annotated:
            annotation = get_args(annotation)[0]
        elif get_origin(annotation) is tuple and get_args(annotation)[1:] == (...,):
            annotation = get_args(annotation)[0]
            depth = depth + 1
        else:
            break
    if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        return None
    fields = annotation.model_fields
    required = frozenset(name for name, field in fields.items() if field.is_required())
    return _Layout({name: _layout_of(annotation, name) for name in fields}, required, depth)


@cache
def _layout_of(model: type[BaseModel], name: str) -> _Layout | None:
    annotation: Any = model.model_fields[name].annotation
    return _layout(annotation)


def _known_parts(data: Any, layout: _Layout | None, place: Path, strange: list[str], depth: int | None = None) -> Any:
    """The data without unknown fields of parts, whose places are added to `strange`."""
    if layout is None:
        return data
    depth = layout.depth if depth is None else depth
    if depth:
        if not isinstance(data, list):
            return data
        return [_known_parts(entry, layout, (*place, k), strange, depth - 1) for k, entry in enumerate(data)]
    if not isinstance(data, dict):
        return data
    fields = layout.fields
    if not data.keys() <= fields.keys() and data.keys() >= layout.required:
        strange += [format_path((*place, name)) for name in data if name not in fields]
        data = {name: value for name, value in data.items() if name in fields}
    nested = [name for name in data if fields.get(name) is not None]
    if not nested:
        return data
    return data | {name: _known_parts(data[name], fields[name], (*place, name), strange) for name in nested}


def nearest_name(name: str, candidates: Sequence[str]) -> str | None:
    """Which of several names is most like a name; None if none is similar."""
    alike = {other.casefold(): other for other in candidates[:_MAX_COMPARED] if len(other) <= LONGEST_SHOWN}
    close = get_close_matches(name.casefold(), alike, n=1, cutoff=0.6)
    return alike[close[0]] if close else None


def short_text(text: str) -> str:
    """At most 40 characters of a text."""
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


# Fields and lists around an answer -----------------------------------------------------------------------------------


def _envelope(answer_type: type[BaseModel], data: Any) -> str | None:
    """The field around an answer, if there is no other field except reasoning."""
    if not isinstance(data, dict):
        return None
    names = [name for name in data if name != REASONING]
    is_around = len(names) == 1 and isinstance(names[0], str) and names[0] not in answer_type.model_fields
    return names[0] if is_around and names[0].lower() in ENVELOPES else None


def _decoded(text: str) -> Any:
    """The data that is written as a text; the text itself if it is none."""
    bare = text.strip()
    try:
        data = data_at(bare, 0)
    except (NotData, IndexError):
        return text
    return data.value if data.end == len(bare) else text


def _unlisted(answer_type: type[BaseModel], data: Any, so_far: Unwrapped) -> Unwrapped:
    if isinstance(data, dict):
        return _with_decoded_lists(answer_type, data, so_far)
    if not isinstance(data, list | tuple):
        return so_far
    own = [name for name in answer_type.model_fields if name != REASONING]
    whole = [entry for entry in data if isinstance(entry, Mapping) and any(name in entry for name in own)]
    if len(whole) == len(data) == 1:
        return Unwrapped(whole[0], (*so_far.place, 0), (*so_far.repairs, ONLY_ENTRY))
    lists = list_fields(answer_type)
    if whole or len(lists) != 1:
        return so_far
    return Unwrapped({lists[0]: data}, so_far.place, (*so_far.repairs, bare_list(lists[0])), is_bare=True)


def _with_decoded_lists(answer_type: type[BaseModel], data: dict[Any, Any], so_far: Unwrapped) -> Unwrapped:
    """The data with those lists and objects decoded that are written as text."""
    encoded = [
        name
        for name, field in answer_type.model_fields.items()
        if isinstance(data.get(name), str) and _is_compound(field.annotation)
    ]
    decoded = {name: _decoded(data[name]) for name in encoded}
    if all(isinstance(value, str) for value in decoded.values()):
        return so_far
    return Unwrapped(data | decoded, so_far.place, (*so_far.repairs, ENCODED))


def _is_compound(annotation: Any) -> bool:
    return get_origin(annotation) is tuple or (isinstance(annotation, type) and issubclass(annotation, BaseModel))


def list_fields(answer_type: type[BaseModel]) -> list[str]:
    """The names of the fields that hold lists; empty where there are other fields beside the reasoning."""
    fields = {name: field for name, field in answer_type.model_fields.items() if name != REASONING}
    lists = [name for name, field in fields.items() if get_origin(field.annotation) is tuple]
    return lists if len(lists) == len(fields) else []


def _refuse_misspelt(answer_type: type[BaseModel], data: Mapping[Any, Any]) -> None:
    missing = [name for name, field in answer_type.model_fields.items() if field.is_required() and name not in data]
    unknown = [field_name(name) for name in data if name not in answer_type.model_fields and name != REASONING]
    if not missing or not unknown:
        return
    field = missing[0]
    alike = nearest_name(field, unknown)
    if alike:
        field_given = short_text(alike)
        raise AnswerError(f"{field} is missing; {field_given} is not known; is it {field}?", (field,))
    fields = _listed(unknown)
    one = f"{field} is missing; {fields} is not known"
    raise AnswerError(one if len(unknown) == 1 else f"{field} is missing; {fields} are not known", (field,))


def _listed(names: Iterable[str]) -> str:
    """The first names of a list: "a, b and 12 more"."""
    shown = [short_text(name) for name in names]
    if len(shown) > _MAX_NAMED:
        shown = [*shown[:_MAX_NAMED], f"{len(shown) - _MAX_NAMED} more"]
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
