"""Verifiers of somebody else's: a function in a file, a command, or an entry point of a package.

asking      asks such a verifier: a file in the sandbox, a command in a process of its own, an entry point here
commands    runs commands: one answer in a process, or many answers with one process
functions   functions of the program that asks
judging     judges the stored attempts of a project by such a verifier
kept        which verifiers a user has, kept with their settings and never in a project
replies     what such a verifier gives, read strictly
"""

from spatial_workbench.engine.evaluation.laboratory.own.asking import AskedOwn, asked, asked_by_name
from spatial_workbench.engine.evaluation.laboratory.own.judging import OwnJudging, judge_attempts
from spatial_workbench.engine.evaluation.laboratory.own.kept import (
    OwnKind,
    OwnVerifier,
    OwnVerifierError,
    OwnVerifiers,
    plugged_in,
)
from spatial_workbench.engine.evaluation.laboratory.own.replies import ReplyFault, read_reply

__all__ = [
    "AskedOwn",
    "OwnJudging",
    "OwnKind",
    "OwnVerifier",
    "OwnVerifierError",
    "OwnVerifiers",
    "ReplyFault",
    "asked",
    "asked_by_name",
    "judge_attempts",
    "plugged_in",
    "read_reply",
]
