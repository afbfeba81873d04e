"""What came of a study: who and what counts, and the figures that follow.

bonuses       the bonus of each person, by the rule of the plan
checklist     the checklist of points that a human baseline should report
conflicts     states of a session of which none continues the other, in words
counting      which trials count, and as what
differences   people beside a model, and conditions beside each other
figures       the figures of a study: what `intervals` and `statistics` compute, on which people and items
intervals     means over people and items, and the one rule by which they get their intervals
outcomes      all that a project knows of a study, as its report, its exports and Results read it
progress      how far a study is: places, sessions, times and flags
rules         which trials and sessions are flagged or excluded, by what was fixed beforehand
statistics    times, best of k, variance of people and items, practice, confidence
"""
