"""Sets of puzzles on disk: their folders, pages, and how puzzles come in and go out.

folders        one folder a puzzle, read without ever leaving the set
importing      brings puzzles into a set: from a folder, a zip file, or PDF pages, each puzzle whole or not at all
known_sets     the sets that a person has added, by name
originals      the six original puzzles, drawn by code from data
pages          pictures of puzzles, opened with limits, and made small enough for models
pdf_drawing    draws the pages of PDF files, in a process of its own
side_files     what was typed but not saved, kept beside the sets
storing        saves puzzles: all files of a puzzle change together, or none does
tuning         sets for fine-tuning: split, licences, and what was left out
tuning_rows    rows of sets for fine-tuning in the layouts that LLaMA-Factory and TRL load
"""
