"""Models that judge steps and annotations of puzzles in a project, and reviews by people.

candidates  which attempts at puzzles a judge is asked about, and the questions about each of them
double    two people annotate a puzzle, each in a copy of their own, and a third makes one annotation of both
flagging    a model reads each annotation that was sent to review, and doubts its steps
folders_written  writes annotations of a log into the folders of a set
judging     which annotated steps attempts at puzzles met; each judgement is stored when it is complete
kept_judgings  judgings that have not ended: the project keeps them, so that they go on after a restart
reviews     records reviews, exports and merges them, and applies their results
"""
