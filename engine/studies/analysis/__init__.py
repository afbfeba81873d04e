"""What came of a study: who and what counts, and the figures that follow.

checklist     the checklist of points that a human baseline should report
figures       the figures of a study: what `statistics` computes, on which people and items
outcomes      all that a project knows of a study, as its report, its exports and Results read it
progress      how far a study is: places, sessions, times and flags
rules         which trials and sessions are flagged or excluded, by what was fixed beforehand
statistics    means over people and items, with intervals that say how few people there were
"""
