"""Studies of human baselines in windows.

leader         the leader's pages: plans, progress, quality and outcomes of studies
participant    the participant's window: one study, one person, nothing else
prompt_room    how much room the prompt of an item gets, and which prompts do not fit a small screen
"""
