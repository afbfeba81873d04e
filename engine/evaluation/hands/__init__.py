"""Hands for models: an answer is built step by step with the commands of a task, under the aids that people have.

conditions      which commands, aids and pictures a model has, and its limits
desk            episodes of other programs, and where their answers are stored
edits_as_calls  what a person did by gestures, told as calls
episode         an answer in the making: carries out calls, and counts them
looking         pictures of an answer, with the numbers of its elements
measuring       extents of elements and distances between them
playing         lets a model act until it submits or a limit is reached
programs        a model that acts by programs in the sandbox
records         everything that happened in an episode
tools           the tools of a condition, as models and other programs are told of them
ways            how a model calls: as its endpoint has it, or as JSON in its texts
wording         what a model is told: the first message, and the results of calls
"""
