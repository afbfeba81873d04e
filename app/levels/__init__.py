"""Levels of people's own: made, opened and changed in the window, with a drawing that follows every change.

choosing   *Levels…*: the levels that there are, to change one, to build on it, or to begin a new one
edited     a level that is open: as it is shown, as it is stored, and the history between the two
fields     the fields of what is chosen, with what is wrong at each
moving     selects, drags and turns things in the drawing, by pointer and keys
outline    what a level consists of, as a tree with marks where something is wrong
page       the page: outline, drawing, the fields of what is chosen, and what is wrong
parts      the fields of each part of a level
work       reads and stores files of levels, in a background process
"""
