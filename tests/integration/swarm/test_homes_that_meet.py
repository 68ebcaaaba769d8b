"""Homes behind routers train with one head although no peer accepts connections and none helps to reduce.

They go on once the bootstrap peer is gone, as the publisher keeps the swarm's records and relays too.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from benchmarks.internet.emulation import EmulatedInternet, why_unsupported
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from client.api.messages import FROM_TRAINER, Start
from coordinator.home import Home
from coordinator.messages import FROM_BOOTSTRAP, FROM_PEER, PeerReady, StartPublisher
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.events import EpochCommitted, TrainingBudget
from core.messages.reach import Reach, ReachFound, RelayBounds
from tests.coordinator.homes import loopback_settings, make_home
from tests.swarms.home_program import HomeProgram
from tests.swarms.tiny_run import LOCAL_STEPS
from tests.swarms.trainer_process import SHARE
from tests.waiting import COSTLY, wait_until

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
SECONDS = 240.0
FURTHER = 5
"""Epochs after which nothing is left that peers knew by the bootstrap peer: records of progress expire in seconds."""
LINE = SiteLine(down=20, up=5, delay=0.02)
TOPOLOGY = Topology(
    sites=(
        EmulatedSite(name="server", router=Router.NONE),
        EmulatedSite(name="nat", line=LINE, computers=2),
        EmulatedSite(name="double", line=LINE, router=Router.DOUBLE),
        EmulatedSite(name="sym", line=LINE, router=Router.SYMMETRIC),
    )
)
REACHED = {
    "nat-1": Reach.PUNCHED,
    "nat-2": Reach.PUNCHED,
    "double": Reach.PUNCHED,
    "sym": Reach.RELAYED,
}
"""How the computers are reached: the first two are behind one router, which sends nothing back to its own network."""


class MeetingRun:
    """An entrance that relays and does not reduce, and trainers at homes."""

    def __init__(self, internet: EmulatedInternet, home: Home, folder: Path) -> None:
        self._internet, self._home, self._folder = internet, home, folder
        self._server = internet.computer("server")
        self.bootstrap = self.start_bootstrap()
        self.entry = self.bootstrap.wait_for(BootstrapReady).addresses
        assert all("/tcp/" in address for address in self.entry)

    def start_bootstrap(self) -> HomeProgram:
        start = StartBootstrap(
            manifest=self._home.manifest,
            listen=(f"/ip4/{self._server.address}/tcp/31330",),
            identity=self._home.bootstrap_identity,
            relay=RelayBounds(),
        )
        log = self._folder / "bootstrap.log"
        return HomeProgram(self._server, "coordinator.bootstrap", start, FROM_BOOTSTRAP, log)

    def start_publisher(self) -> HomeProgram:
        start = StartPublisher(
            home=self._home.root,
            initial_peers=self.entry,
            listen=(f"/ip4/{self._server.address}/tcp/31331",),
            relay=RelayBounds(),
            database=self._home.database_url({}),
        )
        log = self._folder / "publisher.log"
        return HomeProgram(self._server, "coordinator.publisher.process", start, FROM_PEER, log)

    def start_trainer(self, name: str) -> HomeProgram:
        site, _, number = name.partition("-")
        folder = self._folder / name
        folder.mkdir()
        start = Start(
            manifest=self._home.manifest,
            state_dir=folder,
            initial_peers=self.entry,
            listen=("/ip4/0.0.0.0/tcp/0",),
            seed=list(REACHED).index(name),
            threads=1,
            micro_batch=4,
            budget=TrainingBudget(share=SHARE),
            checkpoint_every=10,
            finds_reach=True,
            upnp=False,
        )
        log = self._folder / f"{name}.log"
        computer = self._internet.computer(site, int(number or 1))
        return HomeProgram(computer, "client.trainer", start, FROM_TRAINER, log)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[MeetingRun]:
    home = make_home(tmp_path, loopback_settings(), target_batch_size=256, epochs=10_000, **LOCAL_STEPS)
    with EmulatedInternet(TOPOLOGY) as internet:
        yield MeetingRun(internet, home, tmp_path)


def wait_until_together(trainers: Collection[HomeProgram], otherwise: str, epochs: int = 1) -> int:
    """Wait for an epoch of all, so many past the newest one, and return the newest one then."""
    least = newest(trainers) + epochs

    def train_together() -> bool:
        return all(
            any(
                event.peers == len(trainers) and event.own_samples and event.epoch >= least
                for event in trainer.of(EpochCommitted)
            )
            for trainer in trainers
        )

    wait_until(train_together, otherwise, SECONDS)
    return newest(trainers)


def newest(trainers: Collection[HomeProgram]) -> int:
    return max((event.epoch for trainer in trainers for event in trainer.of(EpochCommitted)), default=0)


def wait_for_relay(trainers: Collection[HomeProgram], relay: str, times: int) -> None:
    """Wait until each has been given a place at that relay so many times."""
    given = f"The relay {relay} passes connections to this peer"
    wait_until(
        lambda: all(trainer.log.read_text().count(given) >= times for trainer in trainers),
        f"a home gets no place at {relay} (time {times})",
        SECONDS,
        every=COSTLY,
    )


def assert_one_head(trainers: Collection[HomeProgram], since: int = 0) -> None:
    """Assert that the epochs of all, and all past ``since``, have the same parameters with each."""
    digests: dict[int, set[str]] = {}
    for trainer in trainers:
        for event in trainer.of(EpochCommitted):
            if event.peers == len(trainers) or event.epoch > since > 0:
                digests.setdefault(event.epoch, set()).add(event.parameter_digest)
    assert all(len(found) == 1 for found in digests.values()), "there is more than one head"


def test_homes_behind_routers_train_together_without_a_peer_that_accepts_connections(run: MeetingRun) -> None:
    trainers = {name: run.start_trainer(name) for name in REACHED}
    wait_until_together(trainers.values(), "the homes do not train together")
    assert {name: trainer.of(ReachFound)[-1].reach for name, trainer in trainers.items()} == REACHED
    assert_one_head(trainers.values())


def test_homes_that_meet_outlive_the_bootstrap_peer_and_find_it_again(run: MeetingRun) -> None:
    """The coordinator's publisher is there, which keeps the records of the swarm as well."""
    run.start_publisher().wait_for(PeerReady)
    trainers = [run.start_trainer(name) for name in ("nat-1", "double")]
    together = wait_until_together(trainers, "the homes do not train together")
    entrance = run.bootstrap.of(BootstrapReady)[-1].peer_id
    wait_for_relay(trainers, entrance, times=1)  # another relay, the publisher's, may have given one first
    run.bootstrap.kill()
    wait_until_together(trainers, "the homes do not go on without the bootstrap peer", FURTHER)
    back = run.start_bootstrap().wait_for(BootstrapReady)
    wait_for_relay(trainers, back.peer_id, times=2)
    wait_until_together(trainers, "the homes do not go on once the bootstrap peer is back")
    assert_one_head(trainers, since=together)
