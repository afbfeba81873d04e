"""Sets of puzzles on disk: their folders, pages, and how puzzles come in and go out.

export_folder   a folder that takes its place when it is whole
folders         one folder a puzzle, read without ever leaving the set
found_files     files of folders and zip files alike, and what is left out with its reason
import_plan     what an import will do: duplicates, and the folder that each puzzle becomes
import_survey   what files and folders hold that can be imported
importing       carries out imports that are decided, each puzzle whole or not at all
known_sets      the sets that a person has added, by name
originals       the six original puzzles, drawn by code from data
other_pictures  pages of pictures in other formats than PNG, TIFF files with several among them
pages           pictures of puzzles, opened with limits, and made small enough for models
pairing         pictures that belong together, and puzzles paired with their solutions
pdf_drawing     draws the pages of PDF files, in a process of its own
side_files      what was typed but not saved, kept beside the sets
storing         saves puzzles: all files of a puzzle change together, or none does
titles          titles of puzzles, told apart where several have the same
tuning          sets for fine-tuning: split, licences, and what was left out
tuning_rows     rows of sets for fine-tuning in the layouts that LLaMA-Factory and TRL load
"""
