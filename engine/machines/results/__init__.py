"""The fate of a machine in its level: the recording of a simulation, its score, and both in words.

feedback      what is reported after a simulation, in words
flight        what a ball did: how far and how high it flew, where it landed, which targets it hit
progress      how far things are along the middle of a corridor that bends
published     the published results of machine design, which stand beside ours and are never ranked with them
queries       questions about single blocks after a simulation, and their answers in words
scoring       what a simulated machine is worth in its level, by one of three rules
statistics    samples of machines: validity, means, deviation, best-of-N
trace         what a simulation recorded
"""
