"""The pages about stored attempts: the runs browser, and the disagreements between verifiers.

buttons              what can be done with the selected attempts
detail               one attempt
differences          the page of disagreements between verifiers: what differs, and why
failure              why an attempt failed, according to models that judged it
filtering            the filters of the runs browser
findings             what the search for disagreements found
heads                draws the heads of groups
kept_layouts         the sizes of the parts of a page, kept in the settings
lines                what each line shows: an attempt, or the head of a group
model                any number of attempts as a table that reads only the rows in view
overrides            the dialog that overrides a score
own                  verifiers of one's own: listed, added, removed, and run over the project
page                 the runs browser
remarking            notes and labels of one's own
row_actions          reads what opening, replaying and comparing need
sets_menu            sets attempts aside, to be compared with others
steps                the annotated steps of puzzles beside a solver's text
table                the table of the runs browser, with its order and selection
transcript_loading   reads the transcript of the attempt that is shown, once somebody looks at it
trust                how far verifiers can be trusted: calibration, agreement, what another version changes
usage                what an attempt has cost: time, tokens, money, and every request
verifying            judges attempts again
verifying_panel      how far that is, and what changed
"""
