"""The verifiers that a user has added are kept with the user's settings."""

import hashlib

import pytest

from spatial_workbench.engine.evaluation.laboratory.own import OwnKind, OwnVerifier, OwnVerifierError, OwnVerifiers
from spatial_workbench.engine.evaluation.laboratory.own import kept as module


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "grader.py"
    path.write_text("def verify(instance, answer):\n    return {'score': 1, 'passed': True}\n")
    return path


@pytest.fixture
def kept(tmp_path):
    return OwnVerifiers(tmp_path / "settings" / "verifiers.json")


def in_file(path, name="theirs", **changes):
    return OwnVerifier(name=name, task="shikaku", kind=OwnKind.FILE, path=str(path), **changes)


def test_a_verifier_is_kept_from_one_program_to_the_next(kept, file, tmp_path):
    kept.add(in_file(file, seconds=5))
    again = OwnVerifiers(tmp_path / "settings" / "verifiers.json")
    assert again.get("theirs") == in_file(file, seconds=5)


def test_a_verifier_of_the_same_name_is_replaced(kept, file):
    kept.add(in_file(file))
    kept.add(in_file(file, seconds=5))
    assert [verifier.seconds for verifier in kept.all()] == [5]


def test_a_removed_verifier_is_gone_and_one_that_is_not_there_is_named(kept, file):
    kept.add(in_file(file))
    kept.remove("theirs")
    assert kept.all() == ()
    with pytest.raises(OwnVerifierError, match="no verifier “theirs”"):
        kept.remove("theirs")
    with pytest.raises(OwnVerifierError, match=r"no verifier “theirs”\. Those that were added: none"):
        kept.get("theirs")


@pytest.mark.parametrize("name", ["default", "crosscheck", "their-score", "", "a b", "own:theirs", "../x", "-x"])
def test_a_name_of_ours_or_with_other_signs_is_refused(kept, file, name):
    with pytest.raises(OwnVerifierError):
        kept.add(in_file(file, name))
    assert kept.all() == ()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"task": "nobody"}, "no task “nobody”"),
        ({"path": "nowhere.py"}, "no file “nowhere.py”"),
        ({"kind": OwnKind.COMMAND}, "at least one word"),
    ],
)
def test_what_cannot_be_run_is_refused(kept, file, changes, words):
    with pytest.raises(OwnVerifierError, match=words):
        kept.add(in_file(file).model_copy(update=changes))


def test_a_damaged_list_is_named(kept, tmp_path):
    path = tmp_path / "settings" / "verifiers.json"
    path.parent.mkdir()
    path.write_text('{"verifiers": [{"name": 3}]}')
    with pytest.raises(OwnVerifierError, match=r"verifiers\.json"):
        kept.all()


def test_the_version_is_the_hash_of_the_file(file):
    before = in_file(file).version
    assert before == hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    file.write_text(file.read_text() + "# changed\n")
    assert in_file(file).version != before


def test_the_version_of_a_command_changes_with_its_words_and_its_files(file):
    def command(*words):
        return OwnVerifier(name="theirs", task="shikaku", kind=OwnKind.COMMAND, command=("python3", *words))

    before = command(str(file)).version
    assert command(str(file), "--strict").version != before
    file.write_text(file.read_text() + "# changed\n")
    assert command(str(file)).version != before


def test_a_file_that_is_gone_is_named(file):
    verifier = in_file(file)
    file.unlink()
    with pytest.raises(OwnVerifierError, match=r"grader\.py"):
        _ = verifier.version


class Point:
    def __init__(self, name, dist=None):
        self.name, self.value, self.dist = name, "their_package:verify", dist


def test_packages_bring_verifiers_by_their_entry_points(monkeypatch, kept):
    monkeypatch.setattr(module, "entry_points", lambda group: [Point("shikaku.strict"), Point("nonsense")])
    (brought,) = module.plugged_in()
    assert (brought.task, brought.name, brought.kind) == ("shikaku", "strict", OwnKind.PACKAGE)
    assert kept.get("strict") == brought


def test_a_package_cannot_bring_a_verifier_under_a_name_of_ours_or_for_no_task(monkeypatch):
    points = [Point("shikaku.default"), Point("nobody.strict"), Point("shikaku.strict"), Point("maze_3d.strict")]
    monkeypatch.setattr(module, "entry_points", lambda group: points)
    assert [(brought.task, brought.name) for brought in module.plugged_in()] == [("shikaku", "strict")]


def test_a_name_belongs_to_one_task(kept, file):
    kept.add(in_file(file))
    with pytest.raises(OwnVerifierError, match="“theirs” is a verifier of shikaku already"):
        kept.add(in_file(file).model_copy(update={"task": "maze_3d"}))
