"""How far verifiers can be trusted: where they switch, how far they agree, and what another version changes.

agreement     the page of agreement: how far verifiers agree, over chosen attempts
area          a section of tables and charts under its head: progress, cancel, saving a report
calibration   the page of calibrations: where verifiers switch at the tolerances of the rules
changes       the page of another version: what it changes in the verdicts of a project, before it is stored
work          functions of background processes
"""
