"""Commands about studies, apart from leading one that is kept in a project.

documents    commands about studies: check a document, list its slots, plan how many people it needs
recruiting   commands about people whom a recruiter sends: reports of the recruiter, and payments
results      commands about the results of a study: its report, and its data as files
taking_part  commands about taking part in a study: the participant's window, and rehearsals with simulated people
trying_load  tries with simulated people how many take part at once on this machine
"""
