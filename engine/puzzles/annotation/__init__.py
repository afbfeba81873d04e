"""Annotation of puzzles: words, aids, sketches and checks, and the review of what was annotated.

annotating     saves an annotation: figures follow the steps that were moved or deleted
decoding       aids for annotators: letters and numbers, shifts, indexing, braille, semaphore, Morse, anagrams
differences    where two reviewers' texts differ, word by word, and the annotation that settles it
flagging       a model looks for steps that are unclear or do not follow
layers         sketches over a page, stored as JSON and rendered into figures
review         states, flags, two independent reviewers, decisions
validation     checks of a puzzle and its annotation, each with a code
vocabulary     the words that annotations are made of: actions of steps, modalities, skills, difficulties
"""
