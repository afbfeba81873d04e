"""Files of studies: what goes to the participants' machines, what comes back, and what is published.

archives        zip files whose parts are listed with their digests, under a keyed signature
bundles         what a machine needs to let people take part, in one file
canonical       JSON of which equal data give equal bytes, and so equal hashes, on every machine
lines           a study as JSON lines, which hold everything and can be merged again with equal rows
merging         what becomes of a session that comes from another machine
publishing      the public form of a study's data: only what people agreed to share, without dates and places
results_file    a session on its way from the participant's machine to the leader's project, in one file
sealed_parts    which parts of a session tell outcomes, and how a session travels without them
sealing         encryption to a study's public key, until its outcomes are opened
serving_state   what the server of a study says of itself to a page that leads the collection
"""
