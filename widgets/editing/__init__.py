"""The editor kit: controls as data, shared gestures, and the base class that connects them to a document.

abilities        what only some editors can do: an editor with its methods and signals has an ability
animation        an animation in place of the document
control_panel    builds an editor's panel from its list of controls, and keeps it up to date
controls         the controls of an editor as data: its panel, its keys, and the aid class of each control
document         the document behind an editor: an instance, the current answer, and its history
editor           the base class of every editor: a view and a panel of tools, connected to the document
focus            where keys and the wheel go: one set of rules for the panels of all editors
gestures         gestures shared by editors: dragging, clicking, painting over cells, placing and moving
nudging          keys that move things by steps
panel            the panel on the left of an editor: tools, options, and the properties of what is selected
runner           runs an editor's long work without blocking the window
panes            the views of an editor: marks and highlights in all of them
placing          the two tools of an editor that places things, in all of its views
selection        elements that are selected by number, and the menu of a right click on them
standing         where keys act in an editor, as plain data that can be stored
things           things that are placed one by one: how they are cut, copied, pasted, duplicated and selected
"""
