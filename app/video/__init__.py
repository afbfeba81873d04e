"""Videos of what moves: simulations, moves, and answers as they were built.

between     a scene between two of its frames
choices     the choices for a video: format, size, pictures a second, speed, theme
dialog      the dialog that asks for them
films       what is recorded, and where it comes from: a view, an answer, the edits of a person
pictures    draws the pictures of a video, with time and figures in them
saving      writes a video to a file; this runs in a child process
videos      *Save as video…*: asks the page in front what it plays, and saves that in the background
writers     writes pictures as MP4, WebM or GIF
"""
