"""What a new study says and asks by default, in each of its languages.

The texts are English here; what is stored of an option is its English text, whatever language it is read in, so that
the rules that compare answers hold in every language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spatial_workbench.engine.core.languages.translation import in_each, marked, tr
from spatial_workbench.engine.studies.planning.document import (
    ConsentBox,
    Covariate,
    StudyOption,
    Text,
    texts_by_value,
)

INSTRUCTIONS = marked("Solve as many items as you can.")
_BOXES = (
    ConsentBox(key="part", text=marked("I take part."), required=True),
    ConsentBox(key="share", text=marked("My answers may be shared without my name.")),
    ConsentBox(key="quote", text=marked("What I write about my strategy may be quoted.")),
)
_YES_NO = (marked("no"), marked("yes"))
_SOME = (marked("none"), marked("a little"), marked("much"))

LIBRARY: tuple[Covariate, ...] = (
    Covariate(
        key="age",
        ask=marked("How old are you?"),
        type="choice",
        options=(
            "18-24",
            "25-34",
            "35-44",
            "45-54",
            "55-64",
            "65+",
        ),
    ),
    Covariate(
        key="education",
        ask=marked("What is the highest level of education that you completed?"),
        type="choice",
        options=(
            marked("school"),
            marked("vocational training"),
            marked("bachelor"),
            marked("master"),
            marked("doctorate"),
        ),
    ),
    Covariate(
        key="software_3d",
        ask=marked("How much experience do you have with 3D software?"),
        type="choice",
        options=_SOME,
    ),
    Covariate(
        key="puzzles",
        ask=marked("How much experience do you have with puzzles?"),
        type="choice",
        options=_SOME,
    ),
    Covariate(
        key="cube",
        ask=marked("Have you ever solved Rubik's cube?"),
        type="choice",
        options=(
            marked("never"),
            marked("with help"),
            marked("alone"),
        ),
    ),
    Covariate(
        key="device",
        ask=marked("What do you point with?"),
        type="choice",
        options=(
            marked("mouse"),
            marked("left-handed mouse"),
            marked("touchpad"),
            marked("touch screen"),
            marked("keyboard only"),
        ),
    ),
    Covariate(
        key="colour_vision",
        ask=marked("Do you see all colours?"),
        type="choice",
        options=(
            marked("yes"),
            marked("not all"),
            marked("not known"),
        ),
    ),
    Covariate(
        key="language",
        ask=marked("How well do you read this language?"),
        type="scale",
        range=(1, 5),
    ),
    Covariate(
        key="met_items",
        ask=marked("Had you seen any of these items before?"),
        type="choice",
        options=_YES_NO,
        when="after",
    ),
    Covariate(
        key="team",
        ask=marked("Do you belong to the research team?"),
        type="choice",
        options=_YES_NO,
    ),
    Covariate(
        key="used_ai",
        ask=marked("Did you use AI while you solved the items?"),
        type="choice",
        options=_YES_NO,
        when="after",
    ),
    Covariate(
        key="used_tools",
        ask=marked("Did you use any other tool that was not allowed?"),
        type="choice",
        options=_YES_NO,
        when="after",
    ),
    Covariate(
        key="serious",
        ask=marked("How seriously did you take the items?"),
        type="scale",
        range=(1, 5),
        when="after",
    ),
)
"""Questions that studies often ask, by their keys; “prefer not to say” is always offered."""


def said_in(text: str, languages: Sequence[str]) -> Text:
    """A default text in each of a study's languages that the program speaks; plain where there is one language."""
    texts = in_each(languages, lambda: tr(text))
    return texts if len(languages) > 1 else texts.get(languages[0], text)


def option_in(option: str, languages: Sequence[str]) -> str | StudyOption:
    """A default option; plain where it is the same in all languages."""
    text = said_in(option, languages)
    texts = text.values() if isinstance(text, dict) else [text]
    return option if set(texts) == {option} else StudyOption(value=option, text=text)


def default_boxes(languages: Sequence[str]) -> tuple[ConsentBox, ...]:
    """The boxes of a consent."""
    return tuple(box.model_copy(update={"text": said_in(str(box.text), languages)}) for box in _BOXES)


def library_in(languages: Sequence[str]) -> tuple[Covariate, ...]:
    """The questions that studies often ask."""
    return tuple(_question_in(question, languages) for question in LIBRARY)


def _question_in(question: Covariate, languages: Sequence[str]) -> Covariate:
    options = tuple(option_in(option, languages) for option in texts_by_value(question.options))
    return question.model_copy(update={"ask": said_in(str(question.ask), languages), "options": options})


def with_defaults_in(data: Mapping[str, Any], before: Sequence[str], languages: Sequence[str]) -> dict[str, Any]:
    """A document, as plain data, for other languages: what it still has of the default texts is in each of them.

    Texts that somebody has changed stay as they are. before: the languages of its texts.
    """
    questions = {question.key: question for question in LIBRARY}
    texts = {box.key: str(box.text) for box in _BOXES}
    boxes = [
        {**box, "text": _said(box["text"], texts[box["key"]], before, languages)} if box["key"] in texts else box
        for box in data["consent"]["boxes"]
    ]
    asked = [
        _asked(record, questions[record["key"]], before, languages) if record["key"] in questions else record
        for record in data["covariates"]
    ]
    instructions = _said(data["instructions"], INSTRUCTIONS, before, languages)
    return {
        **data,
        "consent": {**data["consent"], "boxes": boxes},
        "covariates": asked,
        "instructions": instructions,
    }


def _asked(
    record: Mapping[str, Any], question: Covariate, before: Sequence[str], languages: Sequence[str]
) -> dict[str, Any]:
    usual = _question_in(question, before).model_dump(mode="json")["options"]
    options = _question_in(question, languages).model_dump(mode="json")["options"]
    return {
        **record,
        "ask": _said(record["ask"], str(question.ask), before, languages),
        "options": options if record["options"] == usual else record["options"],
    }


def _said(text: Any, default: str, before: Sequence[str], languages: Sequence[str]) -> Any:
    """A text in other languages, if it is the default in those that it had; languages of its own are kept."""
    said = in_each([*before, *languages], lambda: tr(default))
    given = dict(text) if isinstance(text, Mapping) else {before[0]: text}
    known = [language for language in before if language in said]
    if not known or any(given.get(language) != said[language] for language in known):
        return text
    wanted = {language: words for language, words in {**said, **given}.items() if language in languages}
    return wanted if len(languages) > 1 else next(iter(wanted.values()), text)
