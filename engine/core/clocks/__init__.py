"""How time is measured while a person works on an item: in a workspace, and in a study.

system_clocks   reads the clocks of this machine
work_clock      what the time between two readings counts as: active, idle, away, covered, or a gap
"""
