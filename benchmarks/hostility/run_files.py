"""The gated run of a benchmarked swarm: the tiny one, or the one that comes with Idlebrush."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from client.joining.embedded import embedded_run
from core.run.aggregation import Aggregation, RobustRules
from core.run.contact import Contact, GateRules
from core.run.manifest import RunManifest
from core.run.rules import SwarmRules
from core.signing import SigningKey
from tests.gate.run_gate import RunGate
from tests.swarms.tiny_run import write_tiny_run

_LIMITS: Mapping[str, Any] = {
    "matchmaking_seconds": 3.0,
    "allreduce_seconds": 6.0,
    "averaging_seconds": 15.0,
}
"""Time limits of rounds as short as an idle machine allows."""
_DRAFTED: Mapping[str, Any] = {
    "aggregation": Aggregation.CLIPPED_MEAN,
    "robust": RobustRules(),
    "recomputed_share": 0.02,
}
"""Rules of a run whose draft names none (`coordinator.draft`)."""
_TINY_BATCH = 192
_EPOCHS = 5_000


@dataclass(frozen=True)
class AttackedRun:
    """A run on disk, and the gate that admits its peers."""

    manifest: Path
    gate: RunGate
    micro_batch: int
    snapshot_every: int
    """Epochs between two snapshots of a peer's parameters."""


def write_run(model: str, folder: Path, *, slowness: float = 1.0, **swarm: Any) -> AttackedRun:
    """Write the files of a run with a gate, and return it.

    Args:
        model: the run: "tiny" or "embedded".
        folder: folder of its files.
        slowness: factor by which the time limits of rounds are longer than on an idle machine.
        swarm: rules of the swarm that differ from the others' of the benchmark.

    Raises pydantic's ValidationError if rules contradict each other.
    """
    key = SigningKey.generate()
    rules = {**_DRAFTED, **_LIMITS, **swarm}
    rules = {name: slowness * value if name in _LIMITS else value for name, value in rules.items()}
    if model == "tiny":
        manifest = write_tiny_run(
            folder,
            gate=GateRules(key=key.public_key),
            epochs=_EPOCHS,
            **{"target_batch_size": _TINY_BATCH, **rules},
        )
    else:
        manifest = _write_embedded(folder, key, rules)
    digest = RunManifest.load(manifest).training_digest
    return AttackedRun(
        manifest, RunGate(digest, key), micro_batch=4 if model == "tiny" else 8, snapshot_every=2
    )


def _write_embedded(folder: Path, key: SigningKey, rules: Mapping[str, Any]) -> Path:
    shutil.copytree(embedded_run(), folder, dirs_exist_ok=True)
    shipped = RunManifest.load(folder / "run.toml").training
    swarm = SwarmRules(**{**dict(shipped.swarm), **rules})
    contact = Contact(
        title="The run that comes with Idlebrush, under attack",
        issued_at=datetime.now(UTC),
        gate=GateRules(key=key.public_key),
    )
    made = RunManifest.create(shipped.model_copy(update={"swarm": swarm}), contact, SigningKey.generate())
    made.save(folder / "run.toml")
    return folder / "run.toml"
