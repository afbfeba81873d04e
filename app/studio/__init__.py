"""Pictures without a window.

census        the controls of editors with their aid classes
drawing       the drawer of this program: a child process that draws scenes
pictures      draws scenes in this process
thumbnails    the pictures on the catalogue's cards
turning       scenes in space as pages that turn
"""
