"""Real trainers of a run with a gate: renewed, run out, frozen, excluded."""

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from hivemind.p2p import PeerID

from core.errors import AdmissionError
from core.messages.events import Command, EpochCommitted, Joined, Notice, Settled
from core.run.contact import GateRules
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.admission.records import publish_revocations
from core.swarm.wire.identity import PeerIdentity
from tests.gate.intruder import call_all
from tests.gate.run_gate import RunGate
from tests.swarms.tiny_run import write_tiny_run
from tests.swarms.trainer_process import (
    TrainerProcess,
    TrainerSwarm,
    assert_never_apart,
    epoch_of_two,
    trainer_swarm,
)

KEY = SigningKey.generate()


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path / "run", gate=GateRules(key=KEY.public_key)))


@pytest.fixture
def gate(manifest: RunManifest) -> RunGate:
    return RunGate(manifest.training_digest, KEY)


@pytest.fixture
def swarm(tmp_path: Path, gate: RunGate) -> Iterator[TrainerSwarm]:
    with trainer_swarm(tmp_path / "run" / "run.toml", tmp_path, gate) as made:
        yield made


def notice(trainer: TrainerProcess, words: str) -> None:
    while words not in trainer.wait_for(Notice).text:
        pass


def test_a_trainer_waits_for_its_admission_and_ends_when_it_is_excluded(
    swarm: TrainerSwarm, gate: RunGate, manifest: RunManifest
) -> None:
    ada, bob = swarm.start("ada"), swarm.start("bob")
    first = epoch_of_two(bob, contributing=True)

    bob.admit(swarm.token("bob", seconds=3))
    notice(bob, "has expired")
    assert re.search(r"WARNING .*This peer's access token has expired; it waits until", bob.log)
    gone_on = ada.wait_for(EpochCommitted, epoch=first + 3).epoch
    bob.admit(swarm.token("bob"))
    notice(bob, "has a new access token")
    while epoch_of_two(bob, contributing=True) < gone_on:
        pass  # the round that was under way when it ran out

    listed = gate.revoke(serial=1, names=("bob",))
    publish_revocations(swarm.dht, manifest.dht_prefix, gate.sign(listed), expires=listed.expires)
    with pytest.raises(AdmissionError, match="excluded you"):
        bob.wait_for(type(None))
    ada.wait_for(EpochCommitted, epoch=ada.epochs[-1].epoch + 2)
    assert_never_apart(ada, bob)


def test_a_frozen_trainers_other_processes_know_whom_to_answer(
    swarm: TrainerSwarm, gate: RunGate, manifest: RunManifest, tmp_path: Path
) -> None:
    ada = swarm.start("ada")
    peer = PeerID.from_base58(ada.wait_for(Joined).peer_id)
    ada.wait_for(EpochCommitted)
    token = gate.token(PeerIdentity.load_or_create(tmp_path / "bootstrap"), "coordinator")
    ada.send(Command.PAUSE)
    ada.wait_for(Settled)  # who is stopped before may share a lock, or a message half sent, with the others
    psutil.Process(ada.process.pid).send_signal(signal.SIGSTOP)
    answers = call_all(swarm.dht, peer, token, prefix=manifest.dht_prefix)
    assert not [name for name, answer in answers.items() if "Refused: " in answer]
    assert answers["rpc_ping"] == "answered"


def test_without_a_token_it_says_what_to_do(swarm: TrainerSwarm) -> None:
    with pytest.raises(AdmissionError, match=r"A tiny run admits only .* idlebrush join"):
        swarm.start("nobody", admission=None).wait_for(Joined)
