"""The laboratory of verifiers: finds answers that two verifiers judge differently, and makes them understood.

findings    an answer that two verifiers judge differently, and the shape of the difference
known       the differences between a task's verifiers that are known, each with an id
verifiers   the verifiers of a task as the laboratory asks them: ours, the cross-check, and other people's
"""

from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding, divergence
from spatial_workbench.engine.evaluation.laboratory.known import KnownDifference, known_differences, recognised
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble, verifiers_of

__all__ = [
    "AnyVerifier",
    "Divergence",
    "Finding",
    "KnownDifference",
    "Ruled",
    "Trouble",
    "divergence",
    "known_differences",
    "recognised",
    "verifiers_of",
]
