"""People whom a recruiter sends: who they are, which place they get, and how they go back.

arrivals            who somebody is, as the recruiter's link says and proves
identities          the file of identities, which only the passphrase for the outcomes opens
places              which place each person has
recruiters_file     what the leader says of the recruiter: codes, links back, keys, whom to ask
"""
