"""The pages about stored attempts: the runs browser, and the disagreements between verifiers.

buttons              what can be done with the selected attempts
check_pairs          the checks of two verdicts on one answer, beside each other
contrast             two verdicts on one answer, side by side, for a ruling
detail               one attempt
difference_filters   the filters of the page of disagreements
difference_tree      the differences by task, pair of verifiers and check
disagreements        the page of disagreements
failure              why an attempt failed, according to models that judged it
filter_chips         the active filters as chips, each of which can be removed
filter_words         active filters in words
filters              the filters of the runs browser
kept_layouts         the sizes of the parts of a page, kept in the settings
model                any number of attempts as a table that reads only the rows in view
more_filters         the filters that are needed less often, in a popup
overrides            the dialog that overrides a score
page                 the runs browser
row_actions          reads what opening, replaying and comparing need
ruling_bar           the line in which a person rules on a difference between two verifiers
sets_menu            sets attempts aside, to be compared with others
steps                the annotated steps of puzzles beside a solver's text
table                the table of the runs browser, with its order and selection
usage                what an attempt has cost: time, tokens, money, and every request
verifying            judges attempts again
verifying_panel      how far that is, and what changed
"""
