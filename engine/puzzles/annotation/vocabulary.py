"""The words that annotations are made of: actions of steps, modalities, skills, difficulties."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class PuzzleDifficulty(StrEnum):
    """How hard a puzzle is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"

    @property
    def rank(self) -> int:
        """1 for easy to 3 for hard, as correlations take it."""
        return list(PuzzleDifficulty).index(self) + 1


class Explained(StrEnum):
    """A word with what it covers."""

    def __new__(cls, value: str, meaning: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    meaning: str
    """What the word covers, for tooltips."""

    @property
    def label(self) -> str:
        """The word for people."""
        return self.value.replace("_", " ")


class Modality(Explained):
    """How a puzzle presents its information."""

    TEXT = "text", "Textual information"
    VISUAL = "visual", "Unstructured visual information: pictures, icons, fonts"
    STRUCTURED = "structured", "Structured visual information: tables, graphs, crosswords"


class Skill(Explained):
    """What a puzzle asks of its solver."""

    LOGIC = "logic", "Deducing rules or conclusions from partial information"
    WORDPLAY = "wordplay", "Handling words as language: anagrams, homophones"
    SPATIAL = "spatial", "Spatial or visual understanding, handling and navigation"
    CRYPTIC = "cryptic", "Encoding and decoding: ciphers, indexing"
    KNOWLEDGE = "knowledge", "Facts of a domain"
    COMMONSENSE = "commonsense", "Everyday reasoning"
    TOOL_USE = "tool_use", "Looking up what a model is unlikely to know, for example on a map"


class PuzzleAction(Explained):
    """What a step of reasoning does."""

    DISCOVERY = "discovery", "Noticing what the marks, rules or hints are"
    SKETCHING = "sketching", "Drawing on the page or handling visual parts: tracing a maze, joining dots"
    MANIPULATION = "manipulation", "Ordering or transforming a sequence: sorting, encoding, decoding"
    COMBINING = "combining", "Joining several observations, matching images with text"
    EXTRACTION = "extraction", "Taking information out of a pattern"

    @property
    def label(self) -> str:
        """The words that an explanation begins with."""
        return _LABELS[self]

    @property
    def key(self) -> str:
        """The letter that, typed before a colon, chooses the action."""
        return _LABELS[self][0].lower()


_LABELS = {
    PuzzleAction.DISCOVERY: "Pattern discovery",
    PuzzleAction.SKETCHING: "Sketching",
    PuzzleAction.MANIPULATION: "Manipulation",
    PuzzleAction.COMBINING: "Combining / chaining",
    PuzzleAction.EXTRACTION: "Extraction",
}
_STEMS = {
    PuzzleAction.DISCOVERY: ("pattern", "discover", "notice", "identify", "find"),
    PuzzleAction.SKETCHING: ("sketch", "draw", "trace", "connect", "shade"),
    PuzzleAction.MANIPULATION: ("manipulat", "sort", "order", "arrange", "shift", "decode", "encode", "rearrange"),
    PuzzleAction.COMBINING: ("combin", "chain", "match", "merge"),
    PuzzleAction.EXTRACTION: ("extract", "read", "take", "index"),
}
WORDS_BEFORE_ACTION = 3
"""Within how many words the action has to be named."""


def action_of(explanation: str) -> PuzzleAction | None:
    """The action that an explanation begins with: among its first three words, and before its first colon."""
    for word in explanation.partition(":")[0].lower().split()[:WORDS_BEFORE_ACTION]:
        for action, stems in _STEMS.items():
            if word.lstrip("*_#`\"'(").startswith(stems):
                return action
    return None


def actions_named(explanation: str) -> list[PuzzleAction]:
    """Every action whose words occur in an explanation, in the order of their first words."""
    named = []
    for word in explanation.lower().split():
        named += [action for action, stems in _STEMS.items() if word.startswith(stems)]
    return list(dict.fromkeys(named))


def folded(word: str) -> str:
    """A tag as it is compared: lower case, trimmed, blanks as underscores."""
    return "_".join(word.lower().split())
