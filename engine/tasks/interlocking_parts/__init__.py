"""Interlocking parts: a cage in ten printable parts, held together by four threaded rods (SCBench, constructive, q29).

Rules     the parts print without supports, keep the bars' thickness and gaps, leave the inside free, touch but do not
          intersect, let the rods pass, and each hangs on two of them at least (docs/tasks/interlocking_parts.md)
Answer    parts, each with the contents of its file (STL, OpenSCAD, or Python that prints either) and its transform
Score     one answer, nine criteria, one an instance: 1 if the criterion is met, else 0; all 0 if criterion 0 is not.
          A generated instance without a criterion scores their mean

Programs in answers run only in the sandbox, and only if the user asked for it (spatial_workbench.engine.core.consent).

    answer                parts, each with its solid in one of four forms and its place in the assembly
    assembly              criteria 3 to 6: how much of the parts is inside, outside, in each other and on the rods
    cage                  the required cage: its dimensions, and what follows from them
    commands              what can be done to the parts by editors, agents and other programs
    crosscheck            the nine criteria again by other methods
    dexels                solids as intervals of material along lines in three directions
    drawing               the parts in their places, the outer limit, the rods, and the verdict's marks
    editing               edits of a part: bars, boxes, holes for rods, rotation and position
    generator             new cages with other sizes, gaps and bars; only those that the reference construction solves
    kernels               rays and winding numbers by plain loops, compiled
    layers                a part layer by layer, as a printer sees it, and its outline: for the cross-check
    making                from a part's contents to its solid
    printing              criteria 1 and 2: does a part print by itself, and are its gaps right?
    prompt                what a solver is told
    published_verifier    the published verifier with its faults
    rays                  criteria 7 and 8: the thickness of bars and the width of gaps, measured by rays
    recent_results        a small cache of results, emptied before the interpreter exits
    report                the rest of a verdict besides its rows: figures, warnings, and details for the view
    rules                 the nine criteria, in their order
    solid                 the solid of a part: its mesh, whether that bounds one body, and what is measured on it
    solver                the reference solution: plates, and side panels that hang on two rods each
    study                 an answer with everything computed about it: its solids, their places, measurements
    task                  the task: instances, prompt, verdicts and drawing
    windows               the census of windows, the holes in the outer faces; unscored
"""

from spatial_workbench.engine.tasks.interlocking_parts.answer import Form, Part, Parts
from spatial_workbench.engine.tasks.interlocking_parts.cage import Cage
from spatial_workbench.engine.tasks.interlocking_parts.task import InterlockingParts

__all__ = ["Cage", "Form", "InterlockingParts", "Part", "Parts"]
