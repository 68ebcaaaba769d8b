"""A coordinator's home: made whole, completed after an interruption, and never over anything."""

import contextlib
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from safetensors.numpy import save

from coordinator.contact import join_link, public_addresses, successor
from coordinator.create import NewRun, create
from coordinator.draft import Draft
from coordinator.errors import HomeError, SettingsError
from coordinator.home import Home
from coordinator.settings import Checkpoints, GateSettings, Settings, SwarmSettings, require_publishable
from core.admission.peer_key import PeerKey
from core.errors import CodecError, CoreError, ManifestError, MisfitError
from core.run.aggregation import Aggregation, RobustRules
from core.run.contact import GateRules
from core.run.encodings import Encoding, TopK, WireFormat
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.optimizer_rules import AdamWRules
from core.run.rules import MOST_GROUPS, LocalStepRules, Overlap
from core.run.training.families import picture_rules
from core.signing import SigningKey
from core.storage.files import FileRef, resolve_file
from tests.coordinator.homes import NOW, put_peer_keys
from tests.swarms.text_run import MODEL as TEXT_MODEL
from tests.swarms.text_run import write_text_run
from tests.swarms.tiny_run import MODEL, write_tiny_run

REVERSIBLE = TEXT_MODEL.model_copy(update={"reversible": True})
SETTINGS = Settings(
    address="https://train.example.org",
    swarm=SwarmSettings(announce=("/dns4/train.example.org/tcp/31330",)),
    gate=GateSettings(client_id="ours"),
)


@pytest.fixture
def run(tmp_path: Path) -> NewRun:
    return NewRun(Draft.load(write_tiny_run(tmp_path / "tiny", prompts=("red cat",)), NOW), "My run")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def begun(home: Home) -> Home:
    """A home for tests of other things than the keys of its peers, which are there already."""
    put_peer_keys(home)
    return home


def test_the_run_is_the_organisers_own(home: Home, run: NewRun) -> None:
    made = create(home, run, SETTINGS, NOW)
    manifest = RunManifest.load(home.manifest)
    assert made == manifest
    assert manifest.training == run.draft.training
    assert manifest.key == SigningKey.load(home.organiser_key).public_key
    assert manifest.contact.title == "My run"
    assert manifest.contact.sample_prompts == ("red cat",)
    assert manifest.contact.coordinator == SETTINGS.address
    assert manifest.contact.gate == GateRules(key=SigningKey.load(home.gate_key).public_key)
    peer_id = PeerKey.load_or_create(home.bootstrap_identity).peer_id
    assert manifest.contact.initial_peers == (f"/dns4/train.example.org/tcp/31330/p2p/{peer_id}",)
    for ref in manifest.files:
        resolve_file(ref, home.manifest.parent)
    link = JoinLink.parse(join_link(manifest, SETTINGS))
    assert link == JoinLink("https://train.example.org/files/run.toml", manifest.fingerprint)


def test_the_optimizer_of_a_run_can_be_chosen(home: Home, run: NewRun) -> None:
    chosen = replace(run, draft=run.draft.with_optimizer("adamw", 1e-3))
    create(home, chosen, SETTINGS, NOW)
    training = RunManifest.load(home.manifest).training
    assert training.optimizer == AdamWRules(kind="adamw", min_8bit_size=1024, block_size=256)
    assert training.schedule == run.draft.training.schedule.model_copy(update={"peak_lr": 1e-3})
    assert run.draft.with_optimizer(None, None) == run.draft
    assert run.draft.with_optimizer("lamb", None) == run.draft


@pytest.mark.parametrize(
    ("kind", "learning_rate", "named"),
    [
        ("adamw", None, "The learning rate of this run is for lamb, not for adamw"),
        ("sgd", 1e-3, 'kind must be "lamb" or "adamw"'),
        ("adamw", -1.0, "schedule.peak_lr"),
    ],
)
def test_an_optimizer_that_cannot_be_is_refused(
    run: NewRun, kind: str, learning_rate: float | None, named: str
) -> None:
    with pytest.raises(ManifestError) as refusal:
        run.draft.with_optimizer(kind, learning_rate)
    assert named in refusal.value.what
    assert "--learning-rate" in refusal.value.remedy


def test_a_run_whose_model_cannot_be_published_is_not_to_be(home: Home, tmp_path: Path) -> None:
    run = NewRun(Draft.load(write_text_run(tmp_path / "text", model=REVERSIBLE), NOW))
    publishing = SETTINGS.model_copy(update={"checkpoints": Checkpoints(publish_to="ada/words")})
    with pytest.raises(
        SettingsError, match="cannot be published on the Hub: its layers are reversible"
    ) as refusal:
        create(home, run, publishing, NOW)
    assert "--publish-to" in refusal.value.remedy
    assert not home.root.exists()
    require_publishable(SETTINGS, run.draft.training)


def test_secrets_are_for_the_owner_alone(home: Home, run: NewRun) -> None:
    create(home, run, SETTINGS, NOW)
    secret = (home.organiser_key, home.gate_key, home.bootstrap_identity, home.recorder_identity)
    for path in (*secret, home.publisher_identity, home.settings):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def _contents(home: Home) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in home.root.rglob("*") if path.is_file()}


def test_saying_it_again_changes_the_settings_alone(begun: Home, run: NewRun) -> None:
    create(begun, run, SETTINGS, NOW)
    before = _contents(begun)
    create(begun, run, SETTINGS.model_copy(update={"moderators": ("ada",)}), NOW)
    after = _contents(begun)
    assert Settings.load(begun.settings).moderators == ("ada",)
    assert {path for path in after if after[path] != before.get(path)} == {begun.settings}


def test_another_title_becomes_a_new_contact_part(begun: Home, run: NewRun) -> None:
    first = create(begun, run, SETTINGS, NOW)
    renamed = create(begun, NewRun(run.draft, "Another"), SETTINGS, NOW)
    assert renamed == RunManifest.load(begun.manifest)
    assert (renamed.contact.title, renamed.contact.serial) == ("Another", first.contact.serial + 1)
    assert renamed.fingerprint == first.fingerprint
    assert create(begun, NewRun(run.draft), SETTINGS, NOW) == renamed, "no title changes nothing"
    needing = create(begun, NewRun(run.draft, least_version="0.3"), SETTINGS, NOW)
    assert (needing.contact.title, needing.contact.least_version) == ("Another", "0.3")
    assert needing.training_digest == first.training_digest
    assert create(begun, NewRun(run.draft, least_version=""), SETTINGS, NOW).contact.least_version is None
    with pytest.raises(ManifestError, match="least_version"):
        create(begun, NewRun(run.draft, least_version="soon"), SETTINGS, NOW)
    with pytest.raises(CoreError):
        create(begun, NewRun(run.draft, "x" * 10_000), SETTINGS, NOW)


class PowerCut(BaseException):
    pass


@pytest.mark.parametrize("step", range(1, 8))
def test_a_making_that_was_cut_off_is_completed_with_the_same_keys(
    home: Home, run: NewRun, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power goes at the n-th file that is moved to its place."""
    moves = 0

    def replace(*places: os.PathLike[str]) -> None:
        nonlocal moves
        moves += 1
        if moves == step:
            raise PowerCut
        real(*places)

    put_peer_keys(home)  # which are never moved
    real = os.replace
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "rename", replace)
    with contextlib.suppress(PowerCut):
        create(home, run, SETTINGS, NOW)
    monkeypatch.undo()
    keys = {path: path.read_bytes() for path in (home.organiser_key, home.gate_key) if path.exists()}
    manifest = create(home, run, SETTINGS, NOW)
    assert all(path.read_bytes() == contents for path, contents in keys.items())
    assert RunManifest.load(home.manifest) == manifest
    for ref in manifest.files:
        resolve_file(ref, home.manifest.parent)


def test_a_file_that_was_copied_in_part_is_copied_again(begun: Home, run: NewRun) -> None:
    create(begun, run, SETTINGS, NOW)
    begun.manifest.unlink()
    (begun.manifest.parent / "shard.parquet").write_bytes(b"half")
    for ref in create(begun, run, SETTINGS, NOW).files:
        resolve_file(ref, begun.manifest.parent)


def test_another_users_folder_is_left_alone(home: Home, run: NewRun) -> None:
    home.root.mkdir()
    (home.root / "thesis.tex").touch()
    with pytest.raises(HomeError, match=r"thesis\.tex"):
        create(home, run, SETTINGS, NOW)
    assert [path.name for path in home.root.iterdir()] == ["thesis.tex"]


def test_another_run_needs_another_home(begun: Home, run: NewRun, tmp_path: Path) -> None:
    create(begun, run, SETTINGS, NOW)
    other = Draft.load(write_tiny_run(tmp_path / "other", target_batch_size=128), NOW)
    with pytest.raises(HomeError, match="home of another run: My run"):
        create(begun, NewRun(other), SETTINGS, NOW)


def test_a_key_of_another_run_is_reported(begun: Home, run: NewRun) -> None:
    create(begun, run, SETTINGS, NOW)
    begun.organiser_key.unlink()
    with pytest.raises(ManifestError, match="is not the key of the run"):
        create(begun, run, SETTINGS, NOW)


def test_a_run_whose_files_do_not_fit_is_not_made(home: Home, tmp_path: Path) -> None:
    draft = Draft.load(write_tiny_run(tmp_path / "misfit", model=MODEL.model_copy(update={"grid": 8})), NOW)
    with pytest.raises(MisfitError, match="has 4 x 4 codes, but the model draws 8 x 8"):
        create(home, NewRun(draft), SETTINGS, NOW)
    assert not home.root.exists(), "no key was made, and nothing was signed"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("other.ckpt", b"garbage", "other.ckpt"),
        ("other.safetensors", save({"quantize.embedding.weight": np.zeros((32, 4), "<f2")}), "lacks"),
    ],
    ids=["a checkpoint that is none", "a codebook without a decoder"],
)
def test_a_codec_that_cannot_draw_makes_no_run(
    home: Home, tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    folder = tmp_path / "draft"
    draft = Draft.load(write_tiny_run(folder), NOW)
    (folder / name).write_bytes(content)
    codec = picture_rules(draft.training).codec.model_copy(
        update={"weights": FileRef.of(folder / name, folder)}
    )
    unfit = replace(draft, training=draft.training.model_copy(update={"codec": codec}))
    with pytest.raises(CodecError, match=words):
        create(home, NewRun(unfit), SETTINGS, NOW)
    assert not home.root.exists()


def test_a_home_that_is_served_is_left_alone(begun: Home, run: NewRun) -> None:
    create(begun, run, SETTINGS, NOW)
    with begun.locked():
        assert begun.is_served
        with pytest.raises(HomeError, match="Another coordinator"):
            create(begun, run, SETTINGS, NOW)
    assert not begun.is_served


def _draft(folder: Path) -> dict[str, dict[str, object]]:
    """The tables of a draft of the tiny run, whose files lie in the folder."""
    training = RunManifest.load(write_tiny_run(folder)).training.model_dump(mode="json", exclude_none=True)
    training["codec"] = {"config": "codec.yaml", "weights": "codec.safetensors"}
    training["text"]["tokenizer"] = "tokenizer.json"
    training["data"]["shards"] = ["shard.parquet"]
    return {"training": training, "contact": {"title": "Drafted"}}


def _written(folder: Path, table: dict[str, dict[str, object]]) -> Path:
    path = folder / "draft.toml"
    path.write_bytes(tomli_w.dumps(table).encode())
    return path


def test_a_draft_names_its_files_by_path(tmp_path: Path) -> None:
    table, manifest = _draft(tmp_path), RunManifest.load(tmp_path / "run.toml")
    rules = manifest.training.swarm.model_dump(mode="json", exclude_none=True)
    table["training"]["swarm"] = {**rules, "recomputed_share": 0.0}  # the manifest has none
    draft = Draft.load(_written(tmp_path, table), NOW)
    assert draft.training == manifest.training
    assert (draft.contact.title, draft.contact.issued_at) == ("Drafted", NOW)


def _local_steps(form: WireFormat, **rules: Any) -> LocalStepRules:
    return LocalStepRules(drift_encoding=form, mean_encoding=form, **rules)


@pytest.mark.parametrize(
    ("rules", "local_steps", "overlap"),
    [
        (None, _local_steps(Encoding.BLOCKWISE4), Overlap.FULL),
        ({"target_batch_size": 512}, _local_steps(Encoding.BLOCKWISE4), Overlap.FULL),
        ({"allreduce_seconds": 0.001}, _local_steps(TopK(kept=512)), Overlap.FULL),
        ({"local_steps": {"steps": 3}}, _local_steps(Encoding.BLOCKWISE4, steps=3), Overlap.FULL),
        (
            {"local_steps": {"round_seconds": 90.0}, "overlap": "full"},
            _local_steps(Encoding.BLOCKWISE4, round_seconds=90.0),
            Overlap.FULL,
        ),
        (
            {"local_steps": {"steps": 3, "mean_encoding": "blockwise8"}, "overlap": "full"},
            LocalStepRules(steps=3, mean_encoding=Encoding.BLOCKWISE8),
            Overlap.FULL,
        ),
        ({"gradient_encoding": "uniform8"}, None, Overlap.DELAYED_UPDATE),
        ({"overlap": "none"}, None, Overlap.NONE),
    ],
)
def test_a_draft_trains_by_local_steps_unless_it_names_what_gradients_have(
    tmp_path: Path, rules: dict[str, object] | None, local_steps: LocalStepRules | None, overlap: Overlap
) -> None:
    table = _draft(tmp_path)
    del table["training"]["swarm"]
    if rules is not None:
        table["training"]["swarm"] = rules
    swarm = Draft.load(_written(tmp_path, table), NOW).training.swarm
    assert (swarm.local_steps, swarm.overlap) == (local_steps, overlap)


@pytest.mark.parametrize(
    ("rules", "aggregation", "robust"),
    [
        (None, Aggregation.CLIPPED_MEAN, RobustRules()),
        ({"allreduce_seconds": 0.001}, Aggregation.MEAN_OF_SENDERS, RobustRules()),
        ({"gradient_encoding": "uniform8"}, Aggregation.CLIPPED_MEAN, RobustRules()),
        ({"aggregation": "mean"}, Aggregation.MEAN, None),
        ({"aggregation": "mean", "robust": {}}, Aggregation.MEAN, RobustRules()),
        (
            {"aggregation": "median", "robust": {"weight_cap": 4.0}},
            Aggregation.MEDIAN,
            RobustRules(weight_cap=4.0),
        ),
    ],
    ids=["nothing said", "drifts too large", "gradients", "the mean", "a mean with a cap", "another rule"],
)
def test_a_draft_aggregates_robustly_unless_it_says_otherwise(
    tmp_path: Path, rules: dict[str, object] | None, aggregation: Aggregation, robust: RobustRules | None
) -> None:
    table = _draft(tmp_path)
    table["training"]["swarm"] = rules or {}
    swarm = Draft.load(_written(tmp_path, table), NOW).training.swarm
    assert (swarm.aggregation, swarm.robust) == (aggregation, robust)


@pytest.mark.parametrize(
    ("rules", "most"),
    [({}, MOST_GROUPS), ({"most_groups": 4}, 4), ({"averaging_seconds": 92.0}, 1)],
    ids=["nothing said", "said", "no time for it"],
)
def test_a_draft_lets_as_many_groups_combine_as_it_can(
    tmp_path: Path, rules: dict[str, object], most: int
) -> None:
    table = _draft(tmp_path)
    table["training"]["swarm"] = rules
    assert Draft.load(_written(tmp_path, table), NOW).training.swarm.most_groups == most


@pytest.mark.parametrize(
    ("rules", "share"),
    [
        ({}, 0.02),
        ({"gradient_encoding": "uniform8"}, 0.02),
        ({"aggregation": "mean"}, 0.02),
        ({"recomputed_share": 0.1}, 0.1),
        ({"recomputed_share": 0.0}, None),
        ({"gradient_encoding": {"rank": 4}}, None),
    ],
    ids=["nothing said", "gradients", "the mean", "said", "switched off", "low rank"],
)
def test_a_draft_has_work_checked_unless_it_says_otherwise(
    tmp_path: Path, rules: dict[str, object], share: float | None
) -> None:
    table = _draft(tmp_path)
    table["training"]["swarm"] = rules
    draft = Draft.load(_written(tmp_path, table), NOW)
    assert draft.training.swarm.recomputed_share == share


def test_the_share_of_a_draft_is_signed(tmp_path: Path, begun: Home) -> None:
    draft = Draft.load(_written(tmp_path, _draft(tmp_path)), NOW)
    create(begun, NewRun(draft), SETTINGS, NOW)
    assert RunManifest.load(begun.manifest).training.swarm.recomputed_share == 0.02


@pytest.mark.parametrize(
    ("part", "field", "value", "words"),
    [
        ("training", "text", {"tokenizer": "absent.json"}, "absent.json cannot be read"),
        ("training", "codec", {"config": "../secret", "weights": "codec.safetensors"}, "secret"),
        ("training", "name", "No Such Name", "name"),
        ("contact", "title", "", "title"),
    ],
)
def test_a_fault_of_a_draft_is_named(
    tmp_path: Path, part: str, field: str, value: object, words: str
) -> None:
    table = _draft(tmp_path / "run")
    table[part][field] = value
    (tmp_path / "secret").touch()
    with pytest.raises(CoreError, match=words):
        Draft.load(_written(tmp_path / "run", table), NOW)


ADDRESSES = ("/ip4/127.0.0.1/tcp/1/p2p/Qm", "/ip4/10.0.0.7/tcp/1/p2p/Qm")


@pytest.mark.parametrize(
    ("announce", "addresses", "public"),
    [
        ((), ADDRESSES, ADDRESSES[1:]),
        ((), ADDRESSES[:1], ADDRESSES[:1]),
        (("/dns4/a.org/tcp/9",), ADDRESSES, ("/dns4/a.org/tcp/9/p2p/Qm",)),
    ],
)
def test_entry_points_for_the_public(
    announce: tuple[str, ...], addresses: tuple[str, ...], public: tuple[str, ...]
) -> None:
    settings = SETTINGS.model_copy(update={"swarm": SwarmSettings(announce=announce)})
    assert public_addresses(settings, addresses) == public


def test_contact_is_issued_again_only_where_something_moved(begun: Home, run: NewRun) -> None:
    contact = create(begun, run, SETTINGS, NOW).contact
    assert contact.gate
    entry, key = contact.initial_peers, contact.gate.key
    assert successor(contact, SETTINGS, entry, key, NOW) is None
    for moved in (
        successor(contact, SETTINGS.model_copy(update={"address": "https://b.org"}), entry, key, NOW),
        successor(contact, SETTINGS, ADDRESSES, key, NOW),
        successor(contact, SETTINGS, entry, None, NOW),
    ):
        assert moved
        assert moved.serial == contact.serial + 1
