"""Where one person works on one instance.

answers           what goes into the editor and out of it
attempts_panel    the list of attempts at the instance
clock             active, idle and away time of a person at an instance
command_dialog    runs a command of the task from a form
docks             the panels: their places and widths
gallery           the machines of the attempts at a level, as pictures
history           how a person built an answer, edit by edit
input_watch       notices input of every kind
judgement         the verdict, and submitting
keyboard          which widget has the keyboard
openings          opens subtasks
page              the workspace with its parts
replay            an agent's run, step by step
rules             the rules, the gestures and the keys, to be read
session           the person's draft, its live verdict, their clock and aids
solving_time      when the clock runs
stored_attempts   the attempts at the instance, and what can be done with one
submission_line   the last submission, under the verdict
tour              a first tour of an editor
"""
