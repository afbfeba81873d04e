"""A project with everything that must not be published, and a drawer that draws nothing."""

import base64
import gzip
import json

from spatial_workbench.engine.core import resolve
from spatial_workbench.engine.evaluation.planning.plan import BatchPlan, Contender
from spatial_workbench.engine.evaluation.unsealing import unseal
from spatial_workbench.engine.models import ModelSettings, Provider
from spatial_workbench.engine.reporting.site.attempt_drawing import OwnAttemptDrawer
from spatial_workbench.engine.reporting.site.publishing import SiteTools
from spatial_workbench.engine.store import Actor, Asked, Project, RemarkKind
from tests.store.studying import WRONG, document, results, session
from tests.studies.sittings import SECRET

KEY = "sk-proj-Abcdefghijklmnopqrstuvwx0123"
SCRIPT = '<script>alert("x")</script><img src=x onerror=alert(1)>'
SECRETS = (
    *("Ada Lovelace", "Grace Hopper", "Katherine Johnson", "Lena Leader", "lena@example.org"),
    *("Charles told me", "he cheated on Tuesday", "my own label", "for my boss"),
    *(KEY, KEY[8:20], "https://proxy.secret.example", "team-account", "Be nice to the boss", "private thoughts"),
    *(
        "P001H",
        "P002Q",
        "P003X",
        "p001h-1",
        "p003x-1",
        "2026-01-01",
        "A sealed question",
        "the cellar",
        "thesis-of-ada",
    ),
)
"""What is nowhere on a site."""


class NoDrawer:
    """A drawer whose pictures are all alike."""

    def picture(self, scene, size, theme, form="PNG", view="", cut=None, quick=False):
        """Bytes that stand for a picture."""
        return f"{theme} picture".encode()


def tools(folder) -> SiteTools:
    """What draws for a site without the libraries that draw."""
    return SiteTools([attempt_drawer()], None, folder)


def attempt_drawer(drawer=None) -> OwnAttemptDrawer:
    """What draws attempts in this process, with pictures that are all alike."""
    return OwnAttemptDrawer(drawer or NoDrawer(), lambda role: ("#111111", "#eeeeee"))


def unpacked(script: str) -> str:
    """The JSON of the scene in a script of the site."""
    packed = script.removeprefix('spatialScene("').partition('"')[0]
    return gzip.decompress(base64.b64decode(packed)).decode()


def text_of(folder) -> str:
    """Everything that a site says, in one text."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return "\n".join(f"{path.name}\n{_text_of_file(path)}" for path in files)


def _text_of_file(path) -> str:
    text = path.read_text("utf-8")
    return unpacked(text) if text.startswith("spatialScene(") else text


def fill(project: Project, folder) -> None:
    """Adds models with keys in their settings, people with and without consent, remarks, and two studies."""
    _add_models(project)
    for name in ("Ada Lovelace", "Grace Hopper"):
        _add(project, "shikaku:0", Actor.PERSON, name)
    _add(project, "shikaku:1", Actor.IMPORT, "Katherine Johnson")
    _add(project, "csg_union:0", Actor.REFERENCE, "Reference")
    number = _add(project, "maze_3d:0", Actor.MODEL, f"{SCRIPT}")
    project.remarks.add([number], RemarkKind.NOTE, "Charles told me that he cheated on Tuesday", "Ada Lovelace")
    project.remarks.add([number], RemarkKind.TAG, "my own label", "Ada Lovelace")
    project.judgements.override_score(number, 0.5, False, "he cheated on Tuesday", "Grace Hopper")
    _add_study(project, folder, document(name="Open loops", leader="Lena Leader", contact="lena@example.org"))
    project.studies.add(document(id="00000000000000aa", name="Sealed loops", question="A sealed question"))


def _add_models(project: Project) -> None:
    settings = ModelSettings(
        name="oak",
        provider=Provider.COMPATIBLE,
        base_url="https://proxy.secret.example/v1",
        account="team-account",
        model=f"oak-{KEY}",
    )
    addresses = ("shikaku:0", "csg_union:0", "pack_prisms:0", "cube_vertex_view:0", "cube_full_symbolic:3")
    plan = BatchPlan(name="for my boss", contenders=(Contender(settings=settings),), addresses=addresses)
    batch = project.batches.add(plan.name, plan.model_dump_json(), plan.questions())
    for item in project.items.of_batch(batch):
        asked = Asked(batch=batch, item=item.number, output_tokens=10, reasoning="private thoughts")
        number = _add(project, item.address, Actor.MODEL, "oak", asked)
        project.items.finish(item.number, number)


def _add(project: Project, address: str, actor: Actor, name: str, asked: Asked | None = None) -> int:
    """An attempt whose answer is right, with reasoning and a field that does not belong to it."""
    task, instance = resolve(address)
    answer = task.format(task.solve(instance))
    if task.answer_format == "json":
        data = json.loads(answer)
        answer = json.dumps(data | {"reasoning": "private thoughts", "by": f"Charles told me {KEY} {SCRIPT}"})
    verdict = task.verify(instance, answer)
    return project.attempts.add(instance, answer, actor, name, 3.0, (verdict,), asked=asked)


def _add_study(project: Project, folder, study) -> None:
    """A study of four people: one withdrew, one does not share."""
    project.studies.add(study)
    bundle, _ = project.places.add_bundle(study.id, passphrase=SECRET, site="the cellar")
    folder.mkdir()
    answers = {"P001H": (), "P002Q": (None,), "P003X": (WRONG, WRONG)}
    shares = {"P001H": True, "P002Q": False, "P003X": True}
    files = [
        results(folder, bundle, session(bundle, code, given, boxes={"part": True, "share": shares[code]}))
        for code, given in answers.items()
    ]
    project.merging.merge(files)
    project.withdrawals.withdraw(study.id, "P003X")
    project.exclusions.close_study(study.id, study.name)
    unseal(project.path, study.id, SECRET, workers=1)
