"""The parts of the process of a batch; `engine.evaluation.runner` has its loop.

asking      asks models in threads, and has reference and random answers computed
jobs        the jobs that the executor runs for a batch
judging     has answers judged, and puts them aside while the batch is paused
spending    what a batch has spent, and whether a limit is reached
storing     stores the steps of a batch, in one thread alone
units       items that share an answer
watching    which state the user wants, and signs of life
"""
