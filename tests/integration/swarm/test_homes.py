"""Homes that no peer can reach train with one head, by the coordinator's peers; it may be killed in the middle."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from benchmarks.internet.emulation import EmulatedInternet, why_unsupported
from benchmarks.internet.topology import SiteLine, homes
from client.api.messages import FROM_TRAINER, Start
from coordinator.database.connect import Database
from coordinator.database.tables import Checkpoint
from coordinator.home import Home
from coordinator.messages import FROM_BOOTSTRAP, FROM_PEER, PeerReady, StartPublisher
from coordinator.settings import Checkpoints
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.events import EpochCommitted, Progress, TrainingBudget
from core.messages.waiting import SwarmWait
from core.run.expected_traffic import most_rounds_fetched
from core.run.manifest import RunManifest
from tests.coordinator.homes import loopback_settings, make_home
from tests.swarms.home_program import HomeProgram
from tests.swarms.trainer_process import SHARE
from tests.waiting import wait_until

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
SECONDS = 240.0


class HomesOfRun:
    """A coordinator's peers on a server, and trainers at homes behind routers."""

    def __init__(self, internet: EmulatedInternet, home: Home, folder: Path) -> None:
        self._internet, self.home, self._folder = internet, home, folder
        self.server = internet.computer("server")
        self.trainers: list[HomeProgram] = []
        self.bootstrap = self.start_bootstrap()
        self.entry = (self.bootstrap.wait_for(BootstrapReady).addresses[0],)
        start = StartPublisher(
            home=home.root,
            initial_peers=self.entry,
            listen=(f"/ip4/{self.server.address}/tcp/31331",),
            database=home.database_url({}),
        )
        log = folder / "publisher.log"
        self.publisher = HomeProgram(self.server, "coordinator.publisher.process", start, FROM_PEER, log)
        self.publisher.wait_for(PeerReady)

    def start_bootstrap(self) -> HomeProgram:
        start = StartBootstrap(
            manifest=self.home.manifest,
            listen=(f"/ip4/{self.server.address}/tcp/31330",),
            identity=self.home.bootstrap_identity,
            auxiliary=True,
        )
        log = self._folder / "bootstrap.log"
        self.bootstrap = HomeProgram(self.server, "coordinator.bootstrap", start, FROM_BOOTSTRAP, log)
        return self.bootstrap

    def start_trainer(self) -> HomeProgram:
        number = len(self.trainers) + 1
        folder = self._folder / f"home{number}"
        folder.mkdir()
        start = Start(
            manifest=self.home.manifest,
            state_dir=folder,
            initial_peers=self.entry,
            listen=(),
            seed=number,
            threads=1,
            micro_batch=4,
            budget=TrainingBudget(share=SHARE),
            checkpoint_every=10,
        )
        computer, module = self._internet.computer(f"home{number}"), "tests.swarms.client_mode_trainer"
        log = self._folder / f"home{number}.log"
        self.trainers.append(HomeProgram(computer, module, start, FROM_TRAINER, log))
        return self.trainers[-1]

    def wait_until_all(self, holds: Callable[[HomeProgram], bool], otherwise: str) -> None:
        wait_until(lambda: all(map(holds, self.trainers)), otherwise, SECONDS)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[HomesOfRun]:
    settings = loopback_settings(checkpoints=Checkpoints(every=2, keep=8))
    home = make_home(tmp_path, settings, target_batch_size=256, epochs=10_000)
    with EmulatedInternet(homes(4, SiteLine(down=20, up=5, delay=0.02))) as internet:
        yield HomesOfRun(internet, home, tmp_path)


def newest(trainer: HomeProgram) -> int:
    return max((event.epoch for event in trainer.of(EpochCommitted)), default=0)


def has_trained_with(count: int, since: int = 0) -> Callable[[HomeProgram], bool]:
    return lambda trainer: any(
        event.peers == count and event.own_samples and event.epoch > since
        for event in trainer.of(EpochCommitted)
    )


def digests(trainers: Sequence[HomeProgram]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for trainer in trainers:
        for event in trainer.of(EpochCommitted):
            found.setdefault(event.epoch, set()).add(event.parameter_digest)
    return found


def is_waiting(trainer: HomeProgram) -> bool:
    return trainer.of(Progress)[-1].waiting is SwarmWait.NO_REDUCER


def test_homes_behind_routers_train_with_one_head_and_outlive_the_coordinator(run: HomesOfRun) -> None:
    for _ in range(3):
        run.start_trainer()
    # A newcomer that is fewer epochs behind the others needs no state: it fetches these rounds.
    most = most_rounds_fetched(RunManifest.load(run.home.manifest).training)
    run.wait_until_all(has_trained_with(3, since=most), "three homes do not train together")

    late = run.start_trainer()
    run.wait_until_all(has_trained_with(4), "a fourth home does not join")
    first = late.of(EpochCommitted)[0].epoch
    assert first > 1, "it did not get the state of a later epoch"

    run.bootstrap.kill()
    run.wait_until_all(is_waiting, "a home does not say that no peer accepts connections")
    before = max(map(newest, run.trainers))
    run.start_bootstrap().wait_for(BootstrapReady)
    run.wait_until_all(has_trained_with(4, since=before), "the homes do not find the coordinator again")

    found = digests(run.trainers)
    assert all(len(each) == 1 for each in found.values()), "there is more than one head"
    with closing(Database.open(run.home.database_url({}))) as database, database.reading() as session:
        kept = {row.epoch: row.parameters for row in session.scalars(select(Checkpoint))}
    assert kept, "the publisher has no checkpoint, though no home could give it one"
    assert all(found[epoch] == {digest} for epoch, digest in kept.items() if epoch in found)
