"""Real peers behind a gate: the admitted average exactly, the others are refused by all that a peer answers."""

from functools import partial
from pathlib import Path

import pytest
import torch
from hivemind.utils import get_dht_time

from core.admission.gate_certificate import GateCertificate
from core.errors import AdmissionError
from core.swarm.admission.admission import Admission, AdmissionStatus
from core.swarm.admission.records import publish_revocations
from core.swarm.rounds.round import RoundFailed
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import progress_key
from tests.core.swarm.builders import progress
from tests.gate.intruder import Intruder, call_all, intruder
from tests.gate.run_gate import RunGate
from tests.swarms.swarm_peers import (
    PREFIX,
    LoopbackPeer,
    LoopbackSwarm,
    exact_mean,
    outcomes,
)
from tests.waiting import wait_until

GATE = RunGate()
METHODS = {
    *("rpc_ping", "rpc_store", "rpc_find"),
    *(
        "rpc_join_group",
        "rpc_aggregate_part",
        "rpc_fetch_committed",
        "rpc_describe_state",
        "rpc_fetch_pieces",
    ),
}
"""Methods that every peer answers."""


def admitted(swarm: LoopbackSwarm, name: str, seconds: float = 600) -> LoopbackPeer:
    return swarm.add(admit=partial(GATE.admit, name=name, seconds=seconds))


def admission_of(peer: LoopbackPeer) -> Admission:
    assert peer.admission is not None
    return peer.admission


def assert_average(peers: list[LoopbackPeer], epoch: int = 0) -> None:
    """They form one group, and its average is the mean of all."""
    found = outcomes([peer.begin(epoch, expected=len(peers)) for peer in peers])
    assert {item.members for item in found} == {len(peers)}
    exact = exact_mean(peers)[-1]
    assert all(torch.allclose(peer.outputs[-1].double(), exact, rtol=1e-5) for peer in peers)


def revoke(peer: LoopbackPeer, *names: str) -> None:
    """Publish a revocation through one peer as a coordinator does, and wait until that peer knows it."""
    listed = GATE.revoke(serial=1, names=names)
    assert publish_revocations(peer.dht, "test", GATE.sign(listed), expires=listed.expires).result()
    wait_until(lambda: admission_of(peer).revocations is not None, "the list never arrived")


def assert_all_refuse(answers: dict[str, str]) -> None:
    assert answers.keys() >= METHODS
    answered = {name: answer for name, answer in answers.items() if answer != "hung up"}
    assert {name: answer for name, answer in answered.items() if "Refused: " not in answer} == {}


def assert_all_answer(answers: dict[str, str]) -> None:
    assert answers.keys() >= METHODS
    assert {name: answer for name, answer in answers.items() if "Refused: " in answer} == {}


def test_strangers_are_refused_by_all_that_a_peer_answers(swarm: LoopbackSwarm, tmp_path: Path) -> None:
    peers = [admitted(swarm, "ada"), admitted(swarm, "bob")]
    with intruder(tmp_path) as stranger:
        for token in strangers_tokens(stranger, peers[0]):
            assert_all_refuse(stranger.call_all(peers[1], token))
        revoke(peers[1], "mallory")
        assert_all_refuse(stranger.call_all(peers[1], GATE.token(stranger.identity, "mallory")))
    assert_average(peers)
    assert_all_answer(call_all(peers[0].dht, peers[1].dht.peer_id, admission_of(peers[0]).shown))


def strangers_tokens(stranger: Intruder, victim: LoopbackPeer) -> list[str]:
    """None, another gate's, an expired one, one that was stolen."""
    return [
        "",
        RunGate().token(stranger.identity),
        GATE.token(stranger.identity, seconds=-1, age=600),
        admission_of(victim).shown,
    ]


def test_who_is_not_admitted_does_not_come_in(swarm: LoopbackSwarm, tmp_path: Path) -> None:
    admitted(swarm, "ada")
    with pytest.raises(AdmissionError, match="not admitted to this run"):
        swarm.add(admit=RunGate().admit)


def test_a_peer_is_refused_once_its_token_has_run_out_and_taken_back_with_a_new_one(
    swarm: LoopbackSwarm,
) -> None:
    ada, bob = admitted(swarm, "ada"), admitted(swarm, "bob", seconds=25)  # which has to start and to average
    assert_average([ada, bob])
    wait_until(lambda: admission_of(bob).standing is AdmissionStatus.EXPIRED, "the token never ran out")
    assert_all_refuse(call_all(bob.dht, ada.dht.peer_id, admission_of(bob).shown))
    writer = PeerIdentity.load_or_create(swarm.identity_file(1))
    fresh = GateCertificate.of_token(
        GATE.token(writer, "bob")
    ).pack()  # so that the call alone is what is refused
    record = progress(peer_id=writer.peer_id.to_bytes(), certificate=fresh).pack()
    bob.dht.store(progress_key(PREFIX), record, get_dht_time() + 60, subkey=writer.owner)
    assert ada.dht.get(progress_key(PREFIX), latest=True) is None
    with pytest.raises(RoundFailed, match="not admitted"):
        bob.begin(1, expected=1).result(timeout=20)
    for number, peer in enumerate((ada, bob)):
        identity = PeerIdentity.load_or_create(swarm.identity_file(number))
        admission_of(peer).renew(GATE.token(identity, ("ada", "bob")[number]))
    wait_until(lambda: admission_of(bob).is_known, "the swarm never learned of the new token")
    assert_average([ada, bob], epoch=1)


def test_who_is_excluded_is_refused_at_once_and_knows_it(swarm: LoopbackSwarm) -> None:
    ada, bob = admitted(swarm, "ada"), admitted(swarm, "bob")
    assert_average([ada, bob])
    revoke(ada, "bob")
    assert_all_refuse(call_all(bob.dht, ada.dht.peer_id, admission_of(bob).shown))
    wait_until(lambda: admission_of(bob).standing is AdmissionStatus.REVOKED, "it never learned that")
    with pytest.raises(AdmissionError, match="excluded you"):
        admission_of(bob).require_welcome()


class UnshownAdmission(Admission):
    """Shows its token to the DHT nodes that it calls, but never has it stored for averagers to find."""

    @property
    def standing(self) -> AdmissionStatus:
        return AdmissionStatus.EXPIRED


def unshown(identity: PeerIdentity) -> Admission:
    token = GATE.token(identity, "mallory")
    return UnshownAdmission(gate=GATE.key.public_key, run=GATE.run, peer=identity.peer_id, token=token)


def test_a_follower_leaves_a_leader_whom_the_swarm_does_not_know(swarm: LoopbackSwarm) -> None:
    ada = admitted(swarm, "ada")
    unknown = swarm.add(admit=unshown)
    leads = unknown.begin(expected=2)
    follows = ada.begin(expected=2)
    with pytest.raises(RoundFailed, match="not admitted"):
        follows.result(timeout=30)
    leads.cancel()
