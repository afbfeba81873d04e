"""Commands about leading a study that is kept in a project: from the draft to open outcomes.

actions      what these commands have in common: how they name the study and a code
asking       questions on the terminal before something that cannot be undone, and passphrases for the outcomes
bundling     `bundle`, `accommodate`: what a machine is given
checklist    `checklist`: list its points, answer or confirm some
collecting   `status`, `merge`, `settle`, `replace`: while results come in
deciding     `exclude`, `close`, `unseal`: what counts
deleting     `withdraw`, `purge`: data that is no longer kept
drafting     `new`, `document`, `delete`: a study as a draft
freezing     `freeze`, `recovery`, `register`: what fixes a study
records      `note`, `show`: the log, and all data of a code
"""
