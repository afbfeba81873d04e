"""What the three tasks about labelled squares share: the square itself, lists of squares in prompts, and pictures.

corner_lists    lists of labelled squares in one reading order
drawing         drawings of labelled squares
square          squares with labels at their corners: which sides an interface cuts, and what that implies
"""
