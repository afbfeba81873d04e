"""Asks verifiers about answers between one that passes and one that fails, and finds where each of them switches.

What a verifier says counts as a kind: whether the answer passes, and which checks fail. Where both ends are of the same
kind and only their scores differ, a score belongs to the nearer end. The interval is searched at a few places first, so
that a verifier that switches more than once is told from one that switches once; then it is halved until no number lies
between its ends, or none that would show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum

from spatial_workbench.engine.core import Instance, Progress, State, resolve, silent
from spatial_workbench.engine.core.registry import task as task_of
from spatial_workbench.engine.evaluation.laboratory.calibrating.tolerances import GaugedTolerance, gauged_tolerances
from spatial_workbench.engine.evaluation.laboratory.own import OwnVerifier, asked
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble, verifiers_of

MOST_HALVINGS = 60
FINEST = 1e-3
"""An interval whose figures are nearer than this part of what counts as equal is not halved."""
PLACES = 9
"""At so many places between the ends, a verifier is asked before the interval is halved."""
SCORE_STEP = 0.01
"""Ends whose scores differ by less say the same."""


class Calibrated(StrEnum):
    """What a calibration found."""

    AS_THE_RULES = "as the rules"
    STRICTER = "stricter"
    LAXER = "laxer"
    NO_SWITCH = "no switch"
    SEVERAL = "several switches"
    TROUBLE = "no verdict"


@dataclass(frozen=True)
class VerifierSwitch:
    """Where a verifier switches at a tolerance.

    Attributes:
        tolerance: The tolerance.
        verifier, version: Who was asked.
        outcome: What was found.
        accepted, refused: The last figure of the passing side and the first of the failing one, in the tolerance's
            unit; None where nothing was found. Of several switches, the one that is nearest to the passing end.
        asked: How many answers were asked about.
        says: What else there is to say: the trouble, or what both ends have in common.
    """

    tolerance: GaugedTolerance
    verifier: str
    version: str
    outcome: Calibrated
    accepted: float | None = None
    refused: float | None = None
    asked: int = 0
    says: str = ""

    @property
    def task(self) -> str:
        """The id of the task."""
        return self.tolerance.task

    @property
    def switch(self) -> float | None:
        """Where it switches: the end of what it accepts."""
        return self.accepted

    @property
    def words(self) -> str:
        """What was found, in a sentence."""
        unit = with_unit(self.tolerance.unit)
        if self.accepted is None:
            return f"{self.outcome.value}: {self.says}"
        rules = f"rules: {self.tolerance.rule:.10g}{unit}"
        more = "; it switches more than once" if self.outcome is Calibrated.SEVERAL else ""
        return f"{self.tolerance.verb} {shown(self.accepted, self.tolerance.near)}{unit}; {rules}{more}"


def with_unit(unit: str) -> str:
    """A unit as it follows a figure."""
    return unit if unit in ("", "°") else f" {unit}"


def shown(figure: float, near: float) -> str:
    """A figure with four decimals if that is what it is, else with as many digits as mean something."""
    short = round(figure, 4)
    return f"{short:.4f}" if short and abs(figure - short) <= near else f"{round(figure, 13) + 0.0:.10g}"


def calibrate(
    tasks: Sequence[str], own: Sequence[OwnVerifier] = (), progress: Progress = silent
) -> list[VerifierSwitch]:
    """Where all verifiers of some tasks, and others of the user's own, switch at each tolerance that can be calibrated.

    Raises:
        OwnVerifierError: The file of one of the user's own cannot be read.
        Cancelled: Raised by `progress`, which is asked before each answer.
    """
    with ExitStack() as stack:
        others = {each.name: stack.enter_context(asked(each)).verifier for each in own}
        steps = [
            (tolerance, verifier)
            for task in tasks
            for tolerance in gauged_tolerances(task)
            for verifier in verifiers_of(task_of(task), [others[each.name] for each in own if each.task == task])
        ]
        return [
            _Bisection(tolerance, verifier, _watch(progress, done, len(steps), tolerance, verifier)).run()
            for done, (tolerance, verifier) in enumerate(steps)
        ]


def _watch(
    progress: Progress, done: int, total: int, tolerance: GaugedTolerance, verifier: AnyVerifier
) -> Callable[[], None]:
    return lambda: progress(done, total, f"{tolerance.task}, {tolerance.id}: {verifier.name}")


class _Bisection:
    """The search for the switch of one verifier at one tolerance."""

    def __init__(self, tolerance: GaugedTolerance, verifier: AnyVerifier, watch: Callable[[], None]) -> None:
        self._tolerance = tolerance
        self._verifier = verifier
        self._watch = watch
        self._instance: Instance = resolve(tolerance.address)[1]
        self._asked = 0

    def run(self) -> VerifierSwitch:
        ends = self._tolerance.passing, self._tolerance.failing
        said = [self._ask(amount) for amount in ends]
        trouble = next((each for each in said if isinstance(each, Trouble)), None)
        if trouble is not None:
            return self._found(Calibrated.TROUBLE, says=trouble.message)
        if not _differ(*said):
            figures = " and ".join(f"{self._tolerance.figure_at(amount):.6g}" for amount in ends)
            return self._found(Calibrated.NO_SWITCH, says=f"it says the same at {figures}")
        places = self._places()
        sides = [True, *(self._is_passing(amount, said) for amount in places[1:-1]), False]
        first = sides.index(False)
        is_single = not any(sides[first:])
        low, high = places[first - 1], places[first]
        accepted, refused = (self._tolerance.figure_at(amount) for amount in self._halved(low, high, said))
        outcome = self._compared(accepted, refused) if is_single else Calibrated.SEVERAL
        return self._found(outcome, accepted, refused)

    def _places(self) -> list[float]:
        start, end = self._tolerance.passing, self._tolerance.failing
        return [start + (end - start) * k / (PLACES - 1) for k in range(PLACES)]

    def _halved(self, low: float, high: float, said: Sequence[Ruled]) -> tuple[float, float]:
        figure, finest = self._tolerance.figure_at, FINEST * self._tolerance.near
        for _ in range(MOST_HALVINGS):
            middle = (low + high) / 2
            if middle in (low, high) or abs(figure(high) - figure(low)) <= finest:
                break
            low, high = (middle, high) if self._is_passing(middle, said) else (low, middle)
        return low, high

    def _is_passing(self, amount: float, said: Sequence[Ruled]) -> bool:
        """Whether what is said at an amount is of the kind of the passing end."""
        passing, failing = said
        now = self._ask(amount)
        if isinstance(now, Trouble) or isinstance(passing, Trouble) or isinstance(failing, Trouble):
            return False
        if _kind(passing) != _kind(failing):
            return _kind(now) == _kind(passing)
        return abs(now.score - passing.score) < abs(now.score - failing.score)

    def _compared(self, accepted: float, refused: float) -> Calibrated:
        """How the switch lies to the rule; more is accepted on the way from the passing to the failing end."""
        rule, near = self._tolerance.rule, self._tolerance.near
        low, high = sorted((accepted, refused))
        if low - near <= rule <= high + near:
            return Calibrated.AS_THE_RULES
        grows = self._tolerance.figure_at(self._tolerance.failing) > self._tolerance.figure_at(self._tolerance.passing)
        return Calibrated.LAXER if (accepted > rule) is grows else Calibrated.STRICTER

    def _ask(self, amount: float) -> Ruled:
        self._watch()
        self._asked += 1
        return self._verifier.ask(self._instance, self._tolerance.made(amount))

    def _found(
        self, outcome: Calibrated, accepted: float | None = None, refused: float | None = None, says: str = ""
    ) -> VerifierSwitch:
        name, version = self._verifier.name, self._verifier.version
        return VerifierSwitch(self._tolerance, name, version, outcome, accepted, refused, self._asked, says)


def _differ(first: Ruled, second: Ruled) -> bool:
    if isinstance(first, Trouble) or isinstance(second, Trouble):
        return False
    return _kind(first) != _kind(second) or abs(first.score - second.score) > SCORE_STEP


def _kind(ruled: Ruled) -> tuple[object, ...]:
    if isinstance(ruled, Trouble):
        return (ruled.kind,)
    return ruled.passed, frozenset(check.name for check in ruled.checks if check.state is State.FAILED)
