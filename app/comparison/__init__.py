"""Compares two answers side by side.

details    the figures and texts of two answers, side by side with their differences marked
page       the page: drawings side by side or superimposed, figures, and texts
playing    one time line for several scenes
"""
