"""The laboratory of verifiers: finds answers that two verifiers judge differently, and makes them understood.

findings    an answer that two verifiers judge differently, and the shape of the difference
judges      the verifiers of a task as the laboratory asks them: ours, the cross-check, and other people's
"""

from spatial_workbench.engine.evaluation.laboratory.findings import Divergence, Finding, divergence
from spatial_workbench.engine.evaluation.laboratory.judges import Judge, Ruled, Trouble, judges_of

__all__ = ["Divergence", "Finding", "Judge", "Ruled", "Trouble", "divergence", "judges_of"]
