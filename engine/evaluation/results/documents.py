"""Tables of results for documents: LaTeX with booktabs, Markdown, and HTML pages of their own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.evaluation.results.tables import Table, TableCell, TableLine

MOST_LATEX_ROWS = 45
"""A longer table is divided, since booktabs alone does not break tables across pages."""
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"$<$",
    ">": r"$>$",
    "|": r"$|$",
    '"': "''",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "`": "`{}",
    "\N{WORD JOINER}": "{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "×": r"$\times$",
    "−": "$-$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "›": "$>$",
    "°": r"$^{\circ}$",
    "µ": r"$\mu$",
    "μ": r"$\mu$",
    "κ": r"$\kappa$",
    "Σ": r"$\Sigma$",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "✎": r"$\ast$",
    "✓": r"$\surd$",
    "✗": r"$\times$",
    "\N{NO-BREAK SPACE}": "~",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{THIN SPACE}": r"\,",
    "ß": r"{\ss}",
    "æ": r"{\ae}",
    "Æ": r"{\AE}",
    "œ": r"{\oe}",
    "Œ": r"{\OE}",
    "ø": r"{\o}",
    "Ø": r"{\O}",
    "ł": r"{\l}",
    "Ł": r"{\L}",
    "ı": r"{\i}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
"""Combining characters, and the commands of LaTeX that put them over or under a letter."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~$])")
_NEW_LINES = re.compile(r"\s*[\r\n]+\s*")


def as_latex(table: Table) -> str:
    r"""The table for a document that loads booktabs and nothing else, with its notes below it.

    Every character compiles with pdfLaTeX; those that it has no letter for are named, as in "[U+4E2D]".
    """
    pieces = [table.lines[k : k + MOST_LATEX_ROWS] for k in range(0, len(table.lines), MOST_LATEX_ROWS)] or [()]
    parts = ["% Needs \\usepackage{booktabs}.\n"]
    for number, lines in enumerate(pieces):
        is_last = number == len(pieces) - 1
        parts += _latex_piece(table, lines, " (continued)" if number else "", is_last)
    return "".join(parts)


def _latex_piece(table: Table, lines: Sequence[TableLine], continued: str, is_last: bool) -> Iterator[str]:
    columns = "l" + "".join("l" if heading.is_text else "r" for heading in table.headings)
    about = " ".join(filter(None, (table.about, table.words)))
    caption = f"{latex_text(table.title)}{continued}." + (f" {latex_text(about)}" if about and not continued else "")
    yield "\\begin{table}\n\\centering\n\\footnotesize\n\\setlength{\\tabcolsep}{3pt}\n"
    yield f"\\caption{{{caption}}}\n\\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n\\toprule\n"
    yield _latex_row([table.first, *(heading.label for heading in table.headings)])
    yield "\\midrule\n"
    for line in lines:
        title = latex_text(line.title)
        title = f"\\textbf{{{title}}}" if line.is_sum else title
        marks = f"\\textsuperscript{{{latex_text(line.marks)}}}" if line.marks else ""
        yield " & ".join([f"{title}{marks}", *map(_latex_cell, line.cells)]) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"
    if is_last and table.notes:
        notes = (
            (f"\\textsuperscript{{{latex_text(note.mark)}}} " if note.mark else "") + latex_text(note.text)
            for note in table.notes
        )
        yield "\n\\medskip\n\\parbox{\\linewidth}{\\scriptsize\n" + "\\par\n".join(notes) + "}\n"
    yield "\\end{table}\n"


def _latex_row(texts: Sequence[str]) -> str:
    return " & ".join(map(latex_text, texts)) + " \\\\\n"


def _latex_cell(cell: TableCell) -> str:
    return latex_text(cell.text) + (f" {{\\scriptsize ({latex_text(cell.detail)})}}" if cell.detail else "")


def latex_text(text: str) -> str:
    """Text for LaTeX: special characters, accents and signs as commands, and nothing but ASCII."""
    # Two hyphens would become a dash, and two apostrophes a quotation mark.
    apart = re.sub(r"(?<=-)(?=-)|(?<=')(?=')", "\N{WORD JOINER}", _one_line(text))
    return "".join(map(_latex_character, apart))


def _latex_character(character: str) -> str:
    if character in _LATEX:
        return _LATEX[character]
    if " " <= character <= "~":
        return character
    parts = unicodedata.normalize("NFD", character)
    if len(parts) == 2 and parts[0].isascii() and parts[0].isalpha() and parts[1] in _ACCENTS:
        letter = {"i": "\\i", "j": "\\j"}.get(parts[0], parts[0]) if parts[1] != "\u0327" else parts[0]
        return f"\\{_ACCENTS[parts[1]]}{{{letter}}}"
    return "" if unicodedata.category(character) in ("Cc", "Cf") else f"{{[}}U+{ord(character):04X}{{]}}"


def as_markdown(table: Table) -> str:
    """The table as GitHub's Markdown has it, with its title above and its notes below."""
    sides = [":---", *(":---" if heading.is_text else "---:" for heading in table.headings)]
    parts = [f"### {markdown_text(table.title)}", *(markdown_text(text) for text in (table.about, table.words) if text)]
    rows = [[table.first, *(heading.label for heading in table.headings)]]
    shown = [[markdown_text(text) for text in row] for row in rows] + [sides]
    shown += [[_markdown_title(line), *map(_markdown_cell, line.cells)] for line in table.lines]
    parts.append("\n".join(f"| {' | '.join(row)} |" for row in shown))
    notes = [f"- {f'**{markdown_text(n.mark)}** ' if n.mark else ''}{markdown_text(n.text)}" for n in table.notes]
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])]) + "\n"


def _markdown_title(line: TableLine) -> str:
    title = markdown_text(line.title)
    marks = f" ({markdown_text(line.marks)})" if line.marks else ""
    return f"**{title}**{marks}" if line.is_sum and title else f"{title}{marks}"


def _markdown_cell(cell: TableCell) -> str:
    return markdown_text(cell.text) + (f" ({markdown_text(cell.detail)})" if cell.detail else "")


def markdown_text(text: str) -> str:
    """Text whose signs mean nothing to Markdown."""
    return _MARKDOWN.sub(r"\\\1", _one_line(text))


def as_html_page(table: Table) -> str:
    """The table as one page in the style of reports, for light and dark screens, without scripts."""
    from spatial_workbench.engine.evaluation.results.html import filled, page_html

    return page_html(table.title, filled("table", table=table))


FORMATS: Mapping[str, tuple[str, Callable[[Table], str]]] = {
    "latex": ("tex", as_latex),
    "markdown": ("md", as_markdown),
    "html": ("html", as_html_page),
}
"""The formats by name: the suffix of a file, and what writes its text."""


def save_document(table: Table, path: Path, kind: str) -> None:
    """Writes a table as one of `FORMATS`. Raises OSError."""
    write_whole(path, FORMATS[kind][1](table).encode())


def _one_line(text: str) -> str:
    return _NEW_LINES.sub(" ", text)
