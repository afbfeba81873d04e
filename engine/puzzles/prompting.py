"""What a model is told about a puzzle (docs/puzzles.md, "Prompts")."""

from __future__ import annotations

from spatial_workbench.engine.puzzles.puzzle import Puzzle

TEMPERATURE = 0.0
OUTPUT_TOKENS = 8192

SYSTEM = """\
You are about to solve a puzzle from a puzzle hunt. It may come without any instructions: working out what to do is \
part of it. The answer is a word, a short phrase or, rarely, a number. You cannot ask anything back; give the best \
answer you can, even if you are not sure.

How such puzzles work
- Expect several steps. An intermediate result that fits the title, the introductory text or the theme tells you that \
you are on the right path.
- The introductory text is a hint. If it speaks of darkness or of touch, for example, look for braille.
- Some mechanisms come up again and again, and a puzzle often uses one of them more than once: reading first letters; \
finding an order in which scrambled letters make sense; counting into a word by a number; reading numbers as letters \
with 1 = A to 26 = Z, starting again at A above 26; failing that, other codes such as ASCII.

How to work
- Write your steps down, and go back as soon as a path stops making sense.
- When you are stuck, read the title and the introductory text once more. Think of popular culture: songs, books, films.
- With words and letters, try alphabetical order, leftover letters, anagrams, acronyms, diagonals, letters that occur \
unusually often, puns and words that sound alike, and letters as numbers.
- With numbers, try letters, the keys of a telephone, dates, ASCII, well-known sequences, primes.
- With pictures, imagine them mirrored, from afar with half-closed eyes, tilted, upside down, or laid over each other \
and looked through; copy out neatly what is hard to read."""


def user_text(puzzle: Puzzle, pages: int) -> str:
    """The question: title, introductory text, and how to answer. The pages are attached in their order."""
    pictures = "The page is attached" if pages == 1 else f"The {pages} pages are attached in their order"
    text = puzzle.flavor_text.strip() or "(none)"
    return f"""Solve this puzzle. {pictures}; pictures come in the order in which they are referred to.

Title: {puzzle.title}
Introductory text: {text}

Solve it step by step, saying what each step yields. End with a line of this form:
Answer: <answer>
"""


def solution_text(puzzle: Puzzle, with_figures: bool = False) -> str:
    """The annotated steps, numbered, and the answer, in the form that solvers are asked for."""
    lines = []
    for i, step in enumerate(puzzle.reasoning, 1):
        mark = f" [{step.figure.removesuffix('.png')}]" if with_figures and step.figure else ""
        lines.append(f"{i}. {step.explanation}{mark}")
    return "\n".join([*lines, answer_line(puzzle.solution)])


def answer_line(answer: str) -> str:
    """The line that a solver's text ends with."""
    return f"Answer: {answer}"
