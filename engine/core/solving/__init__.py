"""What concerns a person who solves by hand: what helps, what is told meanwhile, and what is handed in.

aids          what helps a person, and the record of its use
handing_in    how an answer is changed when a person hands it in
live          what the verdict tells somebody who is still building: the rule of each task
"""
