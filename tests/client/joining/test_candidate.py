"""The text that a volunteer reads before joining a run is complete and promises nothing unmeasured."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from client.admission.gate_info import GateInfo
from client.console.amounts import in_bytes
from client.joining.candidate import RunPreview, rows
from client.joining.entrances import Entrance, Protocol
from client.joining.pace import RunPace, UpdatePace
from client.joining.traffic import traffic
from core.memory.machine import MachineResources
from core.run.contact import Contact, GateRules
from core.run.manifest import RunManifest
from core.run.plan import plan_of
from core.run.rules import LocalStepRules, Overlap
from core.signing import SigningKey
from tests.swarms.tiny_run import write_tiny_run

MACHINE = MachineResources(8 << 30)
CLOCK = {"local_steps": LocalStepRules(round_seconds=300.0), "overlap": Overlap.FULL}


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path))


def read(manifest: RunManifest, download: int = 1_500_000, rate: float | None = 7_230.0) -> dict[str, str]:
    return dict(rows(RunPreview(manifest, plan_of(manifest.training, MACHINE), download, rate)))


def test_it_says_what_it_is_what_it_takes_and_who_sees_what(manifest: RunManifest) -> None:
    shown = read(manifest)
    assert shown["Run"] == "A tiny run (tiny)"
    assert shown["Organiser's key"] == manifest.fingerprint
    assert shown["This computer"].startswith("Without a GPU and with 8 GiB of free RAM")
    assert shown["Download"] == "1.5 MB once, before it begins."
    assert shown["Your part"].startswith("About 7,200 samples an hour")
    assert "each way for the 200 updates that the run has left" in shown["Traffic"]
    for word in ("IP address", "peer ID", "how fast it trains", "user name"):
        assert word in shown["Others see"]
    assert "coordinator" not in shown["Others see"]


@pytest.mark.parametrize(
    ("protocols", "start", "end"),
    [
        (("IPv4",), "1 of 1 addresses by which the run is entered answer", "found out when training starts."),
        ((), "Warning: No address by which the run is entered answers", "whether the run continues."),
    ],
)
def test_whether_the_run_can_be_entered_is_told_before_consent(
    manifest: RunManifest, protocols: tuple[Protocol, ...], start: str, end: str
) -> None:
    plan, entrances = plan_of(manifest.training, MACHINE), (Entrance("h:1", protocols),)
    shown = dict(rows(RunPreview(manifest, plan, 0, None, entrances=entrances)))["Connection"]
    assert shown.startswith(start)
    assert shown.endswith(end)


def test_of_a_run_on_this_computer_alone_nothing_leaves_it(manifest: RunManifest) -> None:
    plan, entrances = plan_of(manifest.training, MACHINE), (Entrance("h:1", ("IPv4",)),)
    shown = dict(rows(RunPreview(manifest, plan, 0, 7_230.0, entrances=entrances, is_local=True)))
    assert shown["Traffic"] == "None: no other computer takes part, and nothing leaves this one."
    assert shown["Others see"].startswith("Nothing: nothing leaves this computer.")
    assert "Connection" not in shown
    assert "Internet" not in " ".join(shown.values())


def test_a_run_by_the_clock_says_how_often_it_is_updated(tmp_path: Path) -> None:
    local = LocalStepRules(round_seconds=240.0)
    path = write_tiny_run(tmp_path, overlap=Overlap.FULL, local_steps=local)
    shown = read(RunManifest.load(path))
    assert shown["Goal"] == "200 updates, one every 240 seconds."
    assert shown["Your part"].endswith("there is an update every 4 min 00 s with those of all computers.")
    assert "each way for the 200 updates that the run has left" in shown["Traffic"], "which takes half a day"
    assert "64" not in shown["Your part"] + shown["Goal"]


def test_what_was_not_measured_is_not_promised(manifest: RunManifest) -> None:
    shown = read(manifest, download=0, rate=None)
    assert shown["Your part"] == "Not measured."
    assert shown["Download"] == "Nothing; all files are here."


@pytest.mark.parametrize(
    ("rules", "rate", "words"),
    [
        (
            {},
            None,
            ("About ", "each way in a day", "an update every 6 s, the longest time", "pace is not known"),
        ),
        (
            {},
            360.0,
            ("About ", "each way in a day", "like this one, which make an update every 40 s", "not known"),
        ),
        (CLOCK, None, ("At most about ", "each way in a day", "an update every 5 min 00 s; the run's rules")),
        ({"epochs": 200}, None, ("About ", "each way for the 200 updates that the run has left")),
    ],
    ids=["an assumed pace", "computers like this one", "rounds by the clock", "a short run"],
)
def test_the_traffic_of_a_day_is_told_with_what_it_rests_on(
    tmp_path: Path, rules: dict[str, Any], rate: float | None, words: Sequence[str]
) -> None:
    run = RunManifest.load(write_tiny_run(tmp_path / "run", **{"epochs": 10**6, **rules}))
    text = read(run, rate=rate)["Traffic"]
    assert text.startswith(words[0])
    assert all(word in text for word in words)
    expected = traffic(run.training, samples_per_hour=rate)
    for size in (expected.bytes_per_day, expected.bytes_per_day_if_reached):
        assert f" {in_bytes(size)} " in text
    assert "If other computers can connect to this one" in text


def test_the_pace_that_a_coordinator_has_measured_is_told_as_its_word(manifest: RunManifest) -> None:
    contact = manifest.contact.model_copy(update={"coordinator": "https://train.example.org"})
    run = RunManifest.create(manifest.training, contact, SigningKey.generate())
    measured = UpdatePace(epochs=10, seconds=900.0, contributors=3.0)
    pace = RunPace(run=run.training_digest, epoch=120, measured=measured)
    plan = plan_of(run.training, MACHINE)
    text = dict(rows(RunPreview(run, plan, 0, None, pace)))["Traffic"]
    size = in_bytes(traffic(run.training, pace).bytes_per_day)
    state = in_bytes(traffic(run.training, pace).state_bytes)
    assert text.startswith(
        f"About {size} each way for the 80 updates that the run has left. That is for 4 computers and an update "
        "every 1 min 30 s: the pace of the run's newest updates, as https://train.example.org tells it, with this "
        f"computer in addition. The model's state of {state} is fetched from other computers first. If other"
    )
    over = pace.model_copy(update={"epoch": 200})
    assert dict(rows(RunPreview(run, plan, 0, None, over)))["Traffic"].startswith("None: ")


def test_a_coordinator_that_sees_it_too_is_named(manifest: RunManifest) -> None:
    contact = Contact(
        title="Tiny",
        description="Two\nlines [bold]and no markup[/bold].",
        coordinator="https://example.org",
        issued_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    shown = read(RunManifest.create(manifest.training, contact, SigningKey.generate()))
    assert "So does its coordinator." in shown["Others see"]
    assert shown["In its words"] == "Two lines [bold]and no markup[/bold]."


def test_a_gate_is_reported_before_anybody_signs_in_at_it(manifest: RunManifest) -> None:
    key = SigningKey.generate()
    contact = manifest.contact.model_copy(
        update={"coordinator": "https://train.example.org", "gate": GateRules(key=key.public_key)}
    )
    gated = RunManifest.create(manifest.training, contact, key)
    gate = GateInfo(
        format=1,
        run=gated.training_digest,
        issuer="https://huggingface.co",
        client_id="an-app",
        admits="organisation",
        organisation="painters",
    )
    plan = plan_of(gated.training, MACHINE)
    shown = dict(rows(RunPreview(gated, plan, 0, None, None, gate)))
    assert shown["Who may join"] == "Members of painters on the Hugging Face Hub."
    for words in ("huggingface.co", "https://train.example.org", "no access to your account"):
        assert words in shown["Signing in"]
    for words in ("your user name on the Hub", "unless you hide your name"):
        assert words in shown["Others see"]
