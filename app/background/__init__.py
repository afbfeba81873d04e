"""Work done outside the window's thread: processes, verdicts and the project.

delivery           passes values from other threads to the window's thread, where the receiver may be gone
evaluations        jobs of the Evaluate menu that run in a background process
jobs               persistent processes for background jobs, so that physics and solids never block the window
judging            jobs on answers that run in the background processes
live_verdicts      every change requests one, the newest request wins, and the window never waits
project_service    access to the current project from a thread of its own, so that the window never waits for it
worker             the background process: it waits for jobs, runs them one after the other, and never draws
"""
