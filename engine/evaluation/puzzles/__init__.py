"""What models judge of puzzles in a project, and the reviews by people.

flagging    a model reads each annotation that was sent to review, and doubts its steps
judging     which annotated steps attempts at puzzles met; each judgement is stored when it is complete
reviews     records reviews, carries them to another machine, and sums them up
"""
