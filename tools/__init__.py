"""What a checkout has and a wheel has not: the benchmark, and the makers of examples and screenshots.

bench              the benchmark command: how fast everything is, and how much memory it takes
catalogues         brings the catalogues of translations up to date with the sources: `python -m tools.catalogues`
check              checks what concerns a few files: linters, types, the direction of imports, the nearest tests
data_sayings       the sentences in data files that are translated where they are shown
machine_baseline   learns to build machines in the environment, as a baseline: `python -m tools.machine_baseline`
machine_builder    builds machines block by block, for measurements and tests
parallel           runs a few commands of the virtual environment at once and shows their outputs one after another
sayings            the sentences in the sources that are made in English and translated where they are shown
studio             makers of what the project shows of itself: screenshots and example projects
"""
