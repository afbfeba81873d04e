"""Panels around the views: the prompt, the answer as text, the verdict, and the parts that show figures.

answer_panel     the answer as text: it follows the editor, and typed changes are applied to the editor
lamps            lines that each show whether a condition is met
meter            a figure and what it means, with an icon and a word
problem_lines    what is wrong with a field, below it: an icon and a sentence for each problem
prompt_panel     what a solver is told: the prompt's text and pictures
verdict_panel    score, checks in order, figures, warnings
"""
