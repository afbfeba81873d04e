"""`said`: a finished English sentence in the language that is spoken.

What a verifier, an editor or a reader of answers says is made in English and recorded so, whatever language a study
speaks: verdicts of one task are compared by their words. Such a sentence is translated where it is shown. It is
recognised by the pattern that it was made from, which the catalogue has with its translation:

    Vertex 3 is not finite          Vertex {i} {fault}
    2 of 9 labelled                 {done} of {places} labelled

What stands in a place is translated in its turn. A line that is put together is translated part by part. Where several
patterns fit, that is meant which leaves the fewest words English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import itemgetter
from string import Formatter
from typing import NamedTuple

from spatial_workbench.engine.core.languages import translation
from spatial_workbench.engine.core.languages.catalogues import CatalogueMessage

LONGEST = 2000
"""Characters of the longest text that is looked up."""
_WORDS = re.compile(r"[^\W\d_]{2,}")
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
LONGEST_CLAUSE = 200
"""Characters of the longest text in which patterns that say little are looked for."""
_SENTENCES = re.compile(r"((?<=[.!?]) )")
_DIVIDERS = (
    re.compile(r"(; |: | – )"),
    re.compile(r"( \((?=[^()]*[^\W\d_]{2}[^()]*\)$))"),
    re.compile(r"(, | ?\(|\))"),
)
"""What stands between the halves of a sentence, before a last remark, and between clauses."""
_HEAD = re.compile(r"(: )")
"""What stands behind the first words of a sentence that say what it is about."""
GAP = "\0"
"""Stands for a place where the words of a text are looked for."""
MOST_KNOWN = 10_000
"""How many translations are kept."""


class Rendering(NamedTuple):
    """A translation, and how many letters of its words stayed English."""

    text: str
    unknown: int


@dataclass(frozen=True)
class SayingPattern:
    """A text of the catalogue that has places.

    Attributes:
        one: The text, or that about one thing.
        many: The text about several things; empty if there is only one text.
        literals: What stands between the places.
        form: A regular expression of a sentence that was made from the pattern, which may begin with a capital or not.
        word: A word, in small letters, that stands in every such sentence; empty if no word stands free.
    """

    one: str
    many: str
    literals: tuple[str, ...]
    form: str
    word: str

    @property
    def weight(self) -> int:
        """How many characters are given: of two patterns that fit, the one with more of them is meant."""
        return sum(map(len, self.literals))

    @property
    def rank(self) -> tuple[int, bool]:
        """Sorts patterns: those with the most words first, and of two alike, that about a number of things."""
        return -self.weight, not self.many

    @property
    def is_faint(self) -> bool:
        """Whether so few letters are given that it fits sentences that were not made from it; a number is enough."""
        return not self.many and sum(map(str.isalpha, "".join(self.literals))) <= MOST_FAINT

    def begins(self, sentence: str) -> bool:
        """Whether a sentence begins as the pattern does, or the pattern with a place: not with the other case."""
        return self.one[:1] in ("{", sentence[:1])

    def places_in(self, sentence: str) -> dict[str, str] | None:
        """What stands in the places of a sentence; None if the sentence was not made from this pattern."""
        match = self._compiled.fullmatch(sentence)
        return match and match.groupdict()

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        """Compiled when first needed: most of more than a thousand patterns never are."""
        return re.compile(self.form, re.DOTALL)

    def filled(self, places: dict[str, str]) -> str:
        """The translation with its places filled in."""
        catalogue = translation.catalogue_of(translation.spoken_language())
        if not self.many:
            return catalogue.gettext(self.one).format(**places)
        number = places[NUMBER].replace(",", "")
        return catalogue.ngettext(self.one, self.many, int(number)).format(**places)


class PatternIndex:
    """Patterns by a word that a sentence needs to fit them."""

    def __init__(self, patterns: Iterable[SayingPattern]) -> None:
        self._by_word: dict[str, list[tuple[int, SayingPattern]]] = {}
        for rank, pattern in enumerate(sorted(patterns, key=lambda pattern: pattern.rank)):
            self._by_word.setdefault(pattern.word, []).append((rank, pattern))

    def __iter__(self) -> Iterator[SayingPattern]:
        return (pattern for ranked in self._by_word.values() for _, pattern in ranked)

    def candidates(self, sentence: str) -> list[SayingPattern]:
        """The patterns that a sentence may fit: those with the most words first, then those that begin as it does."""
        words = {"", *re.findall(r"\w+", sentence.casefold())}
        found = [ranked for word in words for ranked in self._by_word.get(word, ())]
        ordered = [pattern for _, pattern in sorted(found, key=itemgetter(0))]
        return sorted(ordered, key=lambda pattern: (-pattern.weight, not pattern.begins(sentence)))


@dataclass(frozen=True)
class Sayings:
    """The texts that a language has translations of, and the patterns among them.

    Attributes:
        faint: The patterns with so few words that they fit sentences that were not made from them.
        known: What was translated before.
    """

    texts: frozenset[str]
    patterns: PatternIndex
    faint: PatternIndex
    known: dict[str, Rendering] = field(default_factory=dict)


def said(sentence: str) -> str:
    """A sentence in the language that is spoken; what the catalogue does not have stays English."""
    sayings = sayings_of(translation.spoken_language())
    if not sayings.texts or len(sentence) > LONGEST:
        return sentence
    parts = PARTS.split(sentence)
    return "".join(part if k % 2 else _rendered(part, sayings).text for k, part in enumerate(parts))


@lru_cache
def sayings_of(language: str) -> Sayings:
    """What can be said in a language; nothing for English, which needs no translation."""
    messages = translation.messages_of(language)
    found = [pattern for message in messages for pattern in _patterns_of(message)]
    return Sayings(
        frozenset(message.id for message in messages if message.id),
        PatternIndex(pattern for pattern in found if not pattern.is_faint),
        PatternIndex(pattern for pattern in found if pattern.is_faint),
    )


def places_of(text: str) -> list[str]:
    """The names of a text's places in their order."""
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


def _rendered(sentence: str, sayings: Sayings) -> Rendering:
    """A sentence as the catalogue has most of it."""
    known = sayings.known.get(sentence)
    if known is None:
        known = _best_of(_renderings(sentence, sayings))
        if len(sayings.known) >= MOST_KNOWN:
            sayings.known.clear()
        sayings.known[sentence] = known
    return known


def _best_of(renderings: Iterable[Rendering]) -> Rendering:
    """The first that has no English word, or else that with the fewest."""
    tried = []
    for rendering in renderings:
        tried.append(rendering)
        if not rendering.unknown:
            break
    return min(tried, key=lambda rendering: rendering.unknown)


def _renderings(sentence: str, sayings: Sayings) -> Iterator[Rendering]:
    """The ways to translate a sentence: as a whole, part by part, by patterns that say little, and not at all."""
    for text in (sentence, _with_other_case(sentence)):
        if text in sayings.texts:
            yield Rendering(_with_case_of(sentence, translation.tr(text)), 0)
    letters = sum(map(len, _WORDS.findall(sentence)))
    if letters:
        yield from _by_patterns(sayings.patterns, sentence, sayings)
        if sentence.endswith("."):
            yield _joined([_rendered(sentence[:-1], sayings), Rendering(".", 0)])
        for divider, most in ((_SENTENCES, 0), (_HEAD, 1), *((divider, 0) for divider in _DIVIDERS)):
            if divider.search(sentence):
                yield _divided(divider, sentence, sayings, most)
        if len(sentence) <= LONGEST_CLAUSE and not _SENTENCES.search(sentence):
            yield from _by_patterns(sayings.faint, sentence, sayings)
    yield Rendering(sentence, letters)


def _by_patterns(patterns: PatternIndex, sentence: str, sayings: Sayings) -> Iterator[Rendering]:
    """A sentence by each pattern that fits it."""
    for pattern in patterns.candidates(sentence):
        places = pattern.places_in(sentence)
        if places is not None:
            values = {name: _in_place(name, value, sayings) for name, value in places.items()}
            filled = pattern.filled({name: value.text for name, value in values.items()})
            text = filled if pattern.begins(sentence) else _with_case_of(sentence, filled)
            yield Rendering(text, sum(value.unknown for value in values.values()))


def _in_place(name: str, value: str, sayings: Sayings) -> Rendering:
    """What stands in a place, translated unless it names a field; “The answer” is no name, which is a small word."""
    is_field = name.startswith(FIELD) and not value[:1].isupper()
    return Rendering(value, 0) if is_field else _rendered(value, sayings)


def _divided(divider: re.Pattern[str], sentence: str, sayings: Sayings, most: int) -> Rendering:
    """A sentence part by part, divided `most` times (0: wherever it can be); what stands between the parts stays."""
    parts = divider.split(sentence, most)
    return _joined([Rendering(part, 0) if k % 2 else _rendered(part, sayings) for k, part in enumerate(parts)])


def _joined(parts: Sequence[Rendering]) -> Rendering:
    return Rendering("".join(part.text for part in parts), sum(part.unknown for part in parts))


def _with_other_case(sentence: str) -> str:
    """The sentence with a small first letter if that is a capital, and the other way round."""
    return sentence[:1].swapcase() + sentence[1:]


def _with_case_of(sentence: str, translated: str) -> str:
    """A translation that begins with a capital where its sentence does."""
    return translated[:1].upper() + translated[1:] if sentence[:1].isupper() else translated


def _patterns_of(message: CatalogueMessage) -> Iterator[SayingPattern]:
    for text in filter(None, (message.id, message.plural)):
        places = places_of(text)
        if places and len(set(places)) == len(places) and _WORDS.search("".join(_literals_of(text))):
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
    literals = tuple(_literals_of(text))
    return SayingPattern(message.id, message.plural, literals, form, _free_word(text))


def _free_word(text: str) -> str:
    """The longest word of a text that touches none of its places."""
    with_gaps = "".join(literal + (GAP if name is not None else "") for literal, name, _, _ in Formatter().parse(text))
    return max(re.findall(rf"(?<![\w{GAP}])\w+(?![\w{GAP}])", with_gaps.casefold()), key=len, default="")
