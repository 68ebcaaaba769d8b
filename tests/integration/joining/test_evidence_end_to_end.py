"""Evidence from the misdeed to the pardon: real coordinator, real trainers, a real daemon, and no act of anybody.

Mallory's computer votes for two results in each attempt. The others leave it out without the organiser, who is shown
a proof. Mallory is told why and where to appeal, and takes part again once the organiser has lifted it.
"""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests

from client.api.commands import SetPreference
from client.api.snapshot import Activity, Snapshot
from coordinator.settings import Settings
from core.admission.peer_key import PeerKey
from core.memory.search import PlanChoices
from core.messages.events import EpochCommitted
from core.swarm.dht import Network
from core.trainer.placement import Resources
from core.trainer.settings import TrainerSettings
from tests.command_line import idlebrush
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.gate_life import AdvancedClock, GateOverHttp, GateVolunteer
from tests.hub.hub_server import HubServer, running_hub
from tests.integration import front_end
from tests.integration.joining.double_voting_trainer import double_voting_settings
from tests.integration.joining.organiser import Organiser
from tests.swarms.trainer_process import TrainerProcess, assert_never_apart
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import wait_until

PATIENCE = 240.0
"""Time limit in seconds; on a busy machine eight processes that import torch take long to come up."""
TOKEN_SECONDS = 7200
"""Seconds for which tokens are good: nobody renews those of trainers without a daemon."""
APPEALS = "appeals@run.example"
DEED = "signed two votes under one number in epoch"
SHORT_ROUNDS = {"matchmaking_seconds": 3.0, "allreduce_seconds": 6.0, "averaging_seconds": 15.0}


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture
def hostile_while(tmp_path: Path) -> Path:
    """The file while which Mallory's trainers are hostile."""
    file = tmp_path / "hostile"
    file.touch()
    return file


@pytest.fixture
def mallory(tmp_path: Path, hub: HubServer, hostile_while: Path) -> Iterator[VolunteerMachine]:
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    settings = double_voting_settings(hostile_while)
    with volunteer_at(tmp_path / "mallory", environment=environment, settings=settings) as person:
        person.prefer(run_mode="never")
        person.start()
        yield person


@pytest.mark.timeout(900)
def test_the_swarm_leaves_a_double_voter_out_until_an_appeal_is_granted(
    tmp_path: Path, hub: HubServer, mallory: VolunteerMachine, hostile_while: Path
) -> None:
    organiser = Organiser.begin(tmp_path, **SHORT_ROUNDS)
    organiser.edit_settings(hub.address, token_seconds=TOKEN_SECONDS, moderators=("ada",), appeals=APPEALS)
    with organiser.serving(), ExitStack() as stack:
        join(mallory, organiser, hub)
        gate = _gate(organiser, hub)
        ada, bob = (JoinedTrainer.joined(name, tmp_path, gate, organiser) for name in ("ada", "bob"))
        for trainer in (ada, bob):
            stack.callback(trainer.process.kill)
        ada.wait_for_epochs(1, peers=2)
        mallory.ask(SetPreference(name="run-mode", value="always"))

        mallory.wait_until(is_told_where_to_appeal, "they are not told where to appeal", PATIENCE)
        told = " ".join(front_end.said(mallory, "status").stdout.split())
        assert DEED in told
        assert f"appeal at {APPEALS}" in told
        ada.wait_for_epochs(2, peers=2)

        found = wait_until_listed(ada, organiser)
        assert (found["name"], found["misdeed"], found["standing"]) == ("mallory", "double_vote", "open")
        assert_proven(tmp_path / "proof.json", ada.of_api(organiser, f"/{found['id']}"), organiser)
        assert mallory.look().activity is not Activity.TRAINING

        hostile_while.unlink()
        why = ("--why", "a copied folder")
        organiser.say("evidence", "lift", found["id"], *why, "--home", organiser.home.root)
        ada.wait_for_epochs(2, peers=3)
        mallory.wait_for(Activity.TRAINING, seconds=PATIENCE)
        bob.wait_for_epochs(1, peers=3)
        assert_never_apart(ada.process, bob.process)
        mallory.quit()


# --- who takes part -------------------------------------------------------------------------------------------


def join(person: VolunteerMachine, organiser: Organiser, hub: HubServer) -> None:
    """Let them join by the command, and enter its code at once."""
    hub.approve_next(person.home.name)
    words = ("join", organiser.link, *front_end.FLAGS, "--no-browser")
    with front_end.begun(person, *words) as joining:
        out, errors = joining.communicate(timeout=PATIENCE)
    assert f"You are admitted as {person.home.name}" in out, out + errors


class _ServedHttp:
    """Requests to the coordinator's website."""

    def __init__(self, address: str) -> None:
        self._address = address

    def post(self, path: str, **given: Any) -> requests.Response:
        return requests.post(self._address + path, timeout=60, **given)


def _gate(organiser: Organiser, hub: HubServer) -> GateOverHttp:
    """The gate that the organiser serves."""
    context: Any = SimpleNamespace(
        manifest=organiser.manifest, settings=Settings.load(organiser.home.settings)
    )
    http: Any = _ServedHttp(organiser.address)
    return GateOverHttp(hub, context, AdvancedClock(), http)


class JoinedTrainer:
    """A volunteer who has joined at the gate, with a trainer that no daemon steers."""

    def __init__(self, volunteer: GateVolunteer, process: TrainerProcess) -> None:
        self.volunteer, self.process = volunteer, process

    @classmethod
    def joined(cls, name: str, folder: Path, gate: GateOverHttp, organiser: Organiser) -> "JoinedTrainer":
        home = folder / name
        home.mkdir()
        volunteer = GateVolunteer(name, PeerKey.load_or_create(home / "identity"))
        answer = volunteer.join(gate)
        assert answer.status_code == 201, answer.text
        settings = TrainerSettings(
            manifest=organiser.home.manifest,
            state_dir=home,
            network=Network(initial_peers=organiser.manifest.contact.initial_peers, check_identity=False),
            admission=volunteer.access_token,
            seed=len(name),
            resources=Resources(choices=PlanChoices(micro_batches=(4,))),
        )
        return cls(volunteer, TrainerProcess(settings))

    def wait_for_epochs(self, count: int, *, peers: int) -> None:
        """Wait until it has gone through so many further epochs of that number of peers."""
        since = time.monotonic()
        while count:
            event = self.process.wait_for(EpochCommitted, seconds=PATIENCE)
            count -= event.peers == peers and self.process.reported[-1] > since

    def of_api(self, organiser: Organiser, path: str) -> dict[str, Any]:
        """What the API tells this volunteer of evidence, as a moderator."""
        address = f"{organiser.address}/api/moderation/evidence{path}"
        answer = requests.get(address, headers=self.volunteer.bearer, timeout=60)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found


def is_told_where_to_appeal(seen: Snapshot) -> bool:
    return seen.membership is not None and APPEALS in seen.membership.text


# --- what the organiser is shown ------------------------------------------------------------------------------


def wait_until_listed(moderator: JoinedTrainer, organiser: Organiser) -> dict[str, Any]:
    """Return the first piece of evidence that the API lists."""
    listed: list[dict[str, Any]] = []

    def is_listed() -> bool:
        listed[:] = moderator.of_api(organiser, "")["evidence"]
        return bool(listed)

    wait_until(is_listed, "the organiser is shown no evidence", PATIENCE, every=0.5)
    return listed[0]


def assert_proven(file: Path, document: dict[str, Any], organiser: Organiser) -> None:
    """Assert that the manifest alone proves it, and that nothing else is proven by it."""
    file.write_text(json.dumps(document))
    proven = idlebrush("coordinator", "evidence", "verify", file, organiser.home.manifest)
    assert proven.returncode == 0
    assert f"of mallory {DEED}" in proven.stdout
    file.write_text(json.dumps({**document, "evidence": "AA" + document["evidence"][2:]}))
    assert idlebrush("coordinator", "evidence", "verify", file, organiser.home.manifest).returncode == 1
