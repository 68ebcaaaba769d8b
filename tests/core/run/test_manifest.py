"""The run manifest: what it keeps, what its signatures bind, and what it refuses."""

import contextlib
import hashlib
import json
import math
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ManifestError
from core.families.text_to_image.rules import TextToImageRules
from core.model.config import preset
from core.run.aggregation import Aggregation, RobustRules
from core.run.contact import ClipRanking, Contact, Ranking, ScorerRanking
from core.run.encodings import Encoding
from core.run.filters import FilterSettings
from core.run.manifest import RunManifest
from core.run.manifest_text import MAX_MANIFEST_BYTES, expand_preset
from core.run.optimizer_rules import AdamWRules, LambRules
from core.run.rules import SwarmRules
from core.run.signed_parts import set_fields
from core.run.training.data_rules import CodecRules, DataRules, HubSource, TextRules
from core.signing import SigningKey, canonical
from core.storage.files import FileRef

KEY = SigningKey.generate()


def file_ref(path: str) -> FileRef:
    return FileRef(path=path, sha256="ab" * 32, size=1000)


TRAINING = TextToImageRules(
    name="emoji-starter",
    model=preset("emoji"),
    codec=CodecRules(config=file_ref("codec/config.yaml"), weights=file_ref("codec/vqgan.safetensors")),
    text=TextRules(tokenizer=file_ref("tokenizer.json"), length=16, vocab=2048),
    data=DataRules(
        shards=(file_ref("data/a.parquet"), file_ref("data/b.parquet")),
        filters=FilterSettings(safe_labels=frozenset({"UNLIKELY", "UNSURE", "OTHER"})),
    ),
    swarm=SwarmRules(target_batch_size=256, gradient_encoding=Encoding.BLOCKWISE8),
)
CONTACT = Contact(
    title="Emoji, together",
    initial_peers=("/ip4/127.0.0.1/tcp/31337/p2p/12D3KooWBxMw",),
    sample_prompts=("a red heart", "grinning cat"),
    issued_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
)


@dataclass(frozen=True)
class Saved:
    """A manifest on disk, to be damaged."""

    manifest: RunManifest
    path: Path

    def edit(self, change: Callable[[dict[str, Any]], None]) -> None:
        table = tomllib.loads(self.path.read_text())
        change(table)
        self.path.write_text(tomli_w.dumps(table))


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    manifest = RunManifest.create(TRAINING, CONTACT, KEY)
    path = tmp_path / "run.toml"
    manifest.save(path)
    return Saved(manifest, path)


def test_a_saved_manifest_loads_as_it_was(saved: Saved) -> None:
    loaded = RunManifest.load(saved.path, fingerprint=saved.manifest.fingerprint)
    assert loaded == saved.manifest
    assert loaded.training.swarm == TRAINING.swarm
    assert loaded.training_digest == saved.manifest.training_digest


def test_prose_and_addresses_have_dots_as_they_like(tmp_path: Path) -> None:
    peers = tuple(f"/ip4/10.0.0.{number}/tcp/31337/p2p/12D3KooWBxMw" for number in range(64))
    for prose in ("Go. " * 1000, "'\\\" 1.2\n" * 400, ".a" * 2000):
        contact = CONTACT.model_copy(update={"description": prose, "initial_peers": peers})
        manifest, path = RunManifest.create(TRAINING, contact, KEY), tmp_path / "run.toml"
        manifest.save(path)
        path.write_text(path.read_text().replace(",\n    ", ", "))
        assert RunManifest.load(path) == manifest


def test_robust_rules_are_spelled_out_in_a_new_run_and_absent_in_others(tmp_path: Path) -> None:
    """A manifest that was signed before there were any keeps its digest, and its weights have no cap."""
    assert "robust" not in set_fields(RunManifest.create(TRAINING, CONTACT, KEY).training)["swarm"]
    assert TRAINING.swarm.weight_cap is None
    swarm = SwarmRules(aggregation=Aggregation.CENTERED_CLIP, robust=RobustRules())
    manifest = RunManifest.create(TRAINING.model_copy(update={"swarm": swarm}), CONTACT, KEY)
    manifest.save(tmp_path / "run.toml")
    table = tomllib.loads((tmp_path / "run.toml").read_text())["training"]["swarm"]
    assert table["aggregation"] == "centered_clip"
    assert table["robust"] == {
        "weight_cap": 2.0,
        "radius": 1.0,
        "iterations": 3,
        "trimmed_share": 0.3,
        "of_senders": False,
    }
    assert RunManifest.load(tmp_path / "run.toml").training.swarm == manifest.training.swarm


@pytest.mark.parametrize("name", ["run.toml", "run-all.toml"])
def test_manifests_of_before_keep_their_digests(name: str) -> None:
    path = Path(__file__).parents[3] / "assets" / "embedded" / name
    table = tomllib.loads(path.read_text())
    manifest = RunManifest.load(path)
    signed = {"key": manifest.key, "training": table["training"]}
    message = b"idlebrush/1/training\n" + canonical(signed)
    assert manifest.training_digest == hashlib.sha256(message).hexdigest()
    assert (manifest.training.swarm.aggregation, manifest.training.swarm.robust) == (Aggregation.MEAN, None)


def test_saving_again_changes_no_byte(saved: Saved) -> None:
    before = saved.path.read_bytes()
    RunManifest.load(saved.path).save(saved.path)
    assert saved.path.read_bytes() == before


def test_order_and_comments_do_not_matter(saved: Saved) -> None:
    def reverse(table: Any) -> Any:
        return {k: reverse(v) for k, v in reversed(table.items())} if isinstance(table, dict) else table

    table = tomllib.loads(saved.path.read_text())
    saved.path.write_text("# issued by hand\n" + tomli_w.dumps(reverse(table)))
    assert RunManifest.load(saved.path).training_digest == saved.manifest.training_digest


@settings(max_examples=60)
@given(
    peak_lr=st.floats(min_value=1e-12, max_value=1e6),
    eps=st.integers(min_value=1, max_value=10**6).map(float),
    seed=st.integers(min_value=0, max_value=2**63 - 1),
)
def test_every_number_survives_toml(tmp_path: Path, peak_lr: float, eps: float, seed: int) -> None:
    training = TRAINING.model_copy(
        update={
            "schedule": TRAINING.schedule.model_copy(update={"peak_lr": peak_lr}),
            "optimizer": TRAINING.optimizer.model_copy(update={"eps": eps}),
            "data": TRAINING.data.model_copy(update={"seed": seed}),
        }
    )
    manifest = RunManifest.create(training, CONTACT, KEY)
    manifest.save(tmp_path / "run.toml")
    assert RunManifest.load(tmp_path / "run.toml").training_digest == manifest.training_digest


@settings(max_examples=150)
@given(place=st.floats(min_value=0, max_value=1, exclude_max=True), byte=st.integers(0, 255))
def test_no_single_byte_can_be_changed_unnoticed(saved: Saved, place: float, byte: int) -> None:
    whole = saved.path.read_bytes()
    at = int(place * len(whole))
    damaged = saved.path.with_name("damaged.toml")
    damaged.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
    with contextlib.suppress(ManifestError):
        assert RunManifest.load(damaged) == saved.manifest


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("training", "name"), "emoji-other"),
        (("training", "swarm", "target_batch_size"), 257),
        (("training", "schedule", "peak_lr"), 0.0026),
        (("training", "codec", "weights", "sha256"), "ac" * 32),
        (("contact", "initial_peers"), ["/ip4/6.6.6.6/tcp/1/p2p/12D3KooWBxMw"]),
        (("contact", "serial"), 1),
        (("state", "generation"), 1),
    ],
)
def test_a_changed_value_breaks_the_signature_of_its_part(
    saved: Saved, path: tuple[str, ...], value: object
) -> None:
    def change(table: dict[str, Any]) -> None:
        for name in path[:-1]:
            table = table[name]
        table[path[-1]] = value

    saved.edit(change)
    with pytest.raises(ManifestError, match=r"part of the manifest is not what its organiser signed"):
        RunManifest.load(saved.path)


def test_parts_cannot_be_moved_between_runs_of_one_key(saved: Saved) -> None:
    other = RunManifest.create(TRAINING.model_copy(update={"name": "other"}), CONTACT, KEY)

    def change(table: dict[str, Any]) -> None:
        table["signatures"]["contact"] = other.signatures.contact

    saved.edit(change)
    with pytest.raises(ManifestError, match=r"\[contact\]"):
        RunManifest.load(saved.path)


def test_another_key_is_refused_when_the_link_names_one(saved: Saved) -> None:
    with pytest.raises(ManifestError, match="signed by another key"):
        RunManifest.load(
            saved.path, fingerprint=RunManifest.create(TRAINING, CONTACT, SigningKey.generate()).fingerprint
        )


def test_a_fingerprint_may_be_typed_carelessly(saved: Saved) -> None:
    typed = saved.manifest.fingerprint.upper().replace("-", "  ")
    assert RunManifest.load(saved.path, fingerprint=typed) == saved.manifest


LOCAL_STEPS: dict[str, Any] = {
    "overlap": "full",
    "gradient_encoding": "uniform8",
    "local_steps": {"steps": 8},
}
"""Swarm rules of local steps, with the defaults that every manifest has."""


def by_clock(seconds: float) -> dict[str, Any]:
    """Return swarm rules with rounds of that many seconds."""
    return {**LOCAL_STEPS, "local_steps": {"steps": 8, "round_seconds": seconds}}


REFUSALS: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("wrong type", lambda t: t["training"]["swarm"].update(group_size="many"), "training.swarm.group_size"),
    (
        "text for a number",
        lambda t: t["training"]["swarm"].update(group_size="64"),
        "training.swarm.group_size",
    ),
    ("nan", lambda t: t["training"]["schedule"].update(peak_lr=float("nan")), "training.schedule.peak_lr"),
    (
        "infinity",
        lambda t: t["training"]["schedule"].update(peak_lr=float("inf")),
        "training.schedule.peak_lr",
    ),
    (
        "unknown field",
        lambda t: t["training"]["swarm"].update(colour=1),
        "training.swarm.colour is not a known",
    ),
    ("missing field", lambda t: t["training"].pop("codec"), "training.codec is missing"),
    ("missing part", lambda t: t.pop("state"), "state is missing"),
    ("unknown format", lambda t: t.update(format=2), "format"),
    ("unknown preset", lambda t: t["training"].update(model={"preset": "huge"}), "There is no preset 'huge'"),
    (
        "unknown encoding",
        lambda t: t["training"]["swarm"].update(gradient_encoding="zip"),
        "gradient_encoding",
    ),
    (
        "unknown optimizer",
        lambda t: t["training"]["optimizer"].update(kind="sgd"),
        'training.optimizer: kind must be "lamb" or "adamw"',
    ),
    (
        "an optimizer that is no name",
        lambda t: t["training"]["optimizer"].update(kind=["lamb"]),
        'training.optimizer: kind must be "lamb" or "adamw"',
    ),
    (
        "trust ratio of AdamW",
        lambda t: t["training"].update(optimizer={"kind": "adamw", "clamp_value": 10.0}),
        "training.optimizer.adamw.clamp_value is not a known field",
    ),
    (
        "AdamW without its correction",
        lambda t: t["training"].update(optimizer={"kind": "adamw", "bias_correction": False}),
        "training.optimizer.adamw.bias_correction is not a known field",
    ),
    ("warm-up too long", lambda t: t["training"]["schedule"].update(warmup_epochs=10**6), "must not exceed"),
    (
        "no room for averaging",
        lambda t: t["training"]["swarm"].update(matchmaking_seconds=170.0),
        "leave room",
    ),
    (
        "rounds by the clock that end before their exchange",
        lambda t: t["training"]["swarm"].update(by_clock(1.0)),
        "round_seconds must not be less than matchmaking_seconds or allreduce_seconds: a round takes up to 60 s",
    ),
    (
        "rounds by the clock that end before their group has formed",
        lambda t: t["training"]["swarm"].update(
            by_clock(29.9), matchmaking_seconds=30.0, allreduce_seconds=10.0
        ),
        "a round takes up to 30 s",
    ),
    (
        "gradients in 4 bits",
        lambda t: t["training"]["swarm"].update(gradient_encoding="blockwise4"),
        'gradient_encoding = "blockwise4" needs local_steps',
    ),
    (
        "small gradients in 4 bits",
        lambda t: t["training"]["swarm"].update(small_tensor_encoding="blockwise4"),
        'small_tensor_encoding = "blockwise4" needs local_steps',
    ),
    (
        "small gradients in 4 bits beside a low rank",
        lambda t: t["training"]["swarm"].update(
            gradient_encoding={"rank": 4}, small_tensor_encoding="blockwise4"
        ),
        'small_tensor_encoding = "blockwise4" needs local_steps',
    ),
    *(
        (
            f"gradients as {form} beside local steps",
            lambda t, form=form: t["training"]["swarm"].update(LOCAL_STEPS, gradient_encoding=form),
            "gradient_encoding is for gradients: local_steps have drift_encoding instead",
        )
        for form in ("blockwise4", "blockwise8", "float32", {"rank": 4})
    ),
    (
        "a mean of senders of gradients",
        lambda t: t["training"]["swarm"].update(aggregation="mean_of_senders"),
        'aggregation = "mean_of_senders" is for sparse drifts of local_steps',
    ),
    (
        "a robust rule without its parameters",
        lambda t: t["training"]["swarm"].update(aggregation="centered_clip"),
        'aggregation = "centered_clip" needs its parameters: robust = {} takes the usual ones',
    ),
    (
        "clipped gradients averaged over their senders",
        lambda t: t["training"]["swarm"].update(aggregation="clipped_mean", robust={"of_senders": True}),
        "robust.of_senders is for sparse drifts of local_steps",
    ),
    *(
        (
            f"nonsense as {name}",
            lambda t, name=name, value=value: t["training"]["swarm"].update(robust={name: value}),
            f"robust.{name}",
        )
        for name, value in (
            ("weight_cap", 0.5),
            ("weight_cap", math.inf),
            ("radius", 0.0),
            ("iterations", 0),
            ("iterations", 2.5),
            ("trimmed_share", 0.5),
            ("trimmed_share", 0.0),
            ("of_senders", "yes"),
            ("median", 3),
        )
    ),
    ("text unlike the model's", lambda t: t["training"]["text"].update(length=17), "model.text_length"),
    ("end outside vocabulary", lambda t: t["training"]["text"].update(eos_id=2048), "less than vocab"),
    (
        "path upwards",
        lambda t: t["training"]["codec"]["config"].update(path="../x"),
        "training.codec.config.path",
    ),
    ("absolute path", lambda t: t["training"]["codec"]["config"].update(path="/etc/x"), "codec.config.path"),
    ("backslashes", lambda t: t["training"]["codec"]["config"].update(path="..\\x"), "codec.config.path"),
    ("no shards", lambda t: t["training"]["data"].pop("shards"), "either shards or hub"),
    ("escape sequence", lambda t: t["contact"].update(title="\x1b[2J"), "contact.title"),
    (
        "odd address",
        lambda t: t["contact"].update(initial_peers=["evil.example:80"]),
        "contact.initial_peers.0",
    ),
    ("unknown ranking", lambda t: t["contact"].update(ranking={"kind": "taste"}), "contact.ranking"),
    (
        "ranking by a branch",
        lambda t: t["contact"].update(ranking={"kind": "clip", "repo": "a/b", "revision": "main"}),
        "contact.ranking.clip.revision",
    ),
    ("time without zone", lambda t: t["contact"].update(issued_at="2026-01-02T03:04:05"), "time zone"),
    ("signature cut short", lambda t: t["signatures"].update(training="ab"), "signatures.training"),
    ("a list for a table", lambda t: t.update(training=[]), "training"),
]


@pytest.mark.parametrize(
    ("change", "named"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS]
)
def test_nonsense_is_refused_by_name(
    saved: Saved, change: Callable[[dict[str, Any]], None], named: str
) -> None:
    saved.edit(change)
    with pytest.raises(ManifestError) as refusal:
        RunManifest.load(saved.path)
    assert named in refusal.value.what
    assert refusal.value.remedy


@pytest.mark.parametrize(
    "rules",
    [
        LOCAL_STEPS,
        {**LOCAL_STEPS, "small_tensor_encoding": "blockwise4"},
        {**LOCAL_STEPS, "local_steps": {"drift_encoding": "blockwise4", "mean_encoding": "blockwise4"}},
        by_clock(60.0),
        {**by_clock(30.0), "matchmaking_seconds": 30.0, "allreduce_seconds": 10.0},
    ],
)
def test_rules_at_their_limits_are_taken(rules: dict[str, Any]) -> None:
    SwarmRules.model_validate_json(json.dumps(rules))


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"not toml at all", "not a manifest in TOML"),
        (b"\xff\xfe", "not a manifest in TOML"),
        (b"a = " + b"[" * 50_000, "not a manifest in TOML"),
        (b"#" * (MAX_MANIFEST_BYTES + 1), "more than"),
        (b"a = 0x" + b"f" * 8000, "cannot be a manifest"),
        (b"a" + b".a" * 20_000 + b" = 1", "too many dots"),
        (b"[a" + b" . a" * 20_000 + b"]", "too many dots"),
        (b'"a"' + b".'a'" * 20_000 + b" = 1", "too many dots"),
        (b'# "\na' + b".a" * 20_000 + b" = 1", "too many dots"),
        (b'x = {y = """\n\\"" """"", a' + b".a" * 20_000 + b' = ""}', "too many dots"),
        (b"x = {y = '''\n''''', a" + b".a" * 20_000 + b" = ''}", "too many dots"),
        (
            b"".join(b"[" + b".".join([b"a"] * depth) + b"]\n" for depth in range(1, 17)),
            "training is missing",
        ),
        (b"", "training is missing"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, named: str) -> None:
    path = tmp_path / "run.toml"
    path.write_bytes(content)
    with pytest.raises(ManifestError, match=named):
        RunManifest.load(path)


def test_a_time_of_toml_is_the_same_as_its_text(saved: Saved) -> None:
    saved.edit(lambda table: table["contact"].update(issued_at=CONTACT.issued_at))
    assert RunManifest.load(saved.path) == saved.manifest


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"nowhere\.toml"):
        RunManifest.load(tmp_path / "nowhere.toml")


def test_contact_is_reissued_with_a_higher_serial_only() -> None:
    run = RunManifest.create(TRAINING, CONTACT, KEY)
    moved = run.reissue_contact(CONTACT.model_copy(update={"title": "Moved", "serial": 1}), KEY)
    assert moved.contact.title == "Moved"
    assert (moved.training_digest, moved.dht_prefix) == (run.training_digest, run.dht_prefix)
    with pytest.raises(ManifestError, match=r"contact\.serial"):
        moved.reissue_contact(CONTACT, KEY)


def test_a_generation_is_in_every_key_of_the_dht() -> None:
    run = RunManifest.create(TRAINING, CONTACT, KEY)
    rolled_back = run.roll_back(KEY)
    assert rolled_back.state.generation == 1
    assert rolled_back.training_digest == run.training_digest
    assert rolled_back.dht_prefix != run.dht_prefix
    assert run.training_digest[:16] in run.dht_prefix
    assert "." not in run.dht_prefix
    assert run.dht_prefix.endswith("-0-v7"), (
        "programs that can't read each other's records are in different swarms"
    )


def test_runs_of_two_organisers_never_mix() -> None:
    runs = [RunManifest.create(TRAINING, CONTACT, SigningKey.generate()) for _ in range(2)]
    assert runs[0].dht_prefix != runs[1].dht_prefix


def test_only_the_runs_own_key_can_reissue() -> None:
    run = RunManifest.create(TRAINING, CONTACT, KEY)
    with pytest.raises(ManifestError, match="did not sign this run"):
        run.roll_back(SigningKey.generate())


def test_an_older_manifest_than_the_one_seen_is_refused(tmp_path: Path) -> None:
    run = RunManifest.create(TRAINING, CONTACT, KEY)
    newer = run.roll_back(KEY)
    run.save(tmp_path / "old.toml")
    newer.save(tmp_path / "new.toml")
    assert RunManifest.load(tmp_path / "new.toml", seen=run) == newer
    assert RunManifest.load(tmp_path / "new.toml", seen=newer) == newer
    with pytest.raises(ManifestError, match=r"\[state\] part has serial 0"):
        RunManifest.load(tmp_path / "old.toml", seen=newer)


def test_two_contacts_of_one_serial_are_refused(saved: Saved) -> None:
    other = RunManifest.create(TRAINING, CONTACT.model_copy(update={"title": "Two-faced"}), KEY)
    with pytest.raises(ManifestError, match=r"\[contact\]"):
        RunManifest.load(saved.path, seen=other)


def test_a_manifest_of_another_run_is_no_successor(saved: Saved) -> None:
    other = RunManifest.create(TRAINING.model_copy(update={"name": "other"}), CONTACT, KEY)
    with pytest.raises(ManifestError, match="another run"):
        RunManifest.load(saved.path, seen=other)


def test_a_preset_is_stored_with_all_its_sizes(saved: Saved) -> None:
    table = expand_preset({"training": {"model": {"preset": "emoji", "depth": 7}}})
    assert table["training"]["model"] == {**preset("emoji").model_dump(mode="json"), "depth": 7}
    stored = tomllib.loads(saved.path.read_text())["training"]["model"]
    assert stored == preset("emoji").model_dump(mode="json")


def test_data_from_the_hub_needs_a_commit() -> None:
    HubSource(repo="laion/laion_100m_vqgan_f8", revision="a" * 40)
    with pytest.raises(ValueError, match="revision"):
        HubSource(repo="laion/laion_100m_vqgan_f8", revision="main")


@pytest.mark.parametrize(
    ("ranking", "files", "words"),
    [
        (None, (), ""),
        (ClipRanking(), (), "openai/clip-vit-base-patch32, fetched from the Hugging Face Hub"),
        (ScorerRanking(weights=file_ref("scorer")), (file_ref("scorer"),), "a scorer of its own, 1.0 kB"),
    ],
)
def test_what_ranks_pictures_is_signed_and_reported(
    saved: Saved, ranking: Ranking | None, files: tuple[FileRef, ...], words: str
) -> None:
    contact = CONTACT.model_copy(update={"ranking": ranking, "serial": 1})
    saved.manifest.reissue_contact(contact, KEY).save(saved.path)
    manifest = RunManifest.load(saved.path, seen=saved.manifest)
    assert manifest.contact.ranking == ranking
    assert manifest.files == (*TRAINING.files, *files)
    assert words in "\n".join(manifest.describe())


def test_a_table_without_a_kind_is_of_lamb(saved: Saved) -> None:
    """Manifests that were signed before there was a choice have none."""
    training = TextToImageRules.model_validate_json(
        json.dumps({**set_fields(TRAINING), "optimizer": {"eps": 1e-5}})
    )
    assert training.optimizer == LambRules(eps=1e-5)
    assert "kind" not in set_fields(training)["optimizer"]


def test_adamw_is_signed_and_loaded(tmp_path: Path) -> None:
    rules = AdamWRules(kind="adamw", weight_decay=0.2)
    manifest = RunManifest.create(TRAINING.model_copy(update={"optimizer": rules}), CONTACT, KEY)
    manifest.save(tmp_path / "run.toml")
    loaded = RunManifest.load(tmp_path / "run.toml")
    assert loaded.training.optimizer == rules
    assert loaded.training_digest != RunManifest.create(TRAINING, CONTACT, KEY).training_digest


def test_the_description_says_what_joining_means() -> None:
    text = "\n".join(RunManifest.create(TRAINING, CONTACT, KEY).describe())
    assert "Emoji, together" in text
    assert "million parameters" in text
    assert "256 samples" in text
    assert "blockwise8" in text
