"""What stands around a final answer, letter by letter: formulas, quotes and explanations (for the cross-check)."""

from __future__ import annotations

_WRAPPING = set("\"'“”‘’«»„‚()[]{}<>")
_STYLES = {
    "text",
    "textbf",
    "textit",
    "texttt",
    "textsf",
    "textrm",
    "textsc",
    "textup",
    "mathrm",
    "mathbf",
    "mathit",
    "mathsf",
    "mathtt",
    "mathcal",
    "operatorname",
    "emph",
    "mbox",
    "bm",
    "boldsymbol",
}
_SWITCHES = {"bf", "rm", "it", "sf", "tt", "displaystyle", "large", "huge", "left", "right"}
_AFTER_A_COMMA = (("as",), ("since",), ("which",), ("where",), ("from",), ("that", "is"), ("meaning",), ("i", "e"))
_DOUBTFUL = {"or", "alternatively", "alternative", "maybe", "perhaps", "possibly", "might", "could", "unsure", "guess"}
_MOST_READ = 1_000
_STYLE_TAGS = {"b", "i", "u", "em", "strong", "span", "code", "mark"}
_LINE_TAGS = {"br", "p", "div", "h1", "h2", "h3", "h4", "h5", "h6"}


def without_style(text: str) -> str:
    """A text without the tags of HTML that style it; those that begin a line do so."""
    result = ""
    i = 0
    while i < len(text):
        end = text.find(">", i) if text[i] == "<" else -1
        inside = text[i + 1 : end] if end > 0 else ""
        name = word_at(inside.removeprefix("/"), 0)
        after = inside.removeprefix("/")[len(name) :]
        is_tag = end > 0 and "<" not in inside and (not after or after[0].isspace() or after == "/")
        if is_tag and name.lower() in _LINE_TAGS:
            result += "\n"
        elif not (is_tag and after != "/" and name.lower() in _STYLE_TAGS):
            result += text[i]
            end = i
        i = end + 1
    return result


def bare(text: str) -> str:
    """A text without formulas, and without quotes, brackets and full stops around it."""
    if text.count("$") > 1:
        text = "".join(text.split("$"))
    letters = list(_unstyled(text).strip())
    while letters and (letters[-1] in _WRAPPING or letters[-1] == "." or letters[-1].isspace()):
        letters.pop()
    start = next((i for i, c in enumerate(letters) if c not in _WRAPPING and not c.isspace()), 0)
    return "".join(letters[start:])


def _unstyled(text: str) -> str:
    """A text without the commands of LaTeX; braces go with the command that they belong to."""
    result: list[str] = []
    closing: list[bool] = []
    i = 0
    while i < len(text):
        letter = text[i]
        name = _command(text, i)
        i += 1 + len(name)
        if letter == "{":
            closing.append(False)
            result.append(letter)
        elif letter == "}":
            is_command = closing.pop() if closing else False
            result.append("" if is_command else letter)
        elif not name:
            result.append(letter)
        elif name in _STYLES and text[i:].lstrip("*").lstrip()[:1] == "{" and _is_closed(text[text.index("{", i) :]):
            i = text.index("{", i) + 1
            closing.append(True)
        elif name in _SWITCHES:
            i += len(text[i:]) - len(text[i:].lstrip())
        elif name in (*" ,;:!", "quad", "qquad"):
            result.append(" ")
        elif name in "&%$#_{}":
            result.append(name)
        elif name not in "()[]\\":
            result.append("\\" + name)
    return "".join(result)


def _is_closed(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return True
    return False


def _command(text: str, i: int) -> str:
    """The name of the command that begins at a place; "" if none does."""
    if text[i] != "\\" or i + 1 == len(text):
        return ""
    name = ""
    while i + 1 + len(name) < len(text) and text[i + 1 + len(name)].isascii() and text[i + 1 + len(name)].isalpha():
        name += text[i + 1 + len(name)]
    return name or text[i + 1]


def before_remark(text: str) -> str:
    """An answer without "the word" before it and without an explanation after it that offers no other answer."""
    text = _without_lead(text)
    for i in range(min(len(text), _MOST_READ)):
        if not _begins_remark(text[:_MOST_READ], i):
            continue
        answer = bare(text[:i])
        if any(c.isalnum() for c in answer):
            rest = text[i:]
            words = {word.lower() for word in _split(rest)}
            return text if words & _DOUBTFUL or "/" in rest or "?" in rest else answer
    return text


def _without_lead(text: str) -> str:
    words = text.split()
    names = [word.lower() for word in words]
    k = 2 if names[:2] == ["it", "is"] else 1 if names[:1] in (["it's"], ["it’s"]) else 0
    k += names[k : k + 1] == ["the"]
    if names[k : k + 1] not in (["word"], ["phrase"]) or k + 1 >= len(words):
        return text
    k += 2 if names[k + 1] == "is" and k + 2 < len(words) else 1
    rest = text
    for _ in range(k):
        rest = rest.lstrip()[len(word_at(rest.lstrip(), 0, whole=True)) :]
    return bare(rest) or text


def _begins_remark(text: str, i: int) -> bool:
    """Whether an explanation begins at a place, with the blank or the mark there."""
    letter = text[i]
    rest = text[i:].lstrip()
    if letter.isspace():
        if rest[:1] in ("(", "["):
            return True
        if word_at(rest, 0).lower() == "because":
            return True
        for dash in ("---", "--", "-", "–", "—", "→", "->"):
            if rest.startswith(dash) and rest[len(dash) : len(dash) + 1].isspace():
                return len(rest[len(dash) :].split()) >= 3
        return False
    after = text[i + 1 :]
    if letter in ".!;" and after[:1].isspace():
        return len(after.split()) >= 3
    if letter == "," and after[:1].isspace():
        names = [word.lower() for word in _split(after)][:2]
        is_named = any(tuple(names[: len(words)]) == words for words in _AFTER_A_COMMA)
        return names[:1] == ["because"] or is_named
    return False


def word_at(text: str, start: int, whole: bool = False) -> str:
    """The word that begins at a place: its letters and digits, or with `whole` all up to the next blank."""
    end = start
    while end < len(text) and (not text[end].isspace() if whole else text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[start:end]


def _split(text: str) -> list[str]:
    """The words of a text."""
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
