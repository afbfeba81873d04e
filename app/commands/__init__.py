"""The command line.

acting         agents of other programs act, through the Model Context Protocol
answers        commands about tasks and answers: list, show, solve, judge, convert
attempts       commands about stored attempts: list, judge again, export, import
batches        commands about batches: start, resume, watch and list them
datasets       data sets of generated instances, for training and for other programs
laboratory     commands about verifiers: the search for disagreements, and regression cases
leading        commands of a study's leader: from the draft to open outcomes
levels         lists levels of people's own, and adds them from files
main           reads the words that were typed, and runs one command
measuring      the benchmark
models         commands about models: which are set up, and labelling failed attempts with one
parsing        the parser: it suggests what may have been meant, and shells complete words by it
pictures       commands that draw instances, and those that make the project's own pictures
plumbing       the common parts of all commands: output, errors and input
publishing     a site of a project's results
puzzles        commands about sets of puzzles: check, import, export, statistics, review, flags and judged steps
report         the results of a project: as tables on the command line and in files, and as a report
serving        lets people take part in a study in their browsers
serving_address  what commands that serve have in common
reviewing      commands about the review of single puzzles: queues, reviewers, decisions, comments
searching      the search for better machines of a level
self_test      reports after the set-up what works on this machine
studies        commands about studies: documents, taking part, recruiters, results and loads (a package)
summaries      summaries of the tasks for the command line, cached so that listing need not load numpy and every task
terminal       text from strangers on a terminal: control characters are shown escaped
window         opens the window as somebody
workbench      shows the whole workbench to one trusted person in a browser
"""
