"""Dialogs of the leader.

collecting: a bundle, and session files that do not go together
deciding: a reason, an exclusion, a name to type, opening the outcomes
deleting: deleting data, and what is told after a withdrawal
drafts: a new study, deleting a draft, its registration, an amendment
freezing: what is fixed, the passphrase for the outcomes, and its recovery key
lists: lines of text
needs: how many people a study needs
"""
