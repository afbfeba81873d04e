"""Decoding aids for annotators: letters and numbers, shifts, indexing, braille, semaphore, Morse, anagrams."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

A = ord("A")
_INDEXED = re.compile(r"([A-Za-z][A-Za-z' ]*?)\W*(\d+)")

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _table(letters: str, signs: str) -> dict[str, str]:
    return dict(zip(letters, signs.split(), strict=True))


BRAILLE: Mapping[str, str] = _table(
    _ALPHABET,
    "1 12 14 145 15 124 1245 125 24 245 13 123 134 1345 135 1234 12345 1235 234 2345 136 1236 2456 1346 13456 1356",
)
"""The raised dots of each letter; 1 to 3 go down the left column, 4 to 6 down the right one."""
SEMAPHORE: Mapping[str, str] = _table(
    "ABCDEFGHIKLMNOPQRSTUYJVWXZ",
    "01 02 03 04 05 06 07 12 13 14 15 16 17 23 24 25 26 27 34 35 36 46 47 56 57 67",
)
"""The directions of a figure's two flags as seen: 0 is down, then clockwise in steps of 45°."""
MORSE: Mapping[str, str] = _table(
    f"{_ALPHABET}0123456789",
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.",
)
_MORSE_MARKS = str.maketrans({"·": ".", "•": ".", "*": ".", "−": "-", "–": "-", "—": "-", "_": "-", "|": "/"})
ARROWS = "↓↙←↖↑↗→↘"
"""An arrow for each direction of a flag."""


def letters_of(text: str) -> str:
    """The letters A to Z of a text, in capitals."""
    return "".join(letter for letter in text.upper() if "A" <= letter <= "Z")


def letter_counts(text: str) -> dict[str, int]:
    """How often each letter occurs, the most frequent first."""
    return dict(sorted(Counter(letters_of(text)).items(), key=lambda item: (-item[1], item[0])))


def numbers_of(text: str) -> list[int]:
    """Each letter as a number, 1 = A to 26 = Z."""
    return [ord(letter) - A + 1 for letter in letters_of(text)]


def letters_of_numbers(numbers: Iterable[int]) -> str:
    """Numbers as letters, 1 = A to 26 = Z; above 26 they begin again at A, and 0 is Z."""
    return "".join(chr(A + (number - 1) % 26) for number in numbers)


def numbers_in(text: str) -> list[int]:
    """The numbers that are written in a text."""
    return [int(digits) for digits in re.findall(r"\d{1,9}", text)]


def shifted(text: str, by: int) -> str:
    """A text with each letter moved along the alphabet; case and other characters stay."""
    return "".join(_shifted_letter(letter, by) for letter in text)


def _shifted_letter(letter: str, by: int) -> str:
    if not (letter.isascii() and letter.isalpha()):
        return letter
    first = A if letter.isupper() else ord("a")
    return chr(first + (ord(letter) - first + by) % 26)


def indexed(text: str) -> str:
    """The letters that words and numbers name: "PLUM 2, PASTA 5" is LA; "?" where a word is too short."""
    return "".join(_letter_at(letters_of(word), int(number)) for word, number in _INDEXED.findall(text))


def _letter_at(word: str, number: int) -> str:
    return word[number - 1] if 1 <= number <= len(word) else "?"


def from_braille(text: str) -> str:
    """Braille as letters, from groups of dots ("1 12 14") or braille characters; "?" for what is no letter."""
    cells = re.findall(r"[1-6]+|[⠁-⣿]", text)
    return "".join(_from_cells(cell) for cell in cells)


def _from_cells(cell: str) -> str:
    letters = {dots: letter for letter, dots in BRAILLE.items()}
    if cell.isdigit():
        return letters.get("".join(sorted(set(cell))), "?")
    bits = ord(cell) - 0x2800
    return letters.get("".join(str(i + 1) for i in range(6) if bits >> i & 1), "?")


def to_braille(text: str) -> str:
    """Letters as braille characters."""
    return "".join(chr(0x2800 + sum(1 << int(dot) - 1 for dot in BRAILLE[letter])) for letter in letters_of(text))


def from_semaphore(text: str) -> str:
    """Semaphore as letters, from pairs of directions ("01 23") or of arrows; "?" for what is no letter."""
    letters = {pair: letter for letter, pair in SEMAPHORE.items()}
    digits = re.sub(f"[{ARROWS}]", lambda match: str(ARROWS.index(match[0])), text)
    pairs = re.findall(r"([0-7])[\s,-]?([0-7])", digits)
    return "".join(letters.get("".join(sorted(pair)), "?") for pair in pairs)


def to_semaphore(text: str) -> str:
    """Letters as pairs of arrows."""
    return " ".join("".join(ARROWS[int(flag)] for flag in SEMAPHORE[letter]) for letter in letters_of(text))


def from_morse(text: str) -> str:
    """Morse as text: letters apart by blanks, words by "/"; "?" for what is no letter."""
    signs = {code: letter for letter, code in MORSE.items()}
    words = text.translate(_MORSE_MARKS).split("/")
    return " ".join("".join(signs.get(code, "?") for code in re.findall(r"[.-]+", word)) for word in words).strip()


def to_morse(text: str) -> str:
    """Text as Morse."""
    words = ([MORSE[sign] for sign in word if sign in MORSE] for word in text.upper().split())
    return " / ".join(" ".join(word) for word in words if word)


def anagram_difference(first: str, second: str) -> tuple[str, str]:
    """The letters that only the first text has, and those that only the second has; both empty for an anagram."""
    a, b = Counter(letters_of(first)), Counter(letters_of(second))
    return "".join(sorted((a - b).elements())), "".join(sorted((b - a).elements()))


def anagrams(text: str, words: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The words of an index that a text's letters make, the text itself left out."""
    letters = letters_of(text)
    return tuple(word for word in words.get("".join(sorted(letters)), ()) if word != letters)


@cache
def word_index() -> Mapping[str, Sequence[str]]:
    """English words by their sorted letters. Takes some tenths of a second the first time."""
    from english_words import get_english_words_set

    index: dict[str, list[str]] = defaultdict(list)
    for word in sorted(get_english_words_set(["web2", "gcide"], lower=True, alpha=True)):
        letters = letters_of(word)
        if len(letters) == len(word):
            index["".join(sorted(letters))].append(letters)
    return index
