"""The laboratory of verifiers: finds answers that two verifiers judge differently, and makes them understood.

findings    an answer that two verifiers judge differently, and the shape of the difference
verifiers   the verifiers of a task as the laboratory asks them: ours, the cross-check, and other people's
"""

from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding, divergence
from spatial_workbench.engine.evaluation.laboratory.verifiers import AnyVerifier, Ruled, Trouble, verifiers_of

__all__ = ["AnyVerifier", "Divergence", "Finding", "Ruled", "Trouble", "divergence", "verifiers_of"]
