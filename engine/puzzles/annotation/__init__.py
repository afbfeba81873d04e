"""Annotation of puzzles: words, aids, sketches and checks, and the review of what was annotated.

adjudicating   a third annotation, made from two independent ones
annotating     saves an annotation: figures follow the steps that were moved or deleted
decoding       aids for annotators: letters and numbers, shifts, indexing, braille, semaphore, Morse, anagrams
decisions      what a reviewer decides, and the annotation as they want it
differences    where two reviewers' texts differ, word by word
double         two independent annotations: steps aligned, agreement computed
flagging       a model looks for steps that are unclear or do not follow
layers         sketches over a page, stored as JSON and rendered into figures
lesson         ten minutes with one puzzle, for people who begin to annotate
queues         what waits for a person, what nobody has, what is disputed
review         states, flags, two independent reviewers, decisions
settling       a choice for each difference, and the annotation that follows
validation     checks of a puzzle and its annotation, each with a code
vocabulary     the words that annotations are made of: actions of steps, modalities, skills, difficulties
"""
