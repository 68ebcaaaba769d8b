"""Runs that a user looks at, and the preferences of a fresh client, for the tests of the first run."""

from typing import Any

from client.api.answers import Done
from client.api.candidate import CandidateStage, CandidateView, GateView, PaceBasis, PlanView, TrafficView
from client.api.snapshot import Snapshot
from client.preferences.preferences import Preferences, describe
from tests.client.snapshots import IDLE

PLAN = PlanView(
    fits=True,
    device="",
    techniques=("reverse",),
    micro_batch=4,
    gpu_bytes=0,
    ram_bytes=2_400_000_000,
    text="It trains on the processor.",
)
EMBEDDED = CandidateView(
    location="embedded",
    stage=CandidateStage.READY,
    digest="ab" * 32,
    title="Emoji, a starter set",
    description="A small model learns to draw emoji from their names.",
    fingerprint="abcd-efgh-ijkl-mnop-qrst-uvwx",
    is_vouched_for=True,
    target_batch_size=96,
    total_epochs=600,
    sample_prompts=("red heart", "pizza"),
    plan=PLAN,
)
GATE = GateView(
    coordinator="https://train.example.org",
    key="cd" * 32,
    issuer="https://huggingface.co",
    admits="organisation",
    organisation="learners",
)
OPEN = EMBEDDED.model_copy(
    update={
        "location": "https://train.example.org/run.toml",
        "coordinator": "https://train.example.org",
        "title": "A large run",
        "download_bytes": 1_200_000_000,
        "traffic": TrafficView(
            bytes_per_day=41_000_000_000,
            bytes_per_day_if_reached=330_000_000_000,
            state_bytes=0,
            basis=PaceBasis.ASSUMED,
            seconds_per_epoch=15.0,
            computers=16,
            updates_left=600,
            ends_within_a_day=False,
        ),
    }
)
GATED = OPEN.model_copy(update={"gate": GATE})
PREFERENCES = Done(id=0, preferences=describe(Preferences()))


def looking_at(candidate: CandidateView | None, **changes: Any) -> Snapshot:
    """A daemon that looks at that run; the changes are to the candidate run."""
    seen = candidate.model_copy(update=changes) if candidate else None
    return IDLE.model_copy(update={"candidate": seen})
