"""The least version that a run needs: how versions compare, and what a program that is too old for a run says."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from pydantic import ValidationError

from core.errors import ManifestError, VersionError
from core.run.contact import Contact
from core.run.least_version import UpdateNeeded, program_version, require_version, update_needed
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.core.run.test_manifest import CONTACT, TRAINING

KEY = SigningKey.generate()


@pytest.mark.parametrize(
    ("least", "program", "is_needed"),
    [
        ("0.3", "0.2.9", True),
        ("0.3", "0.3", False),
        ("0.3", "0.3.0", False),
        ("0.3.0", "0.3", False),
        ("0.3.0.0", "0.3", False),
        ("0.3.1", "0.3", True),
        ("0.10", "0.9", True),
        ("0.9", "0.10", False),
        ("2", "10.0", False),
        ("1.0", "1.0rc1", False),
        ("1.0", "1.0.dev3+local", False),
        ("1.0", "0.9.post1", True),
        ("1.0", "unknown", True),
        ("0", "0.1.0", False),
        (None, "0.1.0", False),
        ("", "0.1.0", False),
        ("9.x", "0.1.0", False),
        ("9\n", "0.1.0", False),
        (9, "0.1.0", False),
    ],
)
def test_versions_compare_by_their_release_numbers(least: object, program: str, is_needed: bool) -> None:
    assert (update_needed(least, program) is not None) is is_needed


def test_the_sentence_names_both_versions_and_the_remedy() -> None:
    assert UpdateNeeded("0.3", "0.1.0").sentence == "This run needs Idlebrush 0.3 or newer; this is 0.1.0"
    with pytest.raises(VersionError) as refusal:
        require_version("9999")
    assert refusal.value.what == f"This run needs Idlebrush 9999 or newer; this is {program_version()}."
    assert refusal.value.remedy.startswith("Update Idlebrush")
    assert refusal.value.least == "9999"


@pytest.mark.parametrize("least", ["", "1.", ".1", "v1", "1.0rc1", ">=1", "1.2.3.4.5", "1" * 7, "1\n", "١"])
def test_a_manifest_holds_release_numbers_alone(least: str) -> None:
    with pytest.raises(ValidationError, match="least_version"):
        Contact.model_validate({**dict(CONTACT), "least_version": least})


def test_it_is_signed_and_leaves_the_run_the_same(tmp_path: Path) -> None:
    manifest = RunManifest.create(TRAINING, CONTACT, KEY)
    contact = CONTACT.model_copy(update={"least_version": "9999", "serial": 1})
    newer = manifest.reissue_contact(contact, KEY)
    assert newer.training_digest == manifest.training_digest
    assert "Needs: Idlebrush 9999 or newer." in newer.describe()
    newer.save(tmp_path / "run.toml")
    assert RunManifest.load(tmp_path / "run.toml", seen=manifest).contact.least_version == "9999"
    edit(tmp_path / "run.toml", least_version="0.1")
    with pytest.raises(ManifestError, match="not what its organiser signed"):
        RunManifest.load(tmp_path / "run.toml")


def test_a_manifest_without_it_is_written_as_before(tmp_path: Path) -> None:
    """So that older programs, which refuse unknown fields, read it."""
    RunManifest.create(TRAINING, CONTACT, KEY).save(tmp_path / "run.toml")
    assert "least_version" not in (tmp_path / "run.toml").read_text()


@pytest.mark.parametrize(
    ("least", "error"), [("9999", VersionError), ("0.1", ManifestError), (["9999"], ManifestError)]
)
def test_a_manifest_that_is_not_understood_says_which_version_does(
    tmp_path: Path, least: object, error: type[ManifestError]
) -> None:
    RunManifest.create(TRAINING, CONTACT, KEY).save(tmp_path / "run.toml")
    edit(tmp_path / "run.toml", least_version=least, something_of_a_later_version=1)
    with pytest.raises(ManifestError) as refusal:
        RunManifest.load(tmp_path / "run.toml")
    assert type(refusal.value) is error


def edit(file: Path, **contact: Any) -> None:
    table = tomllib.loads(file.read_text())
    table["contact"] |= contact
    file.write_text(tomli_w.dumps(table))
