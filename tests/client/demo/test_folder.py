"""The folder of a demo: a run of its own, made once, taken up again, and never over a user's files."""

from pathlib import Path

import pytest

from client.api.errors import FolderError
from client.demo.folder import DemoFolder, prepare
from client.joining.embedded import EmbeddedSet
from core.errors import ManifestError
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.files import resolve_file


@pytest.fixture
def folder(tmp_path: Path) -> DemoFolder:
    root = tmp_path / "out"
    root.mkdir()
    return DemoFolder(root)


def test_the_run_is_the_embedded_one_with_a_key_of_its_own(folder: DemoFolder, embedded: Path) -> None:
    prepare(folder, embedded, EmbeddedSet.STARTER)
    manifest, shipped = RunManifest.load(folder.manifest), RunManifest.load(embedded / "run.toml")
    assert manifest.training == shipped.training
    assert manifest.contact.sample_prompts == shipped.contact.sample_prompts
    assert manifest.contact.ranking == shipped.contact.ranking
    assert manifest.key != shipped.key
    for ref in manifest.files:
        resolve_file(ref, folder.manifest.parent)


def test_another_set_has_its_own_shards(folder: DemoFolder, embedded: Path) -> None:
    prepare(folder, embedded, EmbeddedSet.ALL)
    shards = picture_rules(RunManifest.load(folder.manifest).training).data.shards
    assert [ref.path for ref in shards] == ["all.parquet"]


def test_the_same_folder_keeps_its_run(folder: DemoFolder, embedded: Path) -> None:
    prepare(folder, embedded, EmbeddedSet.STARTER)
    first = RunManifest.load(folder.manifest)
    prepare(folder, embedded, EmbeddedSet.STARTER)
    assert RunManifest.load(folder.manifest) == first


def test_a_preparation_that_was_cut_off_is_made_good(folder: DemoFolder, embedded: Path) -> None:
    prepare(folder, embedded, EmbeddedSet.STARTER)
    folder.manifest.unlink()
    prepare(folder, embedded, EmbeddedSet.STARTER)
    assert RunManifest.load(folder.manifest)


def test_another_users_folder_is_left_alone(folder: DemoFolder, embedded: Path) -> None:
    (folder.root / "thesis.tex").touch()
    with pytest.raises(FolderError, match=r"thesis\.tex"):
        prepare(folder, embedded, EmbeddedSet.STARTER)
    assert [path.name for path in folder.root.iterdir()] == ["thesis.tex"]


def test_a_run_with_other_rules_is_refused(folder: DemoFolder, embedded: Path) -> None:
    prepare(folder, embedded, EmbeddedSet.STARTER)
    with pytest.raises(FolderError, match="--set"):
        prepare(folder, embedded, EmbeddedSet.ALL)


@pytest.mark.parametrize("name", ["tokenizer.json", "scorer.safetensors"])
def test_a_file_that_was_changed_is_named(folder: DemoFolder, embedded: Path, name: str) -> None:
    prepare(folder, embedded, EmbeddedSet.STARTER)
    (folder.manifest.parent / name).write_text(name.upper())
    with pytest.raises(ManifestError, match=name):
        prepare(folder, embedded, EmbeddedSet.STARTER)


def test_a_folder_is_for_one_demo_at_a_time(folder: DemoFolder) -> None:
    with folder.locked(), pytest.raises(FolderError, match="Another demo"), folder.locked():
        pass
    with folder.locked():
        pass


def test_a_folder_that_cannot_be_made_is_an_error_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderError, match="cannot be used"), DemoFolder(tmp_path / "file").locked():
        pass
