"""Commands of the laboratory of verifiers.

cases         regression cases: run, made, made small, and written as tests
choosing      which tasks and verifiers are meant by the words of a command
disagreeing   the search for answers that verifiers judge differently
own           verifiers of other people: listed, added, removed, and run over a project
trusting      how far verifiers can be trusted: calibration, and agreement
"""
