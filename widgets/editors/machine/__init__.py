"""The editor of the machine tasks: blocks are placed on faces, and the machine is simulated and played.

block_icons     small drawings of blocks for the palette, seen as the machine is seen at first
commands        what buttons and keys do to the selected blocks
controls        the controls in the panel, by section
editor          a palette of blocks, faces to build on, and the simulation to play
figures         the figures of a machine that the panel shows: size, mass, joins, and faults of its text
free_play       free play: keys drive the machine in a continuous simulation that is not scored
gestures        building on faces, stretching linear blocks, moving blocks to other faces
palette         the palette of blocks: which one is built with, and which were used lately
playback        simulations of the machine that is built: running them, playing them, and driving the machine by keys
plots           the plots below the view: the curves of the simulation that plays, over those of earlier ones
replay          what the editor shows while a simulation plays: the current figures, and a camera that follows
ruler           the ruler: the distance between two places of the machine or the ground
text_pane       the machine as text, beside the view
text_view       the text itself: typed changes are built at once, and faults are marked at their lines
walk_through    the walk-through: a bar above the view that names the next block, until an example is built
workbench       what the editor and its gestures share: the machine, and the changes to it
"""

from spatial_workbench.widgets.editors.machine.editor import MachineEditor

__all__ = ["MachineEditor"]
