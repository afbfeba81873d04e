"""Notes and labels of one's own on attempts, in the runs browser.

remark_dialog        asks for a label or a note on the selected attempts
remarks              what is stored and undone
remarks_page         the notes and labels of one attempt
"""
