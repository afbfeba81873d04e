"""What the three tasks about labelled squares share: the square itself, lists of squares in prompts, and pictures."""
