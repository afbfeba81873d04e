"""The program's own words in the language of the person who reads them.

catalogues     reads and writes the files that hold the translations into one language
translation    `tr`, and the language that is spoken
"""
