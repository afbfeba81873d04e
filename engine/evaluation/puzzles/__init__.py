"""Models that judge steps and annotations of puzzles in a project, and reviews by people.

flagging    a model reads each annotation that was sent to review, and doubts its steps
judging     which annotated steps attempts at puzzles met; each judgement is stored when it is complete
reviews     records reviews, exports and merges them, and applies their results
"""
