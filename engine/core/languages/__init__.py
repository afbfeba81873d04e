"""The program's own words in the language of the person who reads them.

catalogues     reads and writes the files that hold the translations into one language
sayings        `said`: what is made in English, shown in the language that is spoken
translation    `tr`, and the language that is spoken
"""
