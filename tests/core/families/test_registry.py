"""Families are found by their folders, and manifests of before there were several stay as they were signed."""

from pathlib import Path

import pytest

from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from core.errors import ManifestError
from core.families.causal_lm.rules import CausalRules
from core.families.text_to_image.rules import TextToImageRules
from core.run.contact import ClipRanking
from core.run.manifest import RunManifest
from core.run.manifest_text import expand_preset
from core.run.signed_parts import set_fields
from core.run.training.families import family_of, kind_of, kinds, picture_rules, rules_class, training_rules
from core.signing import SigningKey
from tests.swarms.text_run import MODEL, write_text_run
from tests.swarms.tiny_run import write_tiny_run

DIGESTS = {
    EmbeddedSet.STARTER: "755d7d47fcdc6672deadb6edfd3896b9cd0a3522566ba76dee1484d86c6dbbb5",
    EmbeddedSet.ALL: "3b66cec458d660067bbc1e2bf9d840d13e6879c9aff9ffbdecaeca83d0b86e79",
}
"""Digests of the training parts of manifests that were signed before there was a second family."""


def test_each_package_is_a_family() -> None:
    assert kinds() == ["causal-lm", "text-to-image"]
    assert rules_class("causal-lm") is CausalRules


@pytest.mark.parametrize("kind", list(DIGESTS))
def test_a_manifest_that_names_no_kind_is_of_pictures_and_keeps_its_digest(kind: EmbeddedSet) -> None:
    manifest = RunManifest.load(embedded_run() / MANIFESTS[kind])
    assert type(manifest.training) is TextToImageRules
    assert manifest.training_digest == DIGESTS[kind]


def test_a_new_run_of_pictures_names_no_kind_so_that_earlier_versions_read_it(tmp_path: Path) -> None:
    assert "kind = " not in write_tiny_run(tmp_path).read_text().split("[training.optimizer]")[0]


def test_the_usual_kind_may_be_written_out_and_changes_nothing(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path))
    table = manifest.training.model_dump(mode="json", exclude_unset=True)
    table["model"]["kind"] = "text-to-image"
    found = training_rules(table)
    assert found == manifest.training
    assert set_fields(found) == set_fields(manifest.training), "so is its digest"
    named = expand_preset({"training": {"model": {"preset": "emoji", "kind": "text-to-image"}}})
    assert named == expand_preset({"training": {"model": {"preset": "emoji"}}})


def test_a_kind_is_quoted_in_part() -> None:
    with pytest.raises(ValueError, match="there is no model of the kind") as refusal:
        rules_class("k" * 100_000)
    assert len(str(refusal.value)) < 200


def test_a_text_run_is_read_as_it_was_signed(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_text_run(tmp_path))
    assert type(manifest.training) is CausalRules
    assert manifest.training.model == MODEL
    assert training_rules(manifest.training.model_dump(mode="json")) == manifest.training
    with pytest.raises(ManifestError, match="makes no pictures: it is of the kind causal-lm"):
        picture_rules(manifest.training)


@pytest.mark.parametrize("kind", ["os", "../text_to_image", "text_to_image.rules", "", 3])
def test_a_kind_without_a_family_is_refused(kind: object) -> None:
    with pytest.raises(ValueError, match="there is no model of the kind"):
        rules_class(kind_of({"model": {"kind": kind}}))


def test_nothing_ranks_where_there_are_no_pictures(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_text_run(tmp_path))
    contact = manifest.contact.model_copy(update={"ranking": ClipRanking()})
    with pytest.raises(ManifestError, match=r"contact\.ranking ranks pictures"):
        RunManifest.create(manifest.training, contact, SigningKey.generate())


def test_faults_of_a_text_run_are_named_by_their_fields(tmp_path: Path) -> None:
    text = write_text_run(tmp_path).read_text().replace("heads = 2", "heads = 3")
    with pytest.raises(ManifestError, match=r"training\.model: dim must be a multiple of heads"):
        RunManifest.parse(text.encode(), "run.toml")


def test_a_family_makes_the_model_of_its_rules(tmp_path: Path) -> None:
    training = RunManifest.load(write_text_run(tmp_path)).training
    model = family_of(training).model(training.model)
    assert sum(item.numel() for item in model.parameters()) == sum(item.total for item in MODEL.parameters())
