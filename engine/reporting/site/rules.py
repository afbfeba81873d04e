"""The rules of tasks as HTML, from the Markdown of their pages.

Pages of tasks may come from other packages, so HTML in them is text, and so are links and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

ABOUT_THE_WINDOW = ("Building by hand", "Keys")
"""Sections that readers of a site do not need."""
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])[*_](?!\s)([^*_]+?)(?<!\s)[*_](?![\w*])")
_NUMBERED = re.compile(r"\d+\. ")
_BULLET = re.compile(r"[-*] ")
_HOLE = "\0"
"""Stands for a piece of code while emphasis is looked for."""
_CELLS = re.compile(r"(?<!\\)\|")


def rules_html(markdown: str) -> str:
    """The rules as HTML: the page without its title and without what is about the window; headings begin at h3."""
    blocks = _blocks(_without_window(markdown.replace(_HOLE, "").splitlines()))
    return "\n".join(html for block in blocks if (html := _block(block)))


def _without_window(lines: Sequence[str]) -> Iterator[str]:
    is_kept = True
    for line in lines:
        if line.startswith("# "):
            continue
        if line.startswith("## "):
            is_kept = line[3:].strip() not in ABOUT_THE_WINDOW
        if is_kept:
            yield line


def _blocks(lines: Iterator[str]) -> Iterator[list[str]]:
    """Lines between empty ones; a heading is a block of its own."""
    block: list[str] = []
    for line in lines:
        if line.startswith("#") or not line.strip():
            if block:
                yield block
            block = []
            if line.strip():
                yield [line]
        else:
            block.append(line)
    if block:
        yield block


def _block(lines: list[str]) -> str:
    first = lines[0]
    if first.startswith("#"):
        level = min(6, len(first) - len(first.lstrip("#")) + 1)
        return f"<h{level}>{_inline(first.lstrip('#').strip())}</h{level}>"
    if first.startswith("    "):
        code = "\n".join(line[4:] for line in lines)
        return f'<pre tabindex="0"><code>{escape(code)}</code></pre>'
    if first.startswith("|") and len(lines) > 1:
        return _table(lines)
    if _BULLET.match(first):
        return _list("ul", _BULLET, lines)
    if _NUMBERED.match(first):
        return _list("ol", _NUMBERED, lines)
    return f"<p>{_inline(' '.join(line.strip() for line in lines))}</p>"


def _table(lines: Sequence[str]) -> str:
    rows = [[_inline(cell.strip()) for cell in _CELLS.split(line.strip().strip("|"))] for line in lines]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[2:])
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="Table"><table class="rules"><thead><tr>{head}</tr>'
        f"</thead><tbody>{body}</tbody></table></div>"
    )


def _list(tag: str, sign: re.Pattern[str], lines: Sequence[str]) -> str:
    items: list[str] = []
    for line in lines:
        if sign.match(line):
            items.append(sign.sub("", line, count=1))
        elif items:
            items[-1] += f" {line.strip()}"
    return f"<{tag}>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</{tag}>"


def _inline(text: str) -> str:
    """A line with code, emphasis, and links as their texts; everything else is escaped."""
    code = [escape(part) for part in _CODE.findall(text)]
    # Emphasis may reach across code, in which stars mean nothing.
    rest = escape(_LINK.sub(r"\1", _CODE.sub(_HOLE, text)), quote=False)
    marked = _EMPHASIS.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", rest))
    parts = marked.split(_HOLE)
    return "".join(f"{part}<code>{one}</code>" for part, one in zip(parts, code, strict=False)) + parts[-1]
