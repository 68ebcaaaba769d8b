"""The daemon's log says why a real trainer does not train: the clock, peers, the network, or its memory limit."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
from tests.integration.trainer import growing_trainer
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at
from tests.waiting import wait_until

AN_HOUR_AHEAD = {"FAKETIME": "+1h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
FAILED = "Trainer failed"
PEER = "/p2p/12D3KooWBJYGg4RB4CS7ToAw1gieHQceBow3WeYgAt9n1iZcWbdi"
DEAD = f"/ip4/127.0.0.1/tcp/9{PEER}"
ABROAD = f"/ip4/11.0.0.9/tcp/4001{PEER}"
WITHOUT_A_ROUTE = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""Runs a command in a network namespace whose only device is the loopback one, and which ends with its processes."""
ALWAYS = {"run_mode": "always", "disk_free": "64 MiB"}


@contextmanager
def joined(
    folder: Path, run: Path, *, prefers: dict[str, str] | None = None, **settings: Any
) -> Iterator[VolunteerMachine]:
    """A volunteer who has joined the run."""
    with volunteer_at(folder / "home", **settings) as person:
        person.prefer(**ALWAYS, **(prefers or {}))
        person.start()
        person.join(run)
        yield person


def cause_in_the_log(person: VolunteerMachine) -> str:
    """Return the line of the daemon's log that tells why the trainer failed, once it has."""
    wait_until(lambda: FAILED in person.log("daemon"), "the trainer does not fail", PATIENCE)
    return next(line for line in person.log("daemon").splitlines() if FAILED in line)


def test_a_wrong_clock(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "known"))
    identity = PeerIdentity.load_or_create(tmp_path / "identity")
    total = manifest.training.schedule.total_epochs
    node = start_dht(Network(), identity, prefix=manifest.dht_prefix, total_epochs=total)
    try:
        peers = tuple(map(str, node.get_visible_maddrs()))
        run = write_tiny_run(tmp_path / "run", initial_peers=peers)
        settings = {"environment": {**AN_HOUR_AHEAD, "LD_PRELOAD": _library()}}
        with joined(tmp_path, run, settings=settings) as person:
            line = cause_in_the_log(person)
    finally:
        node.shutdown()
    assert "clock is 3600 seconds ahead of that of the swarm" in line


def _library() -> str:
    """Return the library by which faketime changes a program's clock."""
    library = subprocess.check_output(["faketime", "-f", "+1h", "printenv", "LD_PRELOAD"], text=True)
    return library.strip()


# Its error is that of test_one_trainer, and the log of such an error that of the next test.
@pytest.mark.exhaustive
def test_peers_that_have_ended(tmp_path: Path) -> None:
    with joined(tmp_path, write_tiny_run(tmp_path / "run", initial_peers=(DEAD,))) as person:
        line = cause_in_the_log(person)
    assert "None of the swarm's 1 initial peers answered" in line
    assert DEAD in line
    assert "no route" not in line


@pytest.mark.skipif(os.geteuid() != 0, reason="Only root may make network namespaces.")
def test_no_route_to_any_peer(tmp_path: Path) -> None:
    run = write_tiny_run(tmp_path / "run", initial_peers=(ABROAD,))
    with joined(tmp_path, run, within=WITHOUT_A_ROUTE) as person:
        line = cause_in_the_log(person)
    assert "None of the swarm's 1 initial peers answered" in line
    assert "This computer has no route to any of them (Network is unreachable)." in line


def test_too_little_memory_allowed_and_more_taken_than_allowed(tmp_path: Path) -> None:
    """First the limit is below what the trainer plans to take, then below what it takes against its plan."""
    settings = {"trainer": growing_trainer.__name__, "surroundings": {"seconds_between_memory_looks": 1.0}}
    with joined(
        tmp_path, write_tiny_run(tmp_path / "run"), prefers={"ram_limit": "256 MiB"}, settings=settings
    ) as person:
        assert re.search(
            r"This model does not fit: .* needs \S+ MiB more RAM than is available\.",
            cause_in_the_log(person),
        )
        person.prefer(**ALWAYS, ram_limit="1 GiB")
        exceeded = re.compile(
            r"WARNING .* the trainer holds .* of RAM, more than the 1 GiB that ram-limit allows\."
        )
        wait_until(lambda: bool(exceeded.search(person.log("daemon"))), "the limit is not noticed", PATIENCE)
