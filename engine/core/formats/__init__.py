"""Formats of data and texts: JSON as people read it, patches, pictures, and the lines of prompts.

jsonlayout     JSON for people: a list of records has one record per line
jsontext       finds the character of a JSON text at which a path in the data begins
notebook       HTML for notebooks: figures, verdicts, tables
patch          the difference between two states of plain data, small enough to store at every edit
png            PNG files without any toolkit: pictures in prompts and reports
sound          texts and numbers of endpoints and files, repaired so that they can be stored
typesetting    which lines of a prompt are prose, headings, or figures that are not broken
"""
