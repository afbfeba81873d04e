"""Finds and compares final answers letter by letter, without the patterns of the default verifier."""

from __future__ import annotations

import unicodedata

_MARKS = set("*_#`~>")
_WRAPPING = set("\"'“”‘’«»„‚()[]{}<>")


def final_answer_again(text: str) -> str | None:
    """The final answer of a text; None if there is none."""
    lines = [given for line in text.splitlines() if (given := _answer_of(line)) is not None]
    if lines:
        return lines[-1]
    boxed = _last_box(text)
    return _unwrapped(boxed) or None


def _answer_of(line: str) -> str | None:
    """What follows "answer:" in a line that begins with it, or with "final answer:"."""
    plain = "".join(c for c in line if c not in _MARKS).strip()
    start = next((i for i, c in enumerate(plain) if c.isalnum() or c == "_"), len(plain))
    rest = plain[start:]
    if rest[:5].lower() == "final" and rest[5:6].isspace():
        rest = rest[5:].lstrip()
    if rest[:6].lower() != "answer":
        return None
    rest = rest[6:]
    while rest and not (rest[0].isalnum() or rest[0] == "_"):
        if rest[0] in ":：" and (given := _unwrapped(rest[1:])):
            return given
        rest = rest[1:]
    return None


def _last_box(text: str) -> str:
    last = ""
    for part in text.split("\\boxed{")[1:]:
        depth = 1
        for i, letter in enumerate(part):
            depth += (letter == "{") - (letter == "}")
            if not depth:
                last = part[:i].strip().split("\n")[0]
                break
    return last


def _unwrapped(text: str) -> str:
    letters = list(text.strip())
    while letters and (letters[-1] in _WRAPPING or letters[-1] == "." or letters[-1].isspace()):
        letters.pop()
    while letters and (letters[0] in _WRAPPING or letters[0].isspace()):
        letters.pop(0)
    return "".join(letters)


def same_answer_again(given: str, solution: str) -> bool:
    """Whether two answers have the same letters and digits, with or without an article in front."""
    if not _letters(given):
        return False
    return _letters(given) == _letters(solution) or _bare(given) == _bare(solution)


def _bare(text: str) -> str:
    """The letters of a text, without an article in front."""
    words = [word for word in text.strip().split(" ") if word]
    without = _letters(" ".join(words[1:]))
    return without if without and words[0].upper() in ("THE", "A", "AN") else _letters(text)


def _letters(text: str) -> str:
    latin = ""
    for letter in unicodedata.normalize("NFKD", text):
        if letter == "&":
            latin += "AND"
        elif not unicodedata.combining(letter):
            latin += "".join(c for c in letter.upper() if c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    return latin or "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if not c.isspace())
