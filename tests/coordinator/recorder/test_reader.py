"""The recorder reads real nodes on loopback: all records of a small swarm, and the summary of a large one."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import hivemind
import pytest

from coordinator.database.connect import Database
from coordinator.recorder.reader import Look, SwarmReader
from coordinator.recorder.recorder import Recorder
from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.membership.cohorts import Cohort
from core.swarm.membership.swarm_view import peers_of
from core.swarm.wire.identity import PeerIdentity
from tests.coordinator.ledger_rows import now_of
from tests.core.swarm.membership.looking_members import (
    LookingMember,
    learn,
    looking_members,
    summariser_of,
)
from tests.swarms.tiny_run import write_tiny_run
from tests.waiting import DEADLINE


# Real nodes are read alike on both, and tests of the ledger and of tables write to PostgreSQL too.
@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path_factory.mktemp("run")))


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory, manifest: RunManifest) -> Iterator[list[LookingMember]]:
    with looking_members(tmp_path_factory.mktemp("members"), manifest.dht_prefix) as made:
        yield made


@pytest.fixture
def node(members: list[LookingMember], manifest: RunManifest, tmp_path: Path) -> Iterator[hivemind.DHT]:
    """The recorder's own."""
    known = tuple(map(str, members[0].dht.get_visible_maddrs()))
    network = Network(initial_peers=known, client_mode=True, check_identity=False)
    identity = PeerIdentity.load_or_create(tmp_path / "recorder")
    made = start_dht(network, identity, prefix=manifest.dht_prefix, total_epochs=200)
    yield made
    made.shutdown()


async def _recorded(node: hivemind.DHT, manifest: RunManifest, database: Database, *, is_large: bool) -> Look:
    """Return what a recorder sees once it knows the swarm by a summary, if ``is_large``, after a turn then."""
    reader = await SwarmReader.open(node, manifest)
    try:
        async with asyncio.timeout(DEADLINE):
            look = await reader.look()
            while is_large and not (look.peers and isinstance(look.peers[0], Cohort)):
                await asyncio.sleep(0.1)
                look = await reader.look()
            await Recorder(manifest, database, reader).turn()
        return look
    finally:
        await reader.close()


@pytest.mark.parametrize("is_large", [False, True])
def test_the_swarm_is_reported_by_what_the_recorder_reads(
    members: list[LookingMember],
    manifest: RunManifest,
    node: hivemind.DHT,
    database: Database,
    is_large: bool,
) -> None:
    for member in members:
        member.look()
    if is_large:
        summariser = summariser_of(members, manifest.dht_prefix)
        learn(members, summariser)
        learn(members, summariser)
    look = asyncio.run(_recorded(node, manifest, database, is_large=is_large))
    assert peers_of(look.peers) == len(members)
    assert bool(look.readings) != is_large
    now = now_of(database)
    assert (now.epoch, now.present, now.in_step, now.gathered) == (7, 4, 4, 40)
