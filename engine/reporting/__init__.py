"""Reports on studies, which compare people with models, and the files that a study's data is published as.

    contrasts         the models that a study compares people with, from the attempts of a project
    study_report      the report on a study as sections of tables and charts, and as a page of HTML
    short_report      its short form, for an appendix
    study_figures     its sections about outcomes: scores, best of k, items, practice, confidence, robustness
    study_sharing     the people who share their answers, and when their figures would tell those of the others
    study_times       its section about times to a solution, and its curves
    study_comparison  its section that compares people with models, and conditions with each other
    study_cells       the cells of its tables
    study_sentences   the paragraphs above its tables
    study_tables      a study's data as tables, in CSV or Parquet
    figures_script    the script that prints the report's figures from a study's data, and its settings
    site              a static site of a project's results
    psych_ds          a study's data as a Psych-DS folder, and the check of such a folder

The tables and charts about batches are made in `spatial_workbench.engine.evaluation.results`.
"""
