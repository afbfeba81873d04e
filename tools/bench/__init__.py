"""The benchmark command: how fast everything is, and how much memory it takes.

bodies          moving rigid bodies: 100 blocks, half of them boxes and half cylinders
cube            the cube
environments    the Gymnasium environments: steps a second with random actions, verdicts included
evaluation      batches: a thousand recorded answers, verified and stored
hands           models with hands: calls and pictures
leading         the leader's page of a large study: 200 places and 50 items
machines        machines: how much faster than real time they are simulated, and how fast they are checked
main            measures speed and memory, as a table of medians
projects        large projects without a window: opening, results, answers that come in
puzzles         a set of 667 puzzles: listing and exporting it
runs            the runs browser, on a project of 100,000 attempts that was made up
serving         people in browsers: how long their pictures take, and how much memory they need
sketch          the sketch pad on a page of 4000 × 6000 pixels with 300 strokes
site            a site of 1,000 attempts: drawn for the first time, and with all drawings kept
slots           how long a person's actions in an editor block the window, for `bench --holds`
solids          solid-building tasks, the sandbox and the physics
studies         a large study: 200 people who answered 50 items each
window          what needs a window: frames, picking, stalls, memory
workflows       workflows of models, through a server that takes its time
"""
