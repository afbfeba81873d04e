"""The laboratory of verifiers: finds answers that two verifiers judge differently, and makes them understood.

agreement   how far the verifiers of a project agree: matrix, kappa, rates by task
agreement_tables  the same as tables, with the attempts on which verifiers differ
answer_parts  the parts of an answer as plain data, and how large an answer is
calibrating  where a verifier really switches, for each tolerance of the rules
cases       regression cases: an answer, and what each verifier is expected to say
explaining  why two verdicts on one answer differ: what decides, and their figures beside each other
findings    an answer that two verifiers judge differently, and the shape of the difference
known       the differences between a task's verifiers that are known, each with an id
measuring   how many of the known differences the search finds from nothing
own         verifiers of somebody else's: a function in a file, a command, or an entry point of a package
reasons     why a check ended as it did: the rule in words, what was said, and the code that judged
searching   the search for answers that verifiers judge differently
shrinking   makes an answer small, and keeps the difference
simpler     simpler answers than a given one, beyond removing neighbouring entries of a list
sizes       how small the stored answers to the known differences become
versions    another version: what today's verifiers change in stored verdicts, before anything is stored
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
