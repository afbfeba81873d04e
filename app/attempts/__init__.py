"""A stored attempt: described in words, drawn, and compared with another answer.

columns            the columns of the runs browser
compared           compares two answers to one instance: drawings, figures, checks and texts
dossier            everything a project stores about one attempt, and its wording
drawings           reads answers and makes their scenes, in the background process
explanations       why two verdicts on an answer differ, in the background process
exporting          which attempts are exported, and to which file
latest             newest wins: of what is requested meanwhile, only the last is done
long_text          a long text to read
machine_drawing    draws a small picture of a machine, in a background process
machine_pictures   small pictures of machines, one after the other
replays            what *Replay* shows of an attempt
stage              where an attempt is drawn
steps              the annotated steps of a puzzle beside what an attempt wrote
text_list          lists of texts in columns: requests, history
transcript_page    a transcript to read: steps that fold, their parts, a search
words              how tables of attempts word times and help
"""
