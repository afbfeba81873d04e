"""What stands around a final answer: tags, boxes, formulas, quotes and explanations (docs/puzzles.md, "Final answers").

An explanation is cut off only if it offers no other answer: "STEM (or LEAF)" stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BOXES = ("\\boxed{", "\\fbox{")
_TAG = re.compile(r"<(/?)((?:final_)?answer)>", re.IGNORECASE)
_STYLE = re.compile(r"</?(?:b|i|u|em|strong|span|code|mark)(?:\s[^<>]*)?>", re.IGNORECASE)
_BREAK = re.compile(r"</?(?:br|p|div|h[1-6])(?:\s[^<>]*)?/?>", re.IGNORECASE)
_QUOTES = "\"'“”‘’«»„‚()[]{}<>"
_LEAST_WORDS = 3
"""Of an explanation after a dash, a semicolon or a full stop; what is shorter may belong to the answer."""
_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|tt|sf|rm|sc|up)?|math(?:rm|bf|it|sf|tt|cal)|operatorname|emph|mbox|bm|boldsymbol)\*?\s*"
    r"\{([^{}]*)\}"
)
_SWITCH = re.compile(r"\\(?:bf|rm|it|sf|tt|displaystyle|large|huge|left|right)(?![A-Za-z])\s*")
_SPACE = re.compile(r"\\(?:[ ,;:!]|q?quad(?![A-Za-z]))")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_DISPLAY = re.compile(r"\\[()\[\]]|\\\\")
_MOST_NESTED = 20
_REMARK = re.compile(
    r"\s+[(\[]|,?\s+because\b|,\s+(?:as|since|which|where|from|i\.e|that\s+is|meaning)\b", re.IGNORECASE
)
_LONG_REMARK = re.compile(r"\s+(?:[–—]|-{1,3}|→|->)\s+|[.!]\s+|;\s+")
_LEAD = re.compile(r"^(?:it\s+is\s+|it’s\s+|it's\s+)?(?:the\s+)?(?:word|phrase)\s+(?:is\s+)?", re.IGNORECASE)
_OTHER_ANSWER = re.compile(
    r"\b(?:or|alternatively|alternative|maybe|perhaps|possibly|might|could|unsure|guess)\b|[/?]", re.IGNORECASE
)
_MOST_CHARS_READ = 1_000


def tagged(text: str) -> Iterator[str]:
    """The contents of <answer>...</answer>, from the last to the first; empty ones are left out."""
    closing: re.Match[str] | None = None
    for tag in reversed(list(_TAG.finditer(text))):
        if tag[1]:
            closing = tag
        elif closing is not None and tag[2].lower() == closing[2].lower():
            content = text[tag.end() : closing.start()].strip()
            if content:
                yield content
            closing = None


def unclosed(text: str) -> str:
    """What follows a last <answer> that is not closed, as where a model was stopped at its end; "" if it is closed."""
    last = next(reversed(list(_TAG.finditer(text))), None)
    return text[last.end() :] if last is not None and not last[1] else ""


def without_closing_tags(text: str) -> str:
    """A text without tags that close what was opened elsewhere."""
    return _TAG.sub(lambda tag: "" if tag[1] else tag[0], text)


def without_html(text: str) -> str:
    """A text without the tags of HTML that style it; those that begin a line do so."""
    return _BREAK.sub("\n", _STYLE.sub("", text)) if "<" in text else text


def boxed(text: str) -> Iterator[str]:
    r"""The contents of each \boxed{...}, whose braces may be nested."""
    start, opening = _next_box(text, 0)
    while start >= 0:
        depth = 1
        end = start + len(opening)
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth:
            return
        yield text[start + len(opening) : end - 1].strip()
        start, opening = _next_box(text, end)


def _next_box(text: str, start: int) -> tuple[int, str]:
    found = [(place, opening) for opening in BOXES if (place := text.find(opening, start)) >= 0]
    return min(found, default=(-1, ""))


def is_unfinished(text: str) -> bool:
    """Whether a tag or box begins in a text and goes on below it."""
    return any(opening in text for opening in BOXES) or any(not tag[1] for tag in _TAG.finditer(text))


def unwrapped(text: str) -> str:
    """A text without formulas, quotes, brackets and a full stop around it."""
    text = _without_formulas(text)
    before = None
    while before != text:
        before = text
        text = text.strip().removesuffix(".").strip(_QUOTES)
    return text


def _without_formulas(text: str) -> str:
    if text.count("$") > 1:
        text = text.replace("$", "")
    if "\\" not in text:
        return text
    text = _DISPLAY.sub("", _SPACE.sub(" ", text))
    for _ in range(_MOST_NESTED):
        plain = _COMMAND.sub(r"\1", text)
        if plain == text:
            break
        text = plain
    return _ESCAPED.sub(r"\1", _SWITCH.sub("", text))


def shortened(text: str) -> str:
    """An answer without "the word" before it, and without an explanation after it that offers no other answer."""
    text = unwrapped(_LEAD.sub("", text)) or text
    read = text[:_MOST_CHARS_READ]
    for match in sorted([*_REMARK.finditer(read), *_long_remarks(read)], key=lambda match: match.start()):
        answer = unwrapped(text[: match.start()])
        if any(c.isalnum() for c in answer):
            return text if _OTHER_ANSWER.search(text[match.start() :]) else answer
    return text


def _long_remarks(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _LONG_REMARK.finditer(text) if len(text[match.end() :].split()) >= _LEAST_WORDS)
