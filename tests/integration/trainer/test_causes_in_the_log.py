"""The daemon's log says why a real trainer cannot enter its swarm: a wrong clock, or peers that cannot be reached."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from core.run.manifest import RunManifest
from core.swarm.dht import Network, start_dht
from core.swarm.wire.identity import PeerIdentity
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, volunteer_at
from tests.waiting import wait_until

AN_HOUR_AHEAD = {"FAKETIME": "+1h", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
FAILED = "Trainer failed"
DEAD = "/ip4/127.0.0.1/tcp/9/p2p/12D3KooWBJYGg4RB4CS7ToAw1gieHQceBow3WeYgAt9n1iZcWbdi"


def cause_in_the_log(folder: Path, run: Path, environment: Mapping[str, str]) -> str:
    """Have a volunteer join the run; return the line of the daemon's log that tells why the trainer failed."""
    with volunteer_at(folder / "home", told={"environment": dict(environment)}) as person:
        person.prefer(run_mode="always", disk_free="64 MiB")
        person.start()
        person.join(run)
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
        line = cause_in_the_log(tmp_path, run, {**AN_HOUR_AHEAD, "LD_PRELOAD": _library()})
    finally:
        node.shutdown()
    assert "clock is 3600 seconds ahead of that of the swarm" in line


def _library() -> str:
    """Return the library by which faketime changes a program's clock."""
    told = subprocess.check_output(["faketime", "-f", "+1h", "printenv", "LD_PRELOAD"], text=True)
    return told.strip()


def test_peers_that_cannot_be_reached(tmp_path: Path) -> None:
    line = cause_in_the_log(tmp_path, write_tiny_run(tmp_path / "run", initial_peers=(DEAD,)), {})
    assert "None of the swarm's 1 initial peers answered" in line
    assert DEAD in line
