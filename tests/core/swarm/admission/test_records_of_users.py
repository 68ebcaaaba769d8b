"""Real DHT nodes of a run with a gate: records of keys that were never admitted are nothing, for anyone."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hivemind.utils import get_dht_time

from core.swarm.admission.admission import Admission
from core.swarm.admission.records import publish_revocations
from core.swarm.rounds.commit_log import DHTCommitLog
from core.swarm.wire.own_certificate import OwnCertificate
from core.swarm.wire.records import commit_key, progress_key
from tests.core.swarm.admission.admitted_nodes import AdmittedNode, admitted_nodes
from tests.core.swarm.builders import commit_record, identity, progress
from tests.gate.run_gate import RunGate
from tests.swarms.hostile_storing import push
from tests.waiting import wait_until

PREFIX, GATE = "tiny", RunGate()


@pytest.fixture
def members(tmp_path: Path) -> Iterator[Callable[[str], AdmittedNode]]:
    with admitted_nodes(GATE, PREFIX, tmp_path) as add:
        yield add


def test_records_name_their_writers_users_and_ghosts_are_nothing(
    members: Callable[[str], AdmittedNode],
) -> None:
    ada, grace, mallory = members("ada"), members("grace"), members("mallory")
    ghosts = [identity(number) for number in range(1, 9)]
    stolen = ada.admission.certificate.pack(), mallory.admission.certificate.pack(), b""
    for number, ghost in enumerate(ghosts):
        value = progress(peer_id=ghost.peer_id.to_bytes(), certificate=stolen[number % 3]).pack()
        for victim in (ada, grace):
            assert not push(
                mallory.dht,
                victim.dht.peer_id,
                progress_key(PREFIX),
                value,
                expiration=get_dht_time() + 60,
                writer=ghost,
            )
    wait_until(lambda: [len(item.sees()) for item in (ada, grace)] == [1, 1], "they do not see each other")
    assert ada.sees() == {grace.identity.peer_id.to_bytes(): "grace"}
    assert grace.sees() == {ada.identity.peer_id.to_bytes(): "ada"}


def test_an_excluded_users_records_are_read_no_longer(members: Callable[[str], AdmittedNode]) -> None:
    ada, mallory = members("ada"), members("mallory")
    mallory.sees()
    wait_until(lambda: len(ada.sees()) == 1, "mallory is not seen")
    listed = GATE.revoke(serial=1, names=("mallory",))
    assert publish_revocations(ada.dht, PREFIX, GATE.sign(listed), expires=listed.expires).result()
    wait_until(lambda: ada.admission.excludes_any, "the list does not arrive")
    assert ada.sees() == {}


def test_a_commit_belongs_to_the_user_of_the_token_at_that_time(
    members: Callable[[str], AdmittedNode],
) -> None:
    ada, grace = members("ada"), members("grace")
    log = DHTCommitLog(ada.dht, PREFIX, ada.identity, OwnCertificate(ada.admission))
    found: list[str] = []
    for _ in range(2):
        assert _stored(ada, log)
        read = grace.dht.get(commit_key(PREFIX, commit_record().epoch), latest=True)
        found.extend(item.value["certificate"] for item in read.value.values())
        ada.admission.renew(GATE.token(ada.identity, "ada", seconds=900))
    assert len(set(found)) == 2


def _stored(member: AdmittedNode, log: DHTCommitLog) -> bool:
    return asyncio.run(log.write(commit_record()))


def test_a_restarted_admission_shows_the_certificate_of_its_token() -> None:
    admission: Admission = GATE.admit(identity(0), "ada")
    assert admission.certificate.name == "ada"
    admission.renew(GATE.token(identity(0), "ada", seconds=300))
    shown = admission.certificate.token(run=GATE.run, peer=identity(0).peer_id.to_base58())
    assert shown == admission.shown
