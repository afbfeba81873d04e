"""The engine: tasks, verifiers, solvers and storage, all without a screen.

Its packages stand in layers, from the top; each imports only from those below it:

    reporting                               reports on studies, what compares people with models, published data
    evaluation                              batches, agents, results
    store, tasks                            projects; the rules of each task
    studies, cube, exchange, search         human baselines; the cube; files of other programs; search for machines
    executor, physics, models, sandbox      jobs in other processes, Bullet, language models, programs of models
    machines, puzzles, geometry, children   models of things; meshes and solids; child processes
    core                                    the contracts between tasks and everything that uses them

>>> from spatial_workbench.engine.core import task
>>> lego = task("lego_hemisphere")
>>> instance = lego.instances()[0]
>>> verdict = lego.verify(instance, lego.solve(instance))
"""
