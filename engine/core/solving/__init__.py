"""Solving by hand: the aids that a person uses, the verdict while an answer is built, and handing it in.

aids          what helps a person, and the record of its use
handing_in    how an answer is changed when a person hands it in
live          what the verdict shows while somebody builds an answer: the rule of each task
"""
