"""Calibration: for each tolerance of the rules, where a verifier really switches.

calibration   asks verifiers about answers between one that passes and one that fails, and finds where each switches
summaries     what was found, as a table and a chart
tolerances    the tolerances that can be calibrated, each with an answer and the numbers in it that are moved
"""

from spatial_workbench.engine.evaluation.laboratory.calibrating.calibration import Calibrated, VerifierSwitch, calibrate
from spatial_workbench.engine.evaluation.laboratory.calibrating.tolerances import (
    GaugedTolerance,
    NotGauged,
    gauged_tolerances,
    not_gauged,
)

__all__ = [
    "Calibrated",
    "GaugedTolerance",
    "NotGauged",
    "VerifierSwitch",
    "calibrate",
    "gauged_tolerances",
    "not_gauged",
]
