"""The daemon's child describes an inspected run, and fetches exactly the run that was inspected."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage, EntrancesView
from client.api.errors import DownloadError, GateError, JoinError
from client.api.messages import Traffic
from client.directory.known_lists import KnownLists
from client.directory.making import card_of
from client.fetching.web_client import WebClient
from client.joining.allowed import ResourceLimits
from client.joining.inspection import carry_out, techniques_of
from client.joining.pace import RunPace, UpdatePace
from client.joining.run_files import RUN_WORDING
from client.joining.tasks import FetchedRun, FetchRun, FilesFetched, InspectedRun, LookUp
from client.joining.traffic import traffic
from client.paths import HOME_VARIABLE, Paths
from client.preferences.preferences import Preferences
from core.errors import ManifestError, VersionError
from core.fingerprint import fingerprint_of
from core.memory.machine import Sizes
from core.model.techniques import Activations, Precision, Techniques
from core.run.contact import GateRules
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.run_list import ListedGate, RunList
from core.run.training.families import picture_rules
from core.signing import SigningKey
from core.swarm.bandwidth import Line
from tests.client.run_server import broken_off, serving
from tests.swarms.tiny_run import MODEL, write_tiny_run

PEER = "12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"
ALLOWED = ResourceLimits(threads=1, gpus=())


@pytest.fixture
def served(tmp_path: Path) -> Path:
    return write_tiny_run(tmp_path / "served", prompts=("red heart",) * 20)


@pytest.fixture
def look(served: Path, tmp_path: Path) -> LookUp:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path / "home")})
    return LookUp(location=str(served), key=None, paths=paths, allowed=ALLOWED, hub="https://hub.example")


def fetching(look: LookUp, manifest: RunManifest, **changes: object) -> FetchRun:
    task = FetchRun(
        location=look.location,
        key=manifest.fingerprint,
        paths=look.paths,
        allowed=look.allowed,
        digest=manifest.training_digest,
    )
    return task.model_copy(update=changes)


def unheard(_: FilesFetched | Traffic) -> None:
    pass


def test_a_run_is_reported_whole_in_one_line(look: LookUp, served: Path) -> None:
    manifest = RunManifest.load(served)
    offered = carry_out(look, unheard)
    assert isinstance(offered, InspectedRun)
    seen = offered.view
    assert (seen.stage, seen.digest, seen.fingerprint) == (
        CandidateStage.READY,
        manifest.training_digest,
        manifest.fingerprint,
    )
    assert seen.is_vouched_for, "it is the volunteer's own file"
    assert seen.sample_prompts == ("red heart",) * 16
    assert seen.plan is not None
    assert seen.plan.device == ""
    assert seen.traffic == traffic(manifest.training), "a day's traffic is told before anything is measured"
    assert len(picture_rules(offered.training).data.shards) == 1
    assert not look.paths.data.exists(), "nothing is made before consent"


def test_a_run_that_differs_from_its_card_on_a_list_is_warned_of(look: LookUp, served: Path) -> None:
    with serving(served.parent) as server:
        link = JoinLink(server.address("run.toml"), RunManifest.load(served).fingerprint)
        with WebClient.through(Line(), RUN_WORDING) as web:
            true = card_of(str(link), web)
        asked = look.model_copy(update={"location": str(link), "key": None})
        for changes, expected in (
            ({}, ()),
            ({"title": "Dogs", "gate": ListedGate.ANYONE}, ("title", "gate")),
            ({"link": f"{link}".replace("run.toml", "other.toml"), "title": "Dogs"}, ()),
        ):
            listing = true.model_copy(update=changes)
            key = SigningKey.generate()
            made = RunList.create("Ours", (listing,), key, 1, datetime(2026, 11, 30, tzinfo=UTC))
            with KnownLists.opened(look.paths.lists) as (lists, _):
                lists.add("https://ours.example/runs.json", made, made.text())
            inspected = carry_out(asked, unheard)
            assert isinstance(inspected, InspectedRun)
            assert inspected.view.differences == expected


@pytest.mark.parametrize("damage", [b"", b"{}", b"\xff"])
def test_lists_that_are_damaged_compare_nothing(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "lists.json").write_bytes(damage)
    assert KnownLists.cards_of(tmp_path, "https://run.example#abcd") == ()


def test_whether_the_run_can_be_entered_is_found_out_before_consent(look: LookUp, tmp_path: Path) -> None:
    def entrances_of(*ports: int) -> EntrancesView | None:
        peers = tuple(f"/ip4/127.0.0.1/tcp/{port}/p2p/{PEER}" for port in ports)
        location = str(write_tiny_run(tmp_path / f"entered{ports}", peers))
        inspected = carry_out(look.model_copy(update={"location": location}), unheard)
        assert isinstance(inspected, InspectedRun)
        return inspected.view.entrances

    with serving(tmp_path) as server:
        assert entrances_of(server.server_port, 1) == EntrancesView(by_ip4=True, by_ip6=False)
    assert entrances_of(1) == EntrancesView(by_ip4=False, by_ip6=False)
    assert entrances_of() is None


def test_the_pace_of_a_run_is_asked_of_its_coordinator(look: LookUp, served: Path) -> None:
    run = RunManifest.load(served)
    with serving(served.parent) as server:
        contact = run.contact.model_copy(update={"coordinator": server.address("")})
        manifest = RunManifest.create(run.training, contact, SigningKey.generate())
        manifest.save(served)
        measured = UpdatePace(epochs=10, seconds=900.0, contributors=3.0)
        pace = RunPace(run=manifest.training_digest, epoch=120, measured=measured)
        (served.parent / "api").mkdir()
        (served.parent / "api" / "pace").write_text(pace.model_dump_json())
        offered = carry_out(look, unheard)
    assert isinstance(offered, InspectedRun)
    assert offered.pace == pace
    assert offered.view.traffic == traffic(manifest.training, pace)
    assert [path for path, _ in server.asked] == ["/api/pace"]


def test_a_run_that_cannot_be_trained_is_not_offered(look: LookUp, tmp_path: Path) -> None:
    location = str(write_tiny_run(tmp_path / "misfit", model=MODEL.model_copy(update={"grid": 8})))
    with pytest.raises(JoinError, match="4 x 4 codes, but the model draws 8 x 8"):
        carry_out(look.model_copy(update={"location": location}), unheard)
    assert not look.paths.data.exists()


def test_a_run_that_needs_a_newer_version_is_not_offered(look: LookUp, served: Path) -> None:
    run = RunManifest.load(served)
    contact = run.contact.model_copy(update={"least_version": "9999"})
    RunManifest.create(run.training, contact, SigningKey.generate()).save(served)
    with pytest.raises(VersionError, match="needs Idlebrush 9999 or newer; this is") as refusal:
        carry_out(look, unheard)
    assert refusal.value.remedy.startswith("Update Idlebrush")
    assert not look.paths.data.exists()


def test_what_a_trainer_would_give_back_is_planned_with(look: LookUp, served: Path) -> None:
    training = RunManifest.load(served).training
    before, after = (ALLOWED.plan(training, held) for held in (Sizes(0, 0), Sizes(0, 1 << 50)))
    assert after.available.ram - before.available.ram > 1 << 49


def test_a_run_is_brought_with_word_of_its_bytes(look: LookUp, served: Path) -> None:
    manifest = RunManifest.load(served)
    messages: list[FilesFetched | Traffic] = []
    fetched = carry_out(fetching(look, manifest), messages.append)
    assert isinstance(fetched, FetchedRun)
    assert RunManifest.load(fetched.folder / "run.toml") == manifest
    total = sum(ref.size for ref in manifest.files)
    assert [item for item in messages if isinstance(item, FilesFetched)][-1] == FilesFetched(
        done=total, total=total
    )
    assert messages[-1] == Traffic(bytes_received=0), "nothing came over the network"


def test_what_came_over_the_network_is_reported_even_if_not_all_of_it_came(
    look: LookUp, served: Path
) -> None:
    manifest, messages = RunManifest.load(served), list[FilesFetched | Traffic]()
    with serving(served.parent) as server:
        server.instead("shard.parquet", broken_off(after=100))
        task = fetching(look, manifest, location=server.address())
        with pytest.raises(DownloadError):
            carry_out(task, messages.append)
    *before, shard = manifest.files
    assert shard.path == "shard.parquet"
    came = served.stat().st_size + sum(ref.size for ref in before) + 100
    assert messages[-1] == Traffic(bytes_received=came)


def test_only_the_run_and_the_key_that_were_seen_are_brought(look: LookUp, served: Path) -> None:
    manifest = RunManifest.load(served)
    with pytest.raises(JoinError, match="another run than the one that you inspected"):
        carry_out(fetching(look, manifest, digest="0" * 64), unheard)
    with pytest.raises(ManifestError, match="another key"):
        carry_out(fetching(look, manifest, key=fingerprint_of(SigningKey.generate().public_key)), unheard)
    assert not look.paths.data.exists()


def test_runs_take_no_more_of_the_disk_than_is_allowed(look: LookUp, served: Path) -> None:
    allowed = ALLOWED.model_copy(update={"disk": 1000})
    with pytest.raises(JoinError, match="you allow"):
        carry_out(fetching(look, RunManifest.load(served), allowed=allowed), unheard)


def test_a_gate_without_anybody_who_keeps_it_is_refused(look: LookUp, tmp_path: Path) -> None:
    gate = GateRules(key=SigningKey.generate().public_key)
    location = str(write_tiny_run(tmp_path / "gated", gate=gate))
    with pytest.raises((JoinError, GateError)):
        carry_out(look.model_copy(update={"location": location}), unheard)


def test_what_is_allowed_is_what_the_volunteer_prefers() -> None:
    preferred = {"gpus": (1,), "vram_limit": 4, "ram_limit": 3, "disk_limit": 2, "download": 1, "threads": 7}
    allowed = ResourceLimits(gpus=(1,), gpu_memory=4, ram=3, disk=2, download=1, threads=7)
    assert ResourceLimits.of(Preferences().model_copy(update=preferred)) == allowed
    assert ResourceLimits.of(Preferences()).threads >= 1


@pytest.mark.parametrize(
    ("techniques", "names"),
    [
        (Techniques(), []),
        (Techniques(micro_batch=8, checkpointed=3, kept=2, loss_chunk=None), []),
        (Techniques(precision=Precision.BFLOAT16), ["bfloat16"]),
        (Techniques(precision=Precision.FLOAT16, activations=Activations.CHECKPOINT), ["float16", "checkpoint"]),
        (Techniques(activations=Activations.REVERSE, eight_bit_optimizer=True), ["reverse", "eight_bit_optimizer"]),
        (Techniques(optimizer_on_cpu=True, loss_chunk=1 << 20), ["optimizer_on_cpu", "loss_chunk"]),
    ],
)  # fmt: skip
def test_techniques_are_named_that_are_used(techniques: Techniques, names: list[str]) -> None:
    assert techniques_of(techniques) == names
