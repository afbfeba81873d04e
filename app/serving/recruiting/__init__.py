"""People whom a recruiter sends: who they are, which place they get, and how they go back.

arrivals            who somebody is, as the recruiter's link says and proves
companion           what the gate asks about recruited people
credits             calls the recruiter's server when somebody has ended
endings             how taking part has ended for somebody
entrance            the addresses that people come and leave by, and the one for the recruiter's reports
escort              goes with people from the page with their window to their way out
identities          the file of identities, which only the passphrase for the outcomes opens
pages               what the pages say
payments            who is to be paid, as the recruiter's table
places              which place each person has
recruited_study     what these parts share
recruiters_file     what the leader says of the recruiter: codes, links back, keys, whom to ask
reports             what the recruiter reports of people
servers_file        the addresses of several servers that share an entrance
shared_entrance     one address in front of several servers
standing            what a server tells the shared entrance of somebody
sweeping            deals places again, opens reserves, and deletes what is due
"""
