"""The engine: tasks, verifiers, solvers and storage, all without a screen.

>>> from spatial_workbench.engine.core import task
>>> lego = task("lego_hemisphere")
>>> instance = lego.instances()[0]
>>> verdict = lego.verify(instance, lego.solve(instance))
"""
