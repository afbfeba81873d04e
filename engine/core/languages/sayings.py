"""`said`: a finished English sentence in the language that is spoken.

What a verifier, an editor or a reader of answers says is made in English and recorded so, whatever language a study
speaks: verdicts of one task are compared by their words. Such a sentence is translated where it is shown. It is
recognised by the pattern that it was made from, which the catalogue has with its translation:

    Vertex 3 is not finite          Vertex {i} {fault}
    2 of 9 labelled                 {done} of {places} labelled

What stands in a place is translated in its turn. A line that is put together is translated part by part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import Formatter

from spatial_workbench.engine.core.languages import translation
from spatial_workbench.engine.core.languages.catalogues import CatalogueMessage

LONGEST = 2000
"""Characters of the longest text that is looked up."""
_WORD = re.compile(r"[^\W\d_]{2}")
MOST_FAINT = 5
"""A pattern with at most as many letters, such as “{done} of {all}”, is looked for in parts of sentences only."""
NUMBER = "number"
"""The place of the number in a text about several things."""
LENGTH = "length_of"
"""How the name of another place begins in which a number stands."""
FIELD = "field"
"""How the name of a place begins that is for a field of an answer, whose name is written alike in every language."""
PARTS = re.compile(r"(\n+| {2,}| · | (?=\(and [\d,]+ more\)$))")
"""What stands between the parts of a line, which are texts of their own; the last is before a number of problems."""
_DIVIDERS = (
    re.compile(r"((?<=[.!?]) )"),
    re.compile(r"(; |: | – )"),
    re.compile(r"( \((?=[^()]*[^\W\d_]{2}[^()]*\)$))"),
)
"""What stands between sentences, between the halves of one, and before a last remark: used if the whole is unknown."""
_COMMAS = re.compile(r"(, | ?\(|\))")
"""What stands between clauses: used where no other divider is left."""


@dataclass(frozen=True)
class SayingPattern:
    """A text of the catalogue that has places.

    Attributes:
        one: The text, or that about one thing.
        many: The text about several things; empty if there is only one text.
        literals: What stands between the places.
        form: Matches a sentence that was made from the pattern, which may begin with a capital or not.
    """

    one: str
    many: str
    literals: tuple[str, ...]
    form: re.Pattern[str]

    @property
    def weight(self) -> int:
        """How many characters are given: of two patterns that fit, the one with more of them is meant."""
        return sum(map(len, self.literals))

    @property
    def is_faint(self) -> bool:
        """Whether so few letters are given that it fits sentences that were not made from it; a number is enough."""
        return not self.many and sum(map(str.isalpha, "".join(self.literals))) <= MOST_FAINT

    def begins(self, sentence: str) -> bool:
        """Whether a sentence begins as the pattern does, or the pattern with a place: not with the other case."""
        return self.one[:1] in ("{", sentence[:1])

    def places_in(self, sentence: str) -> dict[str, str] | None:
        """What stands in the places of a sentence; None if the sentence was not made from this pattern."""
        if not all(literal[1:] in sentence for literal in self.literals):
            return None
        match = self.form.fullmatch(sentence)
        return match and match.groupdict()

    def filled(self, places: dict[str, str]) -> str:
        """The translation with its places filled in."""
        catalogue = translation.catalogue_of(translation.spoken_language())
        if not self.many:
            return catalogue.gettext(self.one).format(**places)
        number = places[NUMBER].replace(",", "")
        return catalogue.ngettext(self.one, self.many, int(number)).format(**places)


@dataclass(frozen=True)
class Sayings:
    """The texts that a language has translations of, and the patterns among them, those with the most words first.

    Attributes:
        faint: The patterns with so few words that they fit sentences that were not made from them.
    """

    texts: frozenset[str]
    patterns: tuple[SayingPattern, ...]
    faint: tuple[SayingPattern, ...]


def said(sentence: str) -> str:
    """A sentence in the language that is spoken; what the catalogue does not have stays English."""
    sayings = sayings_of(translation.spoken_language())
    if not sayings.texts or len(sentence) > LONGEST:
        return sentence
    parts = PARTS.split(sentence)
    return "".join(part if k % 2 else _translated(part, sayings) for k, part in enumerate(parts))


@lru_cache
def sayings_of(language: str) -> Sayings:
    """What can be said in a language; nothing for English, which needs no translation."""
    messages = translation.messages_of(language)
    found = [pattern for message in messages for pattern in _patterns_of(message)]
    patterns = sorted(found, key=lambda pattern: -pattern.weight)
    return Sayings(
        frozenset(message.id for message in messages if message.id),
        tuple(pattern for pattern in patterns if not pattern.is_faint),
        tuple(pattern for pattern in patterns if pattern.is_faint),
    )


def places_of(text: str) -> list[str]:
    """The names of a text's places in their order."""
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


def _translated(sentence: str, sayings: Sayings) -> str:
    if not _WORD.search(sentence):
        return sentence
    whole = _translated_whole(sentence, sayings)
    if whole is not None:
        return whole
    for divider in _DIVIDERS:
        if divider.search(sentence):
            return _divided(divider, sentence, sayings)
    by_faint = _translated_by(sayings.faint, sentence.removesuffix("."), sayings)
    if by_faint is None and _COMMAS.search(sentence):
        return _divided(_COMMAS, sentence, sayings)
    return sentence if by_faint is None else by_faint + "." * sentence.endswith(".")


def _divided(divider: re.Pattern[str], sentence: str, sayings: Sayings) -> str:
    parts = divider.split(sentence)
    return "".join(part if k % 2 else _translated(part, sayings) for k, part in enumerate(parts))


def _translated_whole(sentence: str, sayings: Sayings) -> str | None:
    """A sentence by its own translation or by its pattern; None if the catalogue has neither."""
    for text in (sentence, _with_other_case(sentence)):
        if text in sayings.texts:
            return _with_case_of(sentence, translation.tr(text))
    by_pattern = _translated_by(sayings.patterns, sentence, sayings)
    if by_pattern is None and sentence.endswith("."):
        without = _translated_whole(sentence[:-1], sayings)
        return without and f"{without}."
    return by_pattern


def _translated_by(patterns: tuple[SayingPattern, ...], sentence: str, sayings: Sayings) -> str | None:
    """A sentence by the first pattern that fits it."""
    for pattern in patterns:
        places = pattern.places_in(sentence)
        if places is not None:
            filled = pattern.filled({name: _in_place(name, value, sayings) for name, value in places.items()})
            return filled if pattern.begins(sentence) else _with_case_of(sentence, filled)
    return None


def _in_place(name: str, value: str, sayings: Sayings) -> str:
    """What stands in a place, translated unless it names a field; “The answer” is no name, which is a small word."""
    return value if name.startswith(FIELD) and not value[:1].isupper() else _translated(value, sayings)


def _with_other_case(sentence: str) -> str:
    """The sentence with a small first letter if that is a capital, and the other way round."""
    return sentence[:1].swapcase() + sentence[1:]


def _with_case_of(sentence: str, translated: str) -> str:
    """A translation that begins with a capital where its sentence does."""
    return translated[:1].upper() + translated[1:] if sentence[:1].isupper() else translated


def _patterns_of(message: CatalogueMessage) -> Iterator[SayingPattern]:
    for text in filter(None, (message.id, message.plural)):
        places = places_of(text)
        if places and len(set(places)) == len(places) and _WORD.search("".join(_literals_of(text))):
            yield _pattern(text, message)


def _literals_of(text: str) -> list[str]:
    return [literal for literal, _, _, _ in Formatter().parse(text) if literal]


def _pattern(text: str, message: CatalogueMessage) -> SayingPattern:
    first = text[0] if text[0].isalpha() else ""
    form = f"[{first.lower()}{first.upper()}]" if first else ""
    for literal, name, _, _ in Formatter().parse(text.removeprefix(first)):
        form += re.escape(literal)
        if name is not None:
            is_number = (message.plural and name == NUMBER) or name.startswith(LENGTH)
            form += rf"(?P<{name}>\d[\d,]*)" if is_number else rf"(?P<{name}>.*?)"
    return SayingPattern(message.id, message.plural, tuple(_literals_of(text)), re.compile(form, re.DOTALL))
