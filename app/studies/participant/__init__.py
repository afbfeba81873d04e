"""The participant's window: one study, one person, nothing else.

application        starts the window in a process of its own
asking             what covers the page in the window: gaps, pauses, questions to the person, the leader's page
autostart          opens the window again when the computer starts, until the leader has left it
clipboard_guard    keeps what is copied inside the window, and what was copied elsewhere outside of it
covers             the covers themselves
display            how the window looks to a person: the size of text, contrast and motion
entrance           how a session begins: the items are checked in the background, and a typed code opens its session
focused_field      the text field that has the focus, told to a page in a browser, whose own field types into it
kiosk              covers all screens, reports input, and prevents drops
language           which language the window speaks
pages              the pages of the window, and what they are made of (a package)
results_file       where the results of a session were written
seen_texts         texts that a person has seen, and can save or print where a browser shows the window
served_window      the window on a screen that a browser shows
surroundings       what happens around a session, and is logged: input, the pointer, other windows and screens
texts              texts of studies: Markdown without HTML, links or pictures
verdicts           verdicts that a running session needs: for feedback, practice and attention items
window             the window itself: shows the pages of a session, and lets nobody do anything else
window_form        an ordinary window, one that covers the screen, or one that a browser shows
"""
