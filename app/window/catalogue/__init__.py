"""The catalogue, from which subtasks are opened.

card          one task with its picture and progress
page          the cards of all tasks, with search and filters
subtask_menu  the subtasks of a task, each with its state
thumbnails    the pictures of the cards
welcome       the welcome for newcomers
"""
