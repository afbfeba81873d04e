"""What the leader's pages read and change in the background; functions of processes, free of Qt.

bundling      bundles that are written for machines
collecting    results, decisions on conflicts, reserves, needs, notes
deciding      exclusions, the end of collection, open outcomes
deleting      a person withdraws; data that is no longer needed
drafting      drafts: made, read from a file, deleted, restored
freezing      freezing, the recovery sheet, amendments, the registration
planning      plans: checked, tried out, with the people that they need and the models to compare with
reading       what the pages show of the studies of a project
serving       what is asked of a study's server, and what it says of itself
reporting     the report, and the points of the checklist
"""
