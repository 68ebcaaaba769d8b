"""The coordinator finds false work in a swarm of real trainers: its peers hand over what its auditor recomputes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from coordinator.auditing.auditor import WorkAuditing
from coordinator.auditing.budget import AuditBudget
from coordinator.auditing.handover import AuditFolder
from coordinator.auditing.sampling import WorkSampling
from coordinator.auditing.workplace import Workplace
from coordinator.database.connect import Database
from coordinator.database.tables import WorkAudit
from coordinator.publisher.peer import PublisherPeer
from core.admission.peer_key import PeerKey
from core.messages.events import Joined
from core.run.manifest import RunManifest
from core.swarm.dht import Network
from core.swarm.wire.identity import PeerIdentity
from core.trainer.drift_test import TOO_FEW_OTHERS
from core.trainer.work_check import NO_ROWS
from tests.coordinator.empty_database import empty_database
from tests.swarms import hostile_trainers
from tests.swarms.auxiliary_peer import auxiliary_peer
from tests.swarms.tiny_run import GRADIENTS, LOCAL_STEPS, write_tiny_run
from tests.swarms.trainer_process import TrainerProcess, TrainerSwarm, trainer_swarm
from tests.waiting import COSTLY, wait_until

_SECONDS = 400.0


class AuditingCoordinator:
    """The parts of a coordinator that audit work, beside a swarm, in a test's own process."""

    def __init__(self, swarm: TrainerSwarm, manifest: RunManifest, folder: Path, database: Database) -> None:
        self._handed = AuditFolder(folder / "audits")
        workplace = Workplace(manifest, folder / "run", folder / "out-of-memory.json")
        self._auditing = WorkAuditing(
            0, self._handed, workplace, database, AuditBudget(3600), spent=lambda: 0.0
        )
        self._publisher = PublisherPeer.start(
            manifest,
            Network(initial_peers=swarm.addresses, check_identity=False),
            PeerIdentity.load_or_create(folder / "publisher"),
            follows=True,
        )
        self._publisher.follow(
            manifest,
            folder / "run",
            None,
            lambda: self._publisher.others,
            lambda place: None,
            lambda place, parameters: self._handed.keep(
                place.epoch, place.head, {name: item.numpy() for name, item in parameters.items()}
            ),
        )
        self._manifest, self._folder, self._database = manifest, folder, database
        self.sampling: WorkSampling | None = None

    def turn(self) -> None:
        """Let all parts do what is due."""
        assert self.sampling is not None
        self.sampling.turn()
        self._auditing.turn()

    def audits(self) -> list[WorkAudit]:
        with self._database.reading() as session:
            return list(session.scalars(select(WorkAudit)))

    def hears(self, trainer: TrainerProcess, words: str) -> bool:
        """Return true if the log of a ``trainer`` has these words, after another turn."""
        self.turn()
        return words in trainer.log

    def verdicts(self) -> dict[str, set[str]]:
        """Return the verdicts on the work of each peer, after another turn."""
        self.turn()
        found: dict[str, set[str]] = {}
        for row in self.audits():
            found.setdefault(row.peer_id, set()).add(row.verdict)
        return found

    @property
    def handed(self) -> AuditFolder:
        return self._handed

    def close(self) -> None:
        self._publisher.close()


@contextmanager
def auditing_swarm(folder: Path, **rules: Any) -> Iterator[tuple[TrainerSwarm, AuditingCoordinator]]:
    """A swarm in which trainers audit next to nothing, and the coordinator all the time."""
    file = write_tiny_run(folder / "run", recomputed_share=1e-9, target_batch_size=96, epochs=5000, **rules)
    manifest, path = RunManifest.load(file), folder / "coordinator.sqlite"
    path.write_bytes(empty_database())
    database = Database.open(f"sqlite:///{path}")
    with trainer_swarm(file, folder) as swarm:
        coordinator = AuditingCoordinator(swarm, manifest, folder, database)
        try:
            with auxiliary_peer(swarm, file, folder / "bootstrap") as helper:
                key = PeerKey.load_or_create(folder / "bootstrap")
                coordinator.sampling = WorkSampling(manifest, helper, key, coordinator.handed)
                yield swarm, coordinator
        finally:
            coordinator.close()
            database.close()


@pytest.mark.timeout(1200)
def test_false_work_is_found_and_honest_work_is_sound(tmp_path: Path) -> None:
    with auditing_swarm(tmp_path, **GRADIENTS) as (swarm, coordinator):
        trainers = [swarm.start("honest"), swarm.start_hostile("liar", hostile_trainers.sends_zeros)]
        honest, liar = (item.wait_for(Joined, seconds=200).peer_id for item in trainers)
        wait_until(
            lambda: (
                "sound" in (found := coordinator.verdicts()).get(honest, ())
                and "false" in found.get(liar, ())
            ),
            "the lie was not found",
            _SECONDS,
            every=COSTLY,
        )
        rows = coordinator.audits()
        wait_until(
            lambda: coordinator.hears(trainers[0], f"doubts the work of peer {liar}"),
            "the others were not told",
            _SECONDS,
            every=COSTLY,
        )
    assert {row.verdict for row in rows if row.peer_id == honest} <= {"sound", "unverifiable"}
    assert all((row.difference or 0.0) < 1e-3 for row in rows if row.verdict == "sound")
    lies = [row.difference for row in rows if row.verdict == "false"]
    assert lies == [pytest.approx(1.0)] * len(lies)
    assert all(row.rows >= row.samples > 0 for row in rows if row.verdict in ("sound", "false"))


@pytest.mark.timeout(1200)
def test_drifts_are_tested(tmp_path: Path) -> None:
    with auditing_swarm(tmp_path, **LOCAL_STEPS) as (swarm, coordinator):
        names = {swarm.start(name).wait_for(Joined, seconds=200).peer_id for name in ("one", "other")}
        wait_until(
            lambda: all({"sound", "doubtful"} & coordinator.verdicts().get(name, set()) for name in names),
            "no verdicts",
            _SECONDS,
            every=COSTLY,
        )
        rows = coordinator.audits()
    tested = [row for row in rows if row.verdict in ("sound", "doubtful")]
    assert all(row.gain is not None and row.gain_of_others is not None for row in tested)
    # Where others were late, a trainer went through all rows of so small a data set, perhaps several times.
    assert {row.words for row in rows if row not in tested} <= {TOO_FEW_OTHERS, NO_ROWS}
