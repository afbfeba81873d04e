"""Commands of the laboratory of verifiers.

cases         regression cases: run, made, made small, and written as tests
disagreeing   the search for answers that verifiers judge differently
own           verifiers of other people: listed, added, removed, and run over a project
"""
