"""Finds and compares final answers letter by letter, without the patterns of the default verifier."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from spatial_workbench.engine.tasks.puzzle_hunt.bare_texts import bare, before_remark, without_style, word_at

_MARKS = set("*_#`~>")
_BEFORE_SAID = ("so", "thus", "hence", "therefore", ",", "the", "my", "our", "final")
_VERBS = (("is",), ("would", "be"), ("must", "be"), ("should", "be"))
_OPENING = "\"'“‘«„"
_CLOSING = "\"'”’»“‘"
_DOUBTS = {"if", "whether", "unless", "suppose", "perhaps", "maybe", "not"}
_STOPS = {"because", "since", "as", "which", "and", "so"}


def right_again(text: str, solution: str) -> bool:
    """Whether the final answer of a text is a solution, with or without what looks like an explanation after it."""
    given = final_answer_again(text)
    return given is not None and any(same_answer_again(part, solution) for part in given)


def final_answer_again(text: str) -> tuple[str, str] | None:
    """The final answer of a text, without and with an explanation after it; None if there is none."""
    text = without_style(text)
    for found in (_by_line(text), _by_tag(text), _by_box(text), _by_field(text), _by_sentence(text)):
        if found is not None:
            return found
    return None


def _by_line(text: str) -> tuple[str, str] | None:
    lines = text.splitlines()
    answer = None
    for i, line in enumerate(lines):
        plain = "".join(c for c in line if c not in _MARKS)
        value = None if _begins_with_a_tag(line) else _value_of(plain)
        if value is None or (not value and "answer>" in line.lower()):
            continue
        value = value and (_value_of(line) or value)
        given = (_by_field(line) or _read(value)) if value else _below(lines[i + 1 :])
        answer = given or answer
    return answer


def _begins_with_a_tag(line: str) -> bool:
    start = next((i for i, c in enumerate(line) if c.isalnum() or c == "_"), len(line))
    return line[start:].lower().startswith(("answer>", "final_answer>"))


def _value_of(line: str) -> str | None:
    """What follows "answer:" in a line that begins with it; "" for a heading; None for any other line."""
    words = list(_words(line))
    names = [word.lower() for _, word in words]
    place = int(names[:1] in (["so"], ["thus"], ["hence"], ["therefore"]))
    place += names[place : place + 1] in (["the"], ["my"], ["our"])
    has_owner = place > 0
    if names[place : place + 1] == ["final"] and place + 1 < len(words):
        is_apart = line[words[place][0] + len("final") : words[place + 1][0]].isspace()
        place += is_apart
    if names[place : place + 1] not in (["answer"], ["final_answer"], ["finalanswer"]):
        return None
    start = words[place][0] + len(words[place][1])
    rest = line[start:]
    follows = words[place + 1 :]
    if names[place] == "answer" and _ends_a_heading(names[place + 1 :]):
        return ""
    if has_owner or not follows:
        return None
    gap = line[start : follows[0][0]]
    colon = min((k for k in (gap.find(":"), gap.find("：")) if k >= 0), default=-1)
    if colon >= 0:
        return rest[colon + 1 :]
    plain = "".join(c for c in gap if c not in _MARKS).strip()
    if plain[:1] in ("=", "–", "—", "→", "⇒") or (plain[:1] == "-" and "- " in gap):
        return rest[gap.index(plain[0]) + 1 :]
    return None


def _ends_a_heading(names: list[str]) -> bool:
    """Whether nothing but "to this puzzle", and "is", follows the word "answer"."""
    if names[:3] in (["to", "this", "puzzle"], ["to", "the", "puzzle"]):
        names = names[3:]
    return names in ([], ["is"])


def _below(lines: list[str]) -> tuple[str, str] | None:
    for line in lines:
        if line.lstrip()[:3] != "```" and any(c.isalnum() for c in line):
            given = _read(line)
            is_open = line.rstrip(" *_")[-1:] in (":", "：")
            return None if is_open or not given or len(given[0].split()) > 8 else given
    return None


def _by_tag(text: str) -> tuple[str, str] | None:
    given = next((given for part in _tags(text) if (given := _read(part))), None)
    if given is not None:
        return given
    lowered = "".join(c.lower() if c.isascii() else c for c in text)
    place = max(lowered.rfind("<answer>"), lowered.rfind("<final_answer>"))
    if place < 0 or max(lowered.rfind("</answer>"), lowered.rfind("</final_answer>")) > place:
        return None
    rest = text[text.index(">", place) + 1 :]
    return _read(rest) if len(rest.split()) <= 8 else None


def _tags(text: str) -> Iterator[str]:
    """What stands in tags, the last first."""
    pieces = "".join(c.lower() if c.isascii() else c for c in text).split("<")
    place = len(text)
    closed = (0, "")
    for piece in reversed(pieces[1:]):
        place -= len(piece) + 1
        name = piece[: piece.find(">") + 1].removesuffix(">")
        if name in ("/answer", "/final_answer"):
            closed = (place, name[1:])
        elif name in ("answer", "final_answer") and name == closed[1]:
            content = text[place + len(name) + 2 : closed[0]]
            if content.strip():
                yield content
            closed = (0, "")


def _by_box(text: str) -> tuple[str, str] | None:
    inner = _last_box(text)
    return _read(inner) if inner else None


def _last_box(text: str) -> str:
    last = ""
    for part in text.replace("\\fbox{", "\\boxed{").split("\\boxed{")[1:]:
        depth = 1
        for i, letter in enumerate(part):
            depth += (letter == "{") - (letter == "}")
            if not depth:
                last = part[:i].strip()
                break
    return last


def _by_field(text: str) -> tuple[str, str] | None:
    parts = text.split('"')
    for k in range(len(parts) - 1, 1, -1):
        if parts[k - 1].lower() in ("answer", "final_answer") and parts[k].strip() == ":" and k + 1 < len(parts):
            value = _quoted('"'.join(parts[k + 1 :]))
            if value and (given := _read(value)):
                return given
    return None


def _quoted(text: str) -> str:
    """What stands before the closing quotation mark; escaped characters as they are meant."""
    value = ""
    letters = iter(text)
    for letter in letters:
        if letter == '"':
            return value
        if letter == "\\":
            letter = {"n": "\n", "t": "\t"}.get(escaped := next(letters, ""), escaped)
        value += letter
    return ""


def _by_sentence(text: str) -> tuple[str, str] | None:
    for line in reversed(text.splitlines()):
        plain = "".join(c for c in line if c not in _MARKS).strip()
        ends = list(_said_ends(plain))
        if not ends:
            continue
        start, end = ends[-1]
        said = _short(plain[end:])
        doubts = {word.lower() for _, word in _words(_last_sentence(plain[:start]))}
        first = word_at(plain[end:], 0).lower()
        if any(c.isalnum() for c in said) and not doubts & _DOUBTS and first not in _DOUBTS:
            return said, said
    return None


def _last_sentence(text: str) -> str:
    for i in range(len(text) - 2, -1, -1):
        if text[i] in ".!?" and text[i + 1].isspace():
            return text[i + 2 :]
    return text


def _said_ends(line: str) -> Iterator[tuple[int, int]]:
    """Where "the answer is" begins and ends in a line."""
    words = list(_words(line))
    for k, (start, word) in enumerate(words):
        if word.lower() not in ("answer", "solution"):
            continue
        after = [name.lower() for _, name in words[k + 1 : k + 6]]
        skipped = 3 if after[:1] == ["to"] and after[1:2] in (["this"], ["the"]) and after[2:3] == ["puzzle"] else 0
        last = words[k + skipped]
        end = last[0] + len(last[1])
        verb = next((v for v in _VERBS if tuple(after[skipped : skipped + len(v)]) == v), ())
        between = line[end : words[k + skipped + 1][0]] if k + skipped + 1 < len(words) else line[end:]
        if verb and not between.strip():
            last = words[k + skipped + len(verb)]
            end = _after_adverb(line, last[0] + len(last[1]))
        elif between.lstrip()[:1] not in (":", "：") or not between.strip():
            continue
        rest = line[end:].lstrip()
        rest = rest[1:] if rest[:1] in (":", "：") else rest
        yield start, len(line) - len(rest.lstrip())


def _after_adverb(line: str, end: int) -> int:
    """The end of "is", or of "is therefore"."""
    rest = line[end:]
    word = word_at(rest.lstrip(), 0)
    is_adverb = rest[:1].isspace() and word.lower() in ("therefore", "thus", "hence", "then")
    return end + len(rest) - len(rest.lstrip()) + len(word) if is_adverb else end


def _short(value: str) -> str:
    """The short answer at the beginning of a sentence's end."""
    if value[:1] and value[0] in _OPENING:
        closing = [i for i, c in enumerate(value) if i and c in _CLOSING]
        return bare(value[1 : closing[0]] if closing else value[1:])
    for i, letter in enumerate(value):
        after = value[i + 1 : i + 2]
        if letter in ".!;,?" and (not after or after.isspace()):
            return "" if letter == "?" else _few(value[:i])
        if letter.isspace() and (after in ("(", "–", "—", "-") or word_at(value, i + 1).lower() in _STOPS):
            return _few(value[:i])
    return _few(value)


def _few(text: str) -> str:
    given = bare(text)
    return given if len(given.split()) <= 5 else ""


def _read(place: str) -> tuple[str, str] | None:
    """An answer without and with an explanation, from what stood in its place."""
    place = next(_tags(place), place)
    place = _last_box(place) or place
    for tag in ("</answer>", "</final_answer>"):
        while (start := "".join(c.lower() if c.isascii() else c for c in place).find(tag)) >= 0:
            place = place[:start] + place[start + len(tag) :]
    first = next((line for line in place.splitlines() if line.strip()), "")
    if any(opening in first.lower() for opening in ("\\boxed{", "\\fbox{", "<answer>", "<final_answer>")):
        return None
    whole = bare("".join(c for c in first if c not in _MARKS))
    ends = [end for start, end in _said_ends(whole) if _is_lead(whole[:start])]
    text = before_remark(bare(whole[ends[0] :]) if ends else whole)
    return (text, whole) if any(c.isalnum() for c in text) else None


def _is_lead(text: str) -> bool:
    return all(word in _BEFORE_SAID for word in text.lower().replace(",", " , ").split())


def _words(line: str) -> Iterator[tuple[int, str]]:
    """The words of a line with their places."""
    start = -1
    for i, letter in enumerate([*line, " "]):
        is_letter = letter.isalnum() or letter == "_"
        if is_letter and start < 0:
            start = i
        elif not is_letter and start >= 0:
            yield start, line[start:i]
            start = -1


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
