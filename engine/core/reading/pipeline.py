"""Reads answers: one pipeline for all tasks (docs/models.md, "How answers are read").

An answer goes through five steps, each in a module of its own:

1. the caps (`limits`): length and encoding of a text
2. the candidates (`candidates`): the parts of the text that may be the answer
3. the repairs (`mending`): each candidate as data, JSON or what people write instead
4. the fields (`fields`): which part of the data is the answer, without unknown fields
5. the type (`answer`): the data as an answer of the task

The last candidate that passes all steps is the answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from spatial_workbench.engine.core.answer import Answer, validated
from spatial_workbench.engine.core.errors import AnswerError
from spatial_workbench.engine.core.formats.jsontext import Path, locate
from spatial_workbench.engine.core.reading.candidates import Candidate, Found, find_candidates
from spatial_workbench.engine.core.reading.fields import REASONING, Unwrapped, known_fields, unwrapped
from spatial_workbench.engine.core.reading.how_read import FENCE, HowItWasRead, HowRead, Repair, bare_list
from spatial_workbench.engine.core.reading.limits import capped, within_limits

READING_VERSION = 2
"""Part of every verifier's version; increased when texts are read differently."""

A = TypeVar("A", bound=Answer)


def read_answer(answer_type: type[A], raw: str | bytes | Answer | Any) -> A:
    """Reads an answer from text, plain data, or an answer.

    Raises:
        AnswerError: It cannot be read; names the place, and says why there is no answer (`how`).
    """
    if isinstance(raw, answer_type):
        return raw
    if isinstance(raw, str | bytes):
        return _read_text(answer_type, find_candidates(capped(raw)))
    fit = _fit(answer_type, Candidate(raw))
    if isinstance(fit, _Misfit):
        raise fit.error
    return _chosen(answer_type, [fit])


def is_object(data: Any) -> bool:
    """Whether data is a JSON object."""
    return isinstance(data, dict)


def read_data(text: str, fits: Callable[[Any], bool]) -> Any:
    """The last object or list in a text that fits, where there is no answer type.

    Raises:
        AnswerError: There is none.
    """
    found = find_candidates(capped(text))
    fitting = [candidate for candidate in found.candidates if fits(candidate.data)]
    if not fitting or found.is_cut_off:
        raise no_data(found)
    return within_limits(fitting[-1].data)


def no_data(found: Found) -> AnswerError:
    """The error for a text that holds no data; names the line of the first mistake."""
    if found.is_empty:
        return AnswerError("The answer is empty", how=HowRead.NO_ANSWER)
    broken = found.broken
    if broken is None:
        return AnswerError("No JSON object was found in the answer", how=HowRead.NO_ANSWER)
    how = HowRead.TRUNCATED if broken.is_cut_off else HowRead.UNREADABLE
    line = found.text.count("\n", 0, broken.place) + 1
    column = broken.place - found.text.rfind("\n", 0, broken.place)
    where = "" if broken.is_cut_off else f" (column {column})"
    return AnswerError(f"This is not JSON: {broken.reason}{where}", line=line, how=how)


@dataclass(frozen=True)
class _Fit:
    """A candidate that is an answer. `is_bare`: it is a list without the object around it, which fits less."""

    answer: Any
    warnings: Sequence[str]
    repairs: tuple[Repair, ...]
    is_bare: bool


@dataclass(frozen=True)
class _Misfit:
    """A candidate that is not an answer: why, and the place in its data."""

    candidate: Candidate
    error: AnswerError
    path: Path


def _read_text(answer_type: type[A], found: Found) -> A:
    tried = [_fit(answer_type, candidate) for candidate in found.candidates]
    if found.is_cut_off:
        raise no_data(found)
    fits = [fit for fit in tried if isinstance(fit, _Fit)]
    if fits:
        return _chosen(answer_type, fits)
    for candidate in found.guesses:
        guess = _fit(answer_type, candidate)
        if isinstance(guess, _Fit):
            return _chosen(answer_type, [guess])
    raise _refusal(answer_type, found, [misfit for misfit in tried if isinstance(misfit, _Misfit)])


def _fit(answer_type: type[Answer], candidate: Candidate) -> _Fit | _Misfit:
    """A candidate as an answer, or why it is not one."""
    warnings: list[str] = []
    inner = Unwrapped(candidate.data)
    try:
        inner = unwrapped(answer_type, within_limits(candidate.data))
        data = known_fields(answer_type, inner.data, warnings.append)
        answer = validated(answer_type, data, warnings.append)
    except AnswerError as error:
        path = error.path[1:] if inner.is_bare else error.path
        return _Misfit(candidate, error, (*inner.place, *path))
    repairs = (*candidate.repairs, *inner.repairs)
    if answer_type.is_asked_as_list:
        expected = {FENCE.word, bare_list("").word}
        return _Fit(answer, warnings, tuple(r for r in repairs if r.word not in expected), is_bare=False)
    return _Fit(answer, warnings, repairs, inner.is_bare)


def _chosen(answer_type: type[A], fits: Sequence[_Fit]) -> A:
    """The last answer of those that fit best, with a note on how many others there are."""
    best = [fit for fit in fits if not fit.is_bare] or fits
    chosen = best[-1]
    different: list[dict[str, Any]] = []
    for fit in best:
        content = {name: value for name, value in vars(fit.answer).items() if name != REASONING}
        if content not in different:
            different.append(content)
    answer: A = chosen.answer
    return answer.as_read(HowItWasRead(chosen.repairs, len(different)), chosen.warnings)


def _refusal(answer_type: type[Answer], found: Found, misfits: Sequence[_Misfit]) -> AnswerError:
    """The error of the likeliest candidate: one that has a field of the answer, or the last."""
    fields = answer_type.model_fields.keys()
    alike = [m for m in misfits if isinstance(m.candidate.data, dict) and fields & m.candidate.data.keys()]
    if not misfits or (found.broken is not None and not alike):
        return no_data(found)
    misfit = (alike or misfits)[-1]
    return AnswerError(misfit.error.message, misfit.error.path, _line_of(found.text, misfit), misfit.error.how)


def _line_of(text: str, misfit: _Misfit) -> int | None:
    start = misfit.candidate.start
    offset = locate(text[start : misfit.candidate.end], misfit.path)
    return None if offset is None else text.count("\n", 0, start + offset) + 1
