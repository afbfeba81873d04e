"""What the process of a batch is made of; `engine.evaluation.runner` has its loop.

asking      asks models in threads, and has what is computed computed
jobs        what the executor is doing for a batch
judging     has answers judged, and puts them aside while the batch is paused
storing     what is stored of a batch, by one thread alone
units       items that share an answer
watching    which state the user wants, and signs of life
"""
