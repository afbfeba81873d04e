"""The levels: what machines are built for, published and drawn from a seed.

catalogue         all published levels in their order, and which of a level's things stand in a machine's place
examples          the example machines, to begin from
level             what a level is made of, in the machine's frame
level_drafts      levels while they are made: new ones, and how things are moved, turned and copied
level_files       levels that people describe in files: what a file may say, and the level that it means
library           the levels that a person added, named by the hash of what they say
movement          M1 to M8, for cars
objects           D1 to D9, D6o, D7o and P1, P2: delivery, and pick
published_drafts  published levels as drafts, which levels of one's own begin with
random_levels     levels that are drawn from a seed, one kind for each task
references        a machine for every level that is worth something there, shipped with the workbench
scenery           builders of the obstacles that levels are made of
throwing          T1 to T13, for catapults
"""
