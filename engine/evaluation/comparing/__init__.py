"""Two sets of attempts at the same instances, compared in pairs, and all runs ranked (docs/comparing.md).

comparison            the differences of two runs: overall, by system, bucket and task, with corrected tests
flips                 the subtasks that one run passed and the other did not
front_charts          score against cost, tokens and time, with the Pareto fronts, as charts
judges                one judge a task: scores of different verifiers are never put into one ranking
kappa                 Cohen's kappa of two who say yes or no, with an interval by groups
leaderboard           all runs with their scores and ranks, and what their answers took
leaderboard_tables    the leaderboard as tables
paired                pairs of scores, their differences with intervals and tests
repeats               pass@k, all-of-k, and how far repeats and subtasks vary
runs                  the attempts of a model, a person or the people of a study, told apart by how they were asked
sets                  sets of attempts: a run, or what a filter or a list selects, and by which verifier they are judged
tables                all of a comparison as tables
text_and_hands        the same model, or people of one study, answering in text and with the editor's commands
"""
