"""Shared by all pages: the window as a host, its tabs, settings, themes and people.

actions        the action registry: each action is registered once, for menu, key, button and palette
added          what people added to tasks, such as puzzles of their own, as it was listed last
choosing       a tree for choosing tasks and instances, grouped by bucket
controls       small controls of the runs pages: popups, lists of choices, ranges, chips
drops          files that are dropped on the window, whichever page is in front
form_dialog    the usual dialog: a sentence on top, a form, a note or an error, and two buttons
host           what the window offers to the menus and pages that are added to it
loading        while an editor is loading: the placeholder in its tab, and the thread that loads libraries
memory         returns the memory of closed pages to the system
pages          the tabs of the window: pages are added, found by name, brought to the front and closed here
people         who is solving, or only exploring: drafts, clocks and attempts belong to the person who is chosen here
settings       settings kept between two starts
style          puts a theme on the whole application
undo           undo and redo for the page in front, and steps of histories
"""
