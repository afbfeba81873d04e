"""The editor of hide_and_seek: a plan, what the cameras see, and the field in 3D.

aiming      where people go: what they snap to, blocks of them, and the spray
commands    what gestures, buttons and keys do to the crowd
controls    the controls in the panel, by section
crowd       the people who are placed: where they stand, who is missing, and where somebody may stand
drawing     what the editor draws on the plan beside the people: ghosts, and lines of sight
editor      the crowd on a plan, and beside it what the cameras see and the field in 3D
gestures    the gestures on the plan: placing a person, filling a block, spraying, moving the selection
ghost       people about to be placed or moved, and why they may not stand there
pictures    what the cameras see, shown beside the plan; the pictures are made in the background
"""

from spatial_workbench.widgets.editors.hide_and_seek.editor import HideAndSeekEditor

__all__ = ["HideAndSeekEditor"]
