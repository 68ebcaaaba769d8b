"""Homes behind routers train with one head although no peer accepts connections and none helps to reduce."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.internet.emulation import EmulatedInternet, why_unsupported
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from client.api.messages import FROM_TRAINER, Start
from coordinator.home import Home
from coordinator.messages import FROM_BOOTSTRAP
from core.messages.children import BootstrapReady, StartBootstrap
from core.messages.events import EpochCommitted, TrainingBudget
from core.messages.reach import Reach, ReachFound, RelayBounds
from tests.coordinator.homes import loopback_settings, make_home
from tests.swarms.home_program import HomeProgram
from tests.swarms.trainer_process import SHARE
from tests.waiting import wait_until

HINDRANCE = why_unsupported()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
SECONDS = 240.0
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
        server = internet.computer("server")
        start = StartBootstrap(
            manifest=home.manifest,
            listen=(f"/ip4/{server.address}/tcp/31330",),
            identity=home.bootstrap_identity,
            relay=RelayBounds(),
        )
        log = folder / "bootstrap.log"
        self.bootstrap = HomeProgram(server, "coordinator.bootstrap", start, FROM_BOOTSTRAP, log)
        self.entry = self.bootstrap.wait_for(BootstrapReady).addresses
        assert all("/tcp/" in address for address in self.entry)

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
    home = make_home(tmp_path, loopback_settings(), target_batch_size=256, epochs=10_000)
    with EmulatedInternet(TOPOLOGY) as internet:
        yield MeetingRun(internet, home, tmp_path)


def test_homes_behind_routers_train_together_without_a_peer_that_accepts_connections(run: MeetingRun) -> None:
    trainers = {name: run.start_trainer(name) for name in REACHED}

    def train_together() -> bool:
        return all(
            any(event.peers == len(REACHED) and event.own_samples for event in trainer.of(EpochCommitted))
            for trainer in trainers.values()
        )

    wait_until(train_together, "the homes do not train together", SECONDS)
    assert {name: trainer.of(ReachFound)[-1].reach for name, trainer in trainers.items()} == REACHED
    digests: dict[int, set[str]] = {}
    for trainer in trainers.values():
        for event in trainer.of(EpochCommitted):
            if event.peers == len(REACHED):
                digests.setdefault(event.epoch, set()).add(event.parameter_digest)
    assert all(len(found) == 1 for found in digests.values()), "there is more than one head"
