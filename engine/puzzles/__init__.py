"""Puzzles: data sets of puzzle hunts with annotated reasoning steps, their checks, review, statistics and exports.

    annotation    words, aids, sketches and checks of annotations, and their review
    answer_texts  what stands around a final answer: tags, boxes, formulas, quotes and explanations
    answers       finds final answers in what a solver wrote, and compares them
    judging       which annotated steps a candidate met, decided by a model, the last one by rule as well
    passages      which passage of a candidate's text is closest to an annotated step, to show them side by side
    prompting     what a model is told about a puzzle
    published     published figures of the PuzzleWorld data set, for comparison
    puzzle        puzzles and their annotations, and the text of metadata.json
    sets          sets on disk: their folders and pages, and how puzzles come in and go out
    solving       a solver's text in its parts: numbered steps, and the final answer in the last line
    statistics    statistics of a data set, of its review and of judgements
    stepwise      how far along the annotated steps a candidate got

The rules in full: docs/puzzles.md.
"""
