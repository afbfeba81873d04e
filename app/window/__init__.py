"""The main window: its tabs, its menus, and what belongs to no page.

abilities         what this computer can do: sandbox, OpenSCAD, physics, cube solver
application       starts the window
catalogue         the first page: all tasks with their subtasks
chosen_person     who solves, and whether they explore
dialogs           settings, a new instance, about
front_clock       the clock of the workspace in front
keys_page         the keys of all actions, in the settings
log_view          the log
main_window       the window with its parts
menus             what the menus do
messages          what the window says
palette           the command palette
palette_commands  what the palette offers
preferences       appearance, settings and layout
reopening         the tabs of a project, opened again with it
served            where a browser shows the window
status_bar        status, running job and clock
tabs              the tabs with their corner
"""
