"""Variants of prompts: other words around a task's prompt, or in place of the part that says how to answer.

A variant is a text with places: `{prompt}` is the task's whole prompt; `{task}` and `{answer_format}` are its two
parts, of which the second begins at the last line that begins with "Answer with". A text without a place stands before
the prompt. What a person writes is kept to the letter, other braces included.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

PROMPT = "{prompt}"
TASK = "{task}"
ANSWER_FORMAT = "{answer_format}"
PLACES = (PROMPT, TASK, ANSWER_FORMAT)
MOST_CHARACTERS = 100_000
_HASH_LENGTH = 12
_ANSWER_PART = re.compile(r"^Answer with\b", re.MULTILINE)
_PLACE = re.compile("|".join(map(re.escape, PLACES)))


class VariantProblem(ValueError):
    """A variant cannot be used; the message says why."""


class PromptVariant(BaseModel):
    """Other words for the prompts of a batch."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=80, title="Name", description="Part of the name of the run")
    text: str = Field(
        min_length=1,
        max_length=MOST_CHARACTERS,
        title="Text",
        description="With {prompt}, or {task} and {answer_format}, where the task's own words stand",
    )

    @property
    def hash(self) -> str:
        """The first 12 hexadecimal digits of the text's SHA-256: equal where two variants ask the same."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_HASH_LENGTH]

    @property
    def label(self) -> str:
        """Name and hash, as attempts and exports keep them: "terse 3f9a5c21b0de"."""
        return f"{self.name} {self.hash}"

    @property
    def needs_parts(self) -> bool:
        """Whether the prompt has to be divided into task and answer format."""
        return TASK in self.text or ANSWER_FORMAT in self.text

    def fits(self, prompt: str) -> bool:
        """Whether a prompt has the parts that the variant names."""
        return not self.needs_parts or _ANSWER_PART.search(prompt) is not None

    def applied(self, prompt: str) -> str:
        """The prompt in the words of this variant.

        Raises:
            VariantProblem: The prompt cannot be divided into the parts that the variant names.
        """
        if not self.fits(prompt):
            raise VariantProblem("The prompt has no line that begins with “Answer with”; use {prompt} in the variant.")
        if not any(place in self.text for place in PLACES):
            return f"{self.text.rstrip()}\n\n{prompt}"
        begins = [found.start() for found in _ANSWER_PART.finditer(prompt)]
        cut = begins[-1] if begins else len(prompt)
        words = {PROMPT: prompt, TASK: prompt[:cut].rstrip(), ANSWER_FORMAT: prompt[cut:].rstrip()}
        return _PLACE.sub(lambda place: words[place.group()], self.text)


def read_variant(path: Path) -> PromptVariant:
    """A variant from a text file, which gives it its name.

    Raises:
        VariantProblem: The file cannot be read, is empty, or is too long.
    """
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise VariantProblem(f"The variant “{path}” cannot be read: {error}") from None
    if not text.strip():
        raise VariantProblem(f"The variant “{path}” is empty.")
    if len(text) > MOST_CHARACTERS:
        raise VariantProblem(f"The variant “{path}” has more than {MOST_CHARACTERS:,} characters.")
    return PromptVariant(name=path.stem[:80], text=text)
