"""The swarm on this computer through the real daemon: joined, paused, taken over from a terminal, and removed."""

import json
import signal
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from client.api.candidate import CandidateStage
from client.api.commands import ForgetCandidate, JoinCandidate, LookAtRun, Pause, SetPreference
from client.api.runs import LOCAL_SWARM, LocalSwarmStage, LocalSwarmView, RemoveLocalSwarm
from client.api.snapshot import Activity
from tests.processes.process_tree import started
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import COSTLY, wait_until

UNENDING_DEMO = Path(__file__).parents[1] / "demo_of_tiny_run.py"
SERVER = "client.local_swarm"
TRAINER = "client.trainer"
PAUSES_WITHIN, LOOK = 4.0, 4.0
"""Seconds after which a paused trainer is quiet, and for which it is then watched."""
SLOWLY = 180.0
"""Seconds within which a swarm of two has made an epoch on a busy machine."""


@pytest.fixture
def anna(tmp_path: Path) -> Iterator[VolunteerMachine]:
    """A volunteer with a daemon that trains by real trainers whenever it may, and leaves the processor time."""
    write_tiny_run(tmp_path / "embedded", prompts=("red heart",), epochs=100_000, target_batch_size=64)
    settings = {"trainer": TRAINER, "embedded": str(tmp_path / "embedded")}
    with volunteer_at(tmp_path / "anna", settings=settings) as person:
        person.prefer(run_mode="always", threads="1", share_of_time="20%")
        person.start()
        yield person


def of(person: VolunteerMachine) -> LocalSwarmView:
    found = person.look().local_swarm
    assert found is not None
    return found


def is_at(person: VolunteerMachine, stage: LocalSwarmStage) -> None:
    person.wait_until(
        lambda seen: seen.local_swarm is not None and seen.local_swarm.stage is stage,
        f"the swarm is never {stage}",
        SLOWLY,
    )


def looks_at_it(person: VolunteerMachine) -> None:
    person.ask(LookAtRun(location=LOCAL_SWARM))
    person.wait_until(
        lambda seen: seen.candidate is not None and seen.candidate.stage is CandidateStage.READY,
        "its run is never ready to be joined",
        SLOWLY,
    )


def joins_it(person: VolunteerMachine) -> None:
    looks_at_it(person)
    candidate = person.look().candidate
    assert candidate is not None
    person.ask(JoinCandidate(digest=candidate.digest))
    person.wait_until(lambda seen: seen.run is not None, "its run is never joined", SLOWLY)


def makes_an_epoch_with(person: VolunteerMachine, peers: int) -> None:
    before = person.look().progress
    epoch = before.epoch if before else 0
    person.wait_until(
        lambda seen: (
            seen.progress is not None and seen.progress.epoch > epoch and seen.progress.peers == peers
        ),
        f"{peers} trainers never make an epoch",
        SLOWLY,
    )


def page_of(person: VolunteerMachine, path: str = "/") -> str:
    person.wait_until(
        lambda seen: seen.local_swarm is not None and seen.local_swarm.web is not None,
        "its website never answers",
        SLOWLY,
    )
    found: list[str] = []

    def answers() -> bool:
        """Ask for the page; what tells of the swarm is there once the recorder has seen it."""
        with suppress(OSError), urllib.request.urlopen(f"{of(person).web}{path}", timeout=30) as answer:
            found.append(answer.read().decode())
        return bool(found)

    wait_until(answers, f"the website never has {path}", SLOWLY, every=COSTLY)
    return found[0]


def test_a_swarm_on_this_computer_is_joined_paused_resumed_and_removed(anna: VolunteerMachine) -> None:
    assert of(anna).stage is LocalSwarmStage.OFF
    assert not of(anna).is_kept
    joins_it(anna)
    is_at(anna, LocalSwarmStage.SERVING)
    makes_an_epoch_with(anna, 2)
    assert "A tiny run" in page_of(anna)
    assert listening(anna) == {"127.0.0.1"}
    anna.wait_until(
        lambda seen: seen.contribution is not None and seen.contribution.samples > 0,
        "its samples never count",  # the second trainer may have been first in that epoch
        SLOWLY,
    )
    given = anna.look().contribution
    assert given is not None
    assert (given.bytes_sent, given.month_bytes) == (0, 0), "nothing leaves the computer"
    page_of(anna, "/api/status")
    pauses_both(anna)
    anna.quit()
    assert not anna.family()
    anna.start()
    is_at(anna, LocalSwarmStage.SERVING)
    run, swarm = anna.look().run, anna.paths.swarm
    assert run is not None
    anna.ask(RemoveLocalSwarm())
    assert (of(anna).stage, of(anna).is_kept, anna.look().run) == (LocalSwarmStage.OFF, False, None)
    assert not swarm.exists()
    assert not Path(run.folder).exists()
    assert not anna.children(SERVER)


def listening(person: VolunteerMachine) -> set[str]:
    """Return the addresses at which the processes of the daemon accept connections by TCP."""
    found = [connection for process in person.family() for connection in process.net_connections("tcp")]
    return {connection.laddr.ip for connection in found if connection.status == psutil.CONN_LISTEN}


def pauses_both(person: VolunteerMachine) -> None:
    """Pause, and see that neither trainer computes while the website still answers."""
    person.ask(SetPreference(name="share-of-time", value="100%"))  # so that they would be seen to compute
    person.ask(Pause())
    person.wait_for(Activity.PAUSED)
    trainers = person.children(TRAINER)
    assert len({process.ppid() for process in trainers}) >= 2, "they belong to two guards"
    before = spent(trainers, PAUSES_WITHIN)
    assert spent(trainers, LOOK) - before < LOOK / 4, "they compute though they are paused"
    assert json.loads(page_of(person, "/api/status"))["epoch"] >= 1


def spent(processes: list[psutil.Process], after: float) -> float:
    """Return the seconds of the processor that the processes have taken, ``after`` some seconds."""
    time.sleep(after)
    return sum(sum(process.cpu_times()[:2]) for process in processes)


@pytest.mark.exhaustive
def test_a_swarm_that_is_not_joined_ends_with_its_preview(anna: VolunteerMachine) -> None:
    looks_at_it(anna)
    assert anna.children(SERVER)
    anna.ask(ForgetCandidate())
    is_at(anna, LocalSwarmStage.OFF)
    wait_until(lambda: not anna.children(SERVER), "its processes do not end", every=COSTLY)
    assert of(anna).is_kept


# Two trainers at full speed, a coordinator and a terminal's demo take 200 s of a slow processor.
@pytest.mark.exhaustive
def test_the_app_goes_on_with_the_swarm_of_a_terminal_that_ends(
    anna: VolunteerMachine, tmp_path: Path
) -> None:
    with started(UNENDING_DEMO, anna.paths.swarm, tmp_path / "embedded") as terminal:
        terminal.wait_for("epoch 1 ")
        joins_it(anna)
        is_at(anna, LocalSwarmStage.SHARED)
        makes_an_epoch_with(anna, 3)
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 0, terminal.output
    is_at(anna, LocalSwarmStage.SERVING)
    makes_an_epoch_with(anna, 2)
