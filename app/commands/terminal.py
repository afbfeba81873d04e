"""Text from strangers on a terminal: control characters are shown escaped. Loads nothing else."""

from __future__ import annotations

import re

from spatial_workbench.widgets.plain_text import BIDIRECTIONAL

_UNREADABLE = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{BIDIRECTIONAL}]")
_NOT_ON_ONE_LINE = re.compile(f"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{BIDIRECTIONAL}]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
MOST_OF_A_LINE = 2000
"""Characters of an error line; the file has the rest."""


def escaped(text: str) -> str:
    """Text for a terminal: control characters, escape sequences and changes of direction escaped, lines kept."""
    return _UNREADABLE.sub(_as_escape, text)


def escaped_line(text: str, most: int = MOST_OF_A_LINE) -> str:
    """Text for one line of a terminal: line ends escaped too, and the middle left out if it is long."""
    line = _NOT_ON_ONE_LINE.sub(_as_escape, text.strip("\n"))
    if len(line) <= most:
        return line
    half = (most - 3) // 2
    return f"{line[:half]} … {line[len(line) - half :]}"


def escaped_json(text: str) -> str:
    """JSON for a terminal: what json.dumps leaves as it is, as \\u202e."""
    return _UNREADABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _as_escape(found: re.Match[str]) -> str:
    sign = found[0]
    code = ord(sign)
    return _SHORT.get(sign) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
