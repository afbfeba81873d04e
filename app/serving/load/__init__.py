"""A trial of how many people a machine holds: simulated people take part in a copy of a study, and it is measured.

browser_messages    what a browser says to a screen, as noVNC says it
copied_study        a copy of a study in a temporary folder, with a session for each simulated person
crowd               the process of the simulated people
crowd_report        what simulated people saw: how long pictures took, and how many came
exact_requests      asks again, without loss, for what JPEG has drawn
hosting             the process that serves the copy
load_summary        the figures of a trial, in a table and a sentence
load_trial          runs a trial: server and simulated people, each in a process of its own
simulated_page      the page with the window, without a browser
simulated_person    somebody who points, looks around, places and hands in
screen_stream       reads what a screen sends
taken_share         what processes take of the machine: memory, and time of the processors
"""
