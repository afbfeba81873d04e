"""An answer that two verifiers judge differently, and the shape of the difference.

Two findings have the same shape if the same verifiers part on the same check in the same direction: they are most
likely one disagreement, found twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from spatial_workbench.engine.core import Verdict
from spatial_workbench.engine.core.verdict import SCORE_TOLERANCE
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble
from spatial_workbench.engine.store.facts import differing_check


@dataclass(frozen=True)
class Divergence:
    """How two verifiers part.

    Attributes:
        first, second: Their names.
        by_check: The first check that ended differently, "score", or the kind of trouble of the one that gave none.
        direction: What each says, such as "passed, failed", "failed, exception", or "lower, higher" of two scores.
    """

    first: str
    second: str
    by_check: str
    direction: str

    @property
    def shape(self) -> str:
        """A key that is equal for differences that are most likely one."""
        return "|".join((self.first, self.second, self.by_check, self.direction))


@dataclass(frozen=True)
class Finding:
    """An answer that two verifiers judge differently.

    Attributes:
        address: Address of the instance.
        answer: Text of the answer.
        source: How the laboratory came to it, such as "mutation of the reference".
        divergence: How the two part.
        first, second: What each said.
    """

    address: str
    answer: str
    source: str
    divergence: Divergence
    first: Ruled
    second: Ruled


def divergence(first: tuple[AnyVerifier, Ruled], second: tuple[AnyVerifier, Ruled]) -> Divergence | None:
    """How two verifiers part on one answer; None if they agree."""
    (verifier, ours), (other, theirs) = first, second
    if isinstance(ours, Trouble) or isinstance(theirs, Trouble):
        return _of_trouble(verifier, ours, other, theirs)
    if not ours.disagrees_with(theirs, _tolerance(verifier, other)):
        return None
    by_check = differing_check(ours, theirs)
    return Divergence(verifier.name, other.name, by_check, _direction(ours, theirs))


def _of_trouble(verifier: AnyVerifier, ours: Ruled, other: AnyVerifier, theirs: Ruled) -> Divergence | None:
    kinds = [ruled.kind if isinstance(ruled, Trouble) else _word(ruled) for ruled in (ours, theirs)]
    if kinds[0] == kinds[1]:
        return None
    trouble = ours if isinstance(ours, Trouble) else theirs
    return Divergence(verifier.name, other.name, trouble.kind if isinstance(trouble, Trouble) else "", ", ".join(kinds))


def _tolerance(verifier: AnyVerifier, other: AnyVerifier) -> float:
    """The wider of the tolerances of two verifiers of the same rules; the usual one where rules differ."""
    tolerances = [each.tolerance for each in (verifier, other) if each.tolerance is not None]
    return max(tolerances, default=SCORE_TOLERANCE)


def _direction(ours: Verdict, theirs: Verdict) -> str:
    """What two verdicts say; where their words are the same, who of them gives more."""
    words = _word(ours), _word(theirs)
    if words[0] != words[1]:
        return ", ".join(words)
    return "higher, lower" if ours.score > theirs.score else "lower, higher"


def _word(verdict: Verdict) -> str:
    """What a verdict says, in a word: "passed", "failed", or "partly"."""
    if verdict.passed:
        return "passed"
    return "failed" if verdict.score == 0 else "partly"
