"""Changes of texts: words, lines, spelling, expressions that mean the same, and tables of numbers."""

from __future__ import annotations

import re
from typing import Any

from spatial_workbench.engine.evaluation.laboratory.searching.drawing import Rng, changed_number, drawn

MOST_CHARACTERS = 1_500_000
"""Longer answers are not made."""
_TOKENS = re.compile(r"\d+\.?\d*(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\s+|\*\*|[^\w\s]")
_OPERATORS = ("+", "-", "*", "/", "**", "%", "//")
_OPERANDS = re.compile(r"(?<![\w.])(?:\d+\.?\d*|[A-Za-z])(?![\w.(])")
_NUMBERS = re.compile(r"-?\d+\.?\d*(?:[eE][-+]?\d+)?")


def word_changed(text: str, rng: Rng) -> str | None:
    """A word, number or sign is replaced, doubled, removed or moved."""
    tokens = _TOKENS.findall(text)
    if not tokens or len(text) > MOST_CHARACTERS:
        return None
    place, way = int(rng.integers(len(tokens))), int(rng.integers(5))
    token = tokens[place]
    if way == 0:
        tokens[place] = ""
    elif way == 1:
        tokens.insert(place, drawn(rng, tokens))
    else:
        tokens[place] = _other_token(token, tokens, rng)
    return "".join(tokens)


def word_changed_everywhere(text: str, rng: Rng) -> str | None:
    """All occurrences of a word, number or sign are replaced by the same other one, or removed."""
    tokens = _TOKENS.findall(text)
    if not tokens or len(text) > MOST_CHARACTERS:
        return None
    token = drawn(rng, tokens)
    other = "" if rng.random() < 0.2 else _other_token(token, tokens, rng)
    return "".join(other if each == token else each for each in tokens)


def spaces_changed(text: str, rng: Rng) -> str | None:
    """A space is removed, doubled, or put where none was."""
    tokens = _TOKENS.findall(text[:MOST_CHARACTERS])
    spaces = [place for place, token in enumerate(tokens) if token.isspace()]
    if not tokens:
        return None
    if spaces and rng.integers(2):
        tokens[drawn(rng, spaces)] = drawn(rng, ("", "  ", "\t", "\n"))
    else:
        tokens.insert(int(rng.integers(len(tokens))), " ")
    return "".join(tokens)


def equal_expression(text: str, rng: Rng) -> str | None:
    """An expression in a text becomes another of the same value, such as `(1 + 1)` for 2 or `x + 0*(…)` for x."""
    begin = max(0, text.find("return"))
    places = [place for place in _OPERANDS.finditer(text) if place.start() >= begin]
    names = [place[0] for place in places if place[0].isalpha()]
    if not places or len(text) > MOST_CHARACTERS:
        return None
    place = drawn(rng, places)
    token = place[0]
    first, second = drawn(rng, [*names, token, "1"]), drawn(rng, [*names, token, "2", "0.5"])
    sign = drawn(rng, _OPERATORS)
    forms = [
        *(f"({token})", f"({token}+0)", f"({token}*1)", f"({token}**1)", f"({token}/1)", f"(-(-{token}))"),
        *(f"({token} + 0*({first}{sign}{second}))", f"({token} + 0*({first}{sign}({second}+1)))"),
        *(f"({token})**({first}*0+1)", f"({token}**2)**0.5", f"({token}*({first}+3)/({first}+3))"),
    ]
    return text[: place.start()] + str(drawn(rng, forms)) + text[place.end() :]


def end_changed(text: str, rng: Rng) -> str | None:
    """Something is put before the last words of a text or after its end, or its end is put into brackets."""
    words = [match.end() for match in re.finditer(r"\w\b", text)]
    if not words:
        return None
    begin = text.rfind("return") + len("return") if "return" in text else text.rfind(" ") + 1
    head, tail = text[:begin], text[begin:]
    return str(drawn(rng, (f"{head}({tail.strip()})", f"{text};", f"{text} #", f"{head} {tail}", f"{text}\n\n")))


def character_changed(text: str, rng: Rng) -> str | None:
    """A letter is removed, doubled, replaced, or another put before it."""
    if not text:
        return None
    place, way = int(rng.integers(len(text))), int(rng.integers(4))
    letter = drawn(rng, text)
    middles = ("", text[place] * 2, letter, letter + text[place])
    return text[:place] + middles[way] + text[place + 1 :]


def lines_changed(text: str, rng: Rng) -> str:
    """A line is removed, doubled or moved, or lines end in another way."""
    lines = text.split("\n")
    place, other = (int(k) for k in rng.integers(len(lines), size=2))
    ways = (
        "\n".join(lines[:place] + lines[place + 1 :]),
        "\n".join([*lines[:place], lines[other], *lines[place:]]),
        "\r\n".join(lines),
        "\n".join(line + " " for line in lines),
        text + "\n",
        "\n" + text,
    )
    return str(drawn(rng, ways))


def spelling_changed(text: str, rng: Rng) -> str:
    """The same letters in another case or script, or with space around them."""
    digits = str.maketrans("0123456789", drawn(rng, ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "०१२३४५६७८९")))
    word = drawn(rng, text.split() or [""])
    ways = (
        *(text.lower(), text.upper(), text.title(), text.translate(digits), f" {text} ", text.replace(" ", "")),
        *(text.replace(word, word.lower(), 1), text.replace(" ", "\t"), text.replace(" ", "  ")),
    )
    return str(drawn(rng, ways))


def wrapped(text: str, rng: Rng) -> str:
    """The text among other words, as models write it."""
    word = drawn(rng, text.split() or [""])
    ways = (
        *(f"```\n{text}\n```", f"Here is the answer:\n{text}", f"{text}\nThis is it.", f"{text} {text}", f'"{text}"'),
        *(f"{text}, {word}, other", f"{word}", f"Not {text}, but another", f"{text}\n{word}"),
    )
    return str(drawn(rng, ways))


# Tables in texts -----------------------------------------------------------------------------------------------------


def rows_in(text: str) -> tuple[str, list[list[float]]]:
    """The rows of numbers in a text, each once: the most frequent word that lines with two or more numbers begin with.

    Returns the word, and the numbers of the rows; no rows if there are fewer than two different ones.
    """
    found: dict[str, dict[tuple[float, ...], None]] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) > 2 and all(_NUMBERS.fullmatch(word) for word in words[1:]):
            found.setdefault(words[0], {})[tuple(_number_of(word) for word in words[1:])] = None
    if not found:
        return "", []
    word = max(found, key=lambda each: len(found[each]))
    rows = [list(row) for row in found[word]]
    return (word, rows) if len(rows) > 1 else ("", [])


def with_rows(text: str, word: str, old: list[list[float]], new: list[list[float]]) -> str:
    """A text in which rows of numbers are others, wherever they occur."""
    exchange = {tuple(row): " ".join(f"{number:.12g}" for number in other) for row, other in zip(old, new, strict=True)}
    lines = []
    for line in text.split("\n"):
        words = line.split()
        if words and words[0] == word and all(_NUMBERS.fullmatch(each) for each in words[1:]):
            row = tuple(_number_of(each) for each in words[1:])
            line = f"{word} {exchange[row]}" if row in exchange else line
        lines.append(line)
    return "\n".join(lines)


def _number_of(word: str) -> float:
    value = float(word)
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _other_token(token: str, tokens: list[str], rng: Rng) -> str:
    if token[0].isdigit():
        return f"{changed_number(float(token) if '.' in token else int(token[:15]), rng):.10g}"
    if token in _OPERATORS:
        return str(drawn(rng, _OPERATORS))
    return str(drawn(rng, [other for other in tokens if other[0].isalpha() == token[0].isalpha()]))


OF_TEXT: tuple[Any, ...] = (
    *(word_changed, word_changed, word_changed, word_changed_everywhere, spaces_changed, equal_expression),
    *(equal_expression, end_changed, character_changed, lines_changed, spelling_changed, wrapped),
)
"""The changes of texts: (text, random numbers) -> changed text; None if there is nothing to change."""
