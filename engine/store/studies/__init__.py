"""What a project keeps of studies. Each module is a part of `Project`, or is used by several parts.

documents       documents and versions of studies
keys            the keys that seal outcomes
places          places of studies, and their bundles
log             what happened to studies, and the answers to the checklist
sessions        the sessions of participants
merging         merges results of participants
exclusions      who is excluded, and why
outcomes        attempts made of submissions, and what reports read
withdrawals     deletes the data of participants for good
rows            how rows about studies are read
records         what the parts return
"""
