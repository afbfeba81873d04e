"""Sessions: one participant at one machine, from the code that is typed to the last answer, without any widget.

answering        what becomes of an item: submissions, verdicts, and how trials and sessions end
connecting       the connection to the browser of a person elsewhere: lost, and how long round trips take
edit_history     the steps in which a draft came about, as the history of its editor has them
ending           how people and leaders leave a session before its end
entering         before the items: language, consent, and questions about the person
entry            how a session begins: a code is typed, and the session of its slot is made or taken up again
event_log        one line of JSON for each event, with active time and time since the session began
itinerary        the way through a session: which page follows, and which item with which limits
leaving          the leader's passphrase, which leaving a session needs
limits           what is left of items, pauses, breaks, sittings and the whole
pages            the pages of a session, and what may cover them
queued_file      a session's file that is written in a thread of its own, so that a slow disk never holds up the window
recording        what a session keeps, stored at once
rehearsing       simulated people, who work through a study by the same sittings and files as real ones
replies          what people answer to questions: checked, cleaned, and compared with the rules of eligibility
schema           the records of sessions, trials and submissions
session_file     the file of a session on the participant's machine: what was done, stored as it is done
sitting          `Sitting`: a session that somebody works on, with the parts that know its subjects
sitting_state    where a session stands: what is shown, what is known of each trial, what is counted
this_machine     the sessions of a study on this machine, read from their files while windows may work on them
trial_run        the trial that is on the screen: its record, clock and draft, and what its limits say
working          work on the present item: the draft, its edits, and handing it in
"""
