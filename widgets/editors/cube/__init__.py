"""The editor of the cube's tasks.

advice          aids: hints, the distance to the solved cube, painting a real cube, and the translation drill
drill           the translation drill: turn the observed string into the string that solvers take, face by face
editor          the cube in 3D, the twelve turns as keys and buttons, the moves as text
gestures        a layer is turned by dragging one of its stickers
graphs          small step graphs of the rewards' measures along the moves
motion          the animation of a turning layer: a few frames between two states
moves           the moves of the answer, and what is done with them
observation     shows what an agent would see, for a person who plays under the same conditions
painting        a real cube is entered by painting its stickers on the net
sequence_bar    the row below the cube: the moves as text to read, type and paste
side            the panels beside the cube: its net, graphs of rewards, and counts
turning         layers that turn: by hand, and as the animation of a move
"""

from spatial_workbench.widgets.editors.cube.editor import CubeEditor

__all__ = ["CubeEditor"]
