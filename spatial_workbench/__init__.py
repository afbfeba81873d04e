"""Spatial Workbench as a library: tasks, their verifiers and reference solutions, projects and evaluations.

>>> import spatial_workbench as sw
>>> sw.task("shikaku").title
'Shikaku rectangles'
>>> answer = sw.solve("shikaku:0")
>>> sw.verify("shikaku:0", answer)
<shikaku:0: passed, score 1>

An instance is named by its address: `shikaku:3` is the fourth published one, `shikaku@7` one made from the seed 7.
Whatever takes an address takes an `Instance` as well. See docs/library.md.

    drawings        drawings of instances and answers, as pictures and in notebooks
    environments    tasks as environments of Gymnasium
    episodes        answers that a program builds step by step, with the commands of the editor
    evaluating      evaluations from a program: through a project, as the window does it
    functions       answers from a function of somebody's program
    inspecting      tasks as tasks of Inspect
    interface       the functions that this package offers
    judged          an answer with its verdict, as notebooks show it
    laboratory      answers that verifiers judge differently, and regression cases
    projects        projects as programs read them
    root            where the program is
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
