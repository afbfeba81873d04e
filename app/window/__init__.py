"""The main window: its menus, its tabs, and what belongs to no page.

abilities        what this computer can do: sandbox, OpenSCAD, physics, cube solver
answer_pages     opens pages about answers: comparisons, replays, machines
application      starts the window
catalogue        the first page: all tasks with their instances
chosen_person    who solves, and whether they explore
dialogs          settings, a new instance, about
edit_entries     what the *Edit* menu does in the editor in front
evaluations      the *Evaluate* menu
front_clock      the clock of the workspace in front
help_entries     the documentation, and what the application is
judging          has models judge why attempts failed, and which steps of puzzles they met
keys_page        the keys of all actions, in the settings
log_view         the log
main_window      the window with its parts
menu_bar         the menus, filled from the registered actions
messages         what the window says
palette          the command palette
palette_commands what the palette offers
preferences      appearance, settings and layout
projects         the projects of the *File* menu
puzzle_pages     the *Puzzles* menu
reopening        the tabs of a project, opened again with it
run_pages        the *Runs* menu
searches         starts and opens searches for machines
status_bar       status, running job and clock
study_pages      opens the studies of the *Runs* menu
tabs             the tabs with their corner
task_entries     what menus do with the workspace in front
"""
