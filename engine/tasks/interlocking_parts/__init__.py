"""Interlocking parts: a cage in ten printable parts, held together by four threaded rods (SCBench, constructive, q29).

Rules     the parts print without supports, keep the bars' thickness and gaps, leave the inside free, touch but do not
          intersect, let the rods pass, and each hangs on two of them at least (docs/tasks/interlocking_parts.md)
Answer    parts, each with the contents of its file (STL, OpenSCAD, or Python that prints either) and its transform
Score     one answer, nine criteria, one an instance: 1 if the criterion is met, else 0; all 0 if criterion 0 is not.
          A generated instance without a criterion scores their mean

Programs in answers run only in the sandbox, and only if the user asked for it (spatial_workbench.engine.core.consent).
"""

from spatial_workbench.engine.tasks.interlocking_parts.answer import Form, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.task import InterlockingParts

__all__ = ["Cage", "Form", "InterlockingParts", "Part", "Parts"]
