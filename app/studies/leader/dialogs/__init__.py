"""Dialogs of the leader.

collecting    dialogs about bundles, and about session files that do not go together
deciding      dialogs that ask for a decision and its reason: exclusions, names to type, opening the outcomes
deleting      the dialog that deletes data, and the message after a withdrawal
drafts        dialogs about a plan: a new study, deleting a draft, its registration, an amendment
freezing      dialogs about freezing: what is fixed, the passphrase that will open the outcomes, and its recovery key
lists         a dialog that shows lines of text
needs         the dialog that works out how many people a study needs
serving       the dialog about collecting in browsers: how the study is served, and who is where
"""
