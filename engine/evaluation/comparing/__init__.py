"""Two sets of attempts at the same instances, compared in pairs (docs/comparing.md).

comparison    the differences of two runs: overall, by system, bucket and task, with tests corrected for their number
flips         the subtasks that one run passed and the other did not
paired        pairs of scores, their differences with intervals and tests
repeats       pass@k, all-of-k, and how far repeats and subtasks vary
tables        all of it as tables
"""
