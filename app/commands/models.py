"""Commands about models: which are set up, and labelling failed attempts with one."""

from __future__ import annotations

import argparse
from pathlib import Path

from spatial_workbench.app.commands.plumbing import AddCommand, opened, plain, print_message, printing_progress, show


def add_commands(add: AddCommand) -> None:
    """Adds the commands to the parser that `add` belongs to."""
    judge = add("judge", _judge, "Ask a model to label failed attempts with failure modes.")
    judge.add_argument("project", metavar="PROJECT")
    judge.add_argument("--model", required=True, metavar="NAME")
    judge.add_argument("--batch", type=int)
    judge.add_argument("--again", action="store_true", help="also attempts that already have a label")
    models = add("models", _models, "List the models that can be asked; add, probe or remove one.")
    models.add_argument("--add", metavar="SETTINGS.json", help="settings as a JSON object; see docs/models.md")
    models.add_argument("--probe", metavar="NAME", help="find out what the endpoint of a model can do")
    models.add_argument("--tools", action="store_true", help="also probe the hosted tools, which may cost something")
    models.add_argument("--remove", metavar="NAME")


def _judge(options: argparse.Namespace) -> int:
    from spatial_workbench.app.evaluation.words import judging_expectation, judging_outcome
    from spatial_workbench.engine.evaluation.labelling import estimate_labelling, label_failures
    from spatial_workbench.engine.evaluation.planning.plan import Contender
    from spatial_workbench.engine.models import ModelLibrary

    known = ModelLibrary().priced(options.model)
    judge = Contender(settings=known.settings, capabilities=known.capabilities)

    with opened(Path(options.project)) as project:
        print_message(judging_expectation(estimate_labelling(project, options.batch, options.again), known.settings))
        labelled = label_failures(Path(options.project), judge, options.batch, options.again, printing_progress())
    summary = (
        f"Labelled: {labelled.labelled}. Not labelled: {labelled.failed}.\n{judging_outcome(labelled, known.settings)}"
    )
    return show(options, plain(labelled), summary)


def _models(options: argparse.Namespace) -> int:
    from spatial_workbench.engine.models import ModelLibrary, ModelSettings, probe

    library = ModelLibrary()
    if options.add:
        library.store_model(ModelSettings.model_validate_json(Path(options.add).read_bytes()))
    if options.remove:
        library.remove(options.remove)
    if options.probe:
        settings = library.find(options.probe).settings
        found = probe(settings, with_tools=settings.tools or options.tools)
        library.learn(options.probe, found)
        print_message(found.words)
    known = library.all()
    lines = [f"{model.settings.name:36} {model.settings.provider.value:10} {model.note}".rstrip() for model in known]
    return show(options, [plain(model) for model in known], lines)
