"""Tables as LaTeX, Markdown and HTML: what is special there is escaped, and LaTeX compiles with booktabs alone."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from spatial_workbench.engine.evaluation.results.documents import (
    MOST_LATEX_ROWS,
    as_html_page,
    as_latex,
    as_markdown,
    latex_text,
    markdown_text,
)
from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote

NASTY = r"""50 % of R&D_#1 $x^2$ ~ {a} \b <i> |p| "q" 'r' `s` [t] *u* --v-- ''w'' é ß Č ł ı̇ – — κ Σ › ✎ 中 🙂"""


def table(lines=2, title="a_b & c"):
    return Table(
        title=title,
        first="Run",
        headings=(Heading("Score", "%"), Heading("Kind", is_text=True)),
        lines=tuple(
            TableLine(f"[{n}]* {NASTY}", (TableCell("1.0", "0–2"), TableCell(NASTY)), marks="a", is_sum=n == 0)
            for n in range(lines)
        ),
        notes=(TableNote("Note_1", "a"), TableNote(NASTY)),
        about="About 100 %.",
        words="Words_",
    )


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50 % & $5_x", r"50 \% \& \$5\_x"),
        (r"\{a}", r"\textbackslash{}\{a\}"),
        ("38–68 · é ç Č", r"38--68 $\cdot$ \'{e} \c{c} \v{C}"),
        ("a--b", "a-{}-b"),
        ("x\ny\u200b", "x y"),
        ("中", "{[}U+4E2D{]}"),
    ],
)
def test_special_characters_are_commands_in_latex(text, latex):
    assert latex_text(text) == latex


def test_latex_is_plain_ascii_and_has_a_row_for_each_line():
    text = as_latex(table())
    assert text.isascii()
    body = text.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
    rows = body.strip().split("\n")
    assert len(rows) == 2
    assert all(len(re.findall(r"(?<!\\)&", row)) == 2 and row.endswith(r"\\") for row in rows)
    assert "\\begin{tabular}{@{}lrl@{}}" in text


def test_a_long_table_is_divided():
    text = as_latex(table(MOST_LATEX_ROWS + 1))
    assert text.count("\\begin{table}") == 2
    assert text.count("(continued)") == 1
    assert text.count("Note\\_1") == 1


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed")
def test_latex_compiles_with_booktabs_alone(tmp_path):
    body = as_latex(table(MOST_LATEX_ROWS + 3)) + as_latex(table(0))
    document = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{body}\\end{{document}}\n"
    (tmp_path / "table.tex").write_text(document)
    ran = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert (tmp_path / "table.pdf").stat().st_size > 1000


def test_markdown_has_a_cell_for_each_column_and_nothing_is_markup():
    lines = as_markdown(table()).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [4, 4, 4, 4]
    assert rows[1] == "| :--- | ---: | :--- |"
    assert markdown_text("a|b *c* <d>") == r"a\|b \*c\* \<d\>"
    assert lines[0] == r"### a\_b & c"
    assert lines[-2] == r"- **a** Note\_1"


class Cells(HTMLParser):
    """Collects the texts of the cells of a page."""

    def __init__(self):
        super().__init__()
        self.texts = []
        self.tag = ""

    def handle_starttag(self, tag, attrs):
        self.tag = tag

    def handle_data(self, data):
        if self.tag == "td":
            self.texts.append(data)


def test_an_html_page_shows_texts_as_they_are_and_has_no_scripts():
    page = as_html_page(table())
    parser = Cells()
    parser.feed(page)
    assert NASTY in parser.texts
    assert "<script" not in page
