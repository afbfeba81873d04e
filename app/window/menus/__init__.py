"""What the menus of the window do, and the menu bar itself.

answer_pages  opens pages about answers: comparisons, replays, machines
edit_entries  what the *Edit* menu does in the editor in front
evaluations   the *Evaluate* menu
help_entries  the documentation, and what the application is
judging       has models judge why attempts failed, and which steps of puzzles they met
laboratory    the search for disagreements of the *Runs* menu, and its page
levels        the levels of people's own in the *File* menu
menu_bar      the menus, filled from the registered actions
projects      the projects of the *File* menu
puzzle_pages  the *Puzzles* menu
run_pages     the *Runs* menu
searches      starts and opens searches for machines
study_pages   opens the studies of the *Runs* menu
task_entries  what menus do with the workspace in front
verifiers     how far verifiers can be trusted: calibration, agreement, another version
"""
