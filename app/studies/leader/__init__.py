"""The leader's pages: plans, progress, quality and outcomes of studies.

page             the page: the list of studies, and tabs about the chosen one
study_list       the list of studies
head             the name and the state of the chosen study, and what went wrong
study_tabs       the tabs, of which the one in front is updated
chosen_study     the study that is chosen, with what is done on it in the background
plan             the form of the plan, and its tab
freezing         what is asked before a study is frozen, and its recovery key
collecting       bundles, results, conflicts, withdrawals and reserves
progress_view    who has begun, finished or stopped
quality_view     what the rules found, and exclusions
deciding         exclusions, closing, and opening the outcomes
outcomes_view    whether outcomes are open, and the report
report_view      the report, section by section
checklist_view   the points of the checklist
dialogs          what is asked, a module for each occasion
launching        starts the participant's window, or a study's server, as a process of its own
serving          collecting in browsers: the server of the chosen study is started and watched
work             what is read and changed in the background
"""
