"""Verdicts: a verifier's judgement of an answer."""

from collections.abc import Collection
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from spatial_workbench.engine.core.checks import Check, State
from spatial_workbench.engine.core.formats.notebook import body_of, headline_of
from spatial_workbench.engine.core.formats.notebook import figure as html_figure
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.reading.how_read import HowRead

READABLE = marked("the answer can be read")
"""Name of the only check in the verdict on an answer that cannot be read, and of the first in a verdict on the form."""

FULL_SCORE = marked("the full score")
"""Name of the check that says what keeps the score below 1 where no other check failed."""

PASS_TOLERANCE = 1e-9
"""A score this close to 1 is a pass, unless the task says otherwise."""

SCORE_TOLERANCE = 0.01
"""Two verifiers whose scores differ by more than this disagree, unless the task says otherwise."""

OF_ONE_JUDGING = frozenset({"elapsed_s", "is_cached"})
"""The fields that may differ when an equal answer is judged again."""


class Figure(BaseModel):
    """A measured figure with its unit."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    value: float | int | str
    unit: str = ""
    is_of_key: bool = Field(default=False, description="Whether it counts what agrees with the key")

    def __init__(self, name: str, value: float | int | str, unit: str = "", **data: Any) -> None:
        super().__init__(name=name, value=value, unit=unit, **data)


class Verdict(BaseModel):
    """The result of one verifier on one answer. Converts to JSON (`model_dump_json`) and back."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="constants", defer_build=True)

    instance: str = Field(description="Address of the instance")
    verifier: str = Field(description="Name of the verifier that gave it")
    version: str = Field(description="Version of that verifier")
    score: float = Field(ge=0, le=1)
    passed: bool
    checks: tuple[Check, ...] = ()
    figures: tuple[Figure, ...] = ()
    warnings: tuple[str, ...] = ()
    elapsed_s: float = Field(default=0.0, description="Wall-clock time of the verification in seconds")
    is_cached: bool = Field(
        default=False, description="Whether a simulation or mesh was there already; elapsed_s is then without it"
    )
    how_read: HowRead | None = Field(default=None, description="How the answer was read; None: it is not known")
    mending: str = Field(default="", description="What was done to read it, in a few words each")
    is_partial: bool = Field(default=False, description="Whether something that gives the key away was left out")
    is_of_form: bool = Field(default=False, description="Whether it only says whether the answer is complete in form")
    details: dict[str, Any] = Field(default_factory=dict, description="Plain data of the task that its scene draws")

    def figure(self, name: str) -> float | int | str:
        """The value of a figure.

        Raises:
            KeyError: The verdict has no figure of that name.
        """
        for figure in self.figures:
            if figure.name == name:
                return figure.value
        raise KeyError(name)

    @property
    def failed_elements(self) -> tuple[str, ...]:
        """The ids of all elements that a failed check names, each once, in order."""
        return tuple(dict.fromkeys(element for check in self.checks for element in check.elements))

    @property
    def is_undecided(self) -> bool:
        """Whether nothing is wrong so far, and the rest is decided when the answer is submitted."""
        is_faulty = any(check.state is State.FAILED for check in self.checks)
        return not is_faulty and (self.is_of_form or any(check.is_decided_later for check in self.checks))

    def while_building(self, later: Collection[str] = ()) -> "Verdict":
        """The verdict for somebody who is still working on the answer.

        It says what is wrong with what they have placed, and whether something is missing, but not what or how much.
        The checks and figures in `later` are left out, and so is what follows from them: the score, whether the answer
        passed, and the warnings.
        """
        checks = tuple(check.while_building(later) for check in self.checks)
        figures = tuple(f for f in self.figures if not f.is_of_key and f.name not in later)
        if checks == self.checks and figures == self.figures:
            return self
        problems = [problem for check in self.checks for problem in check.problems]
        withheld = any(problem.is_omission and not problem.is_evident for problem in problems)
        is_open = any(check.is_decided_later for check in checks)
        update: dict[str, Any] = {"checks": checks, "figures": figures}
        update["is_partial"] = withheld or is_open or len(figures) < len(self.figures)
        return self.model_copy(update=update | ({"score": 0.0, "passed": False, "warnings": ()} if is_open else {}))

    def disagrees_with(self, other: "Verdict", tolerance: float = SCORE_TOLERANCE) -> bool:
        """Whether the two differ in `passed`, or in the score by more than the tolerance."""
        return self.passed != other.passed or abs(self.score - other.score) > tolerance

    def _repr_html_(self) -> str:
        return html_figure(headline_of(self), body_of(self))
