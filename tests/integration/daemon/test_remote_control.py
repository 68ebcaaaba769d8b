"""Two computers of one user, in network namespaces of their own: one's commands pause and resume the other.

Daemons, command lines, TLS, pairing and trainer are the real ones; the desktop is at a server's place of the emulated
Internet, the laptop at home behind a router.
"""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.internet.emulation import EmulatedInternet, why_unsupported
from benchmarks.internet.topology import SiteLine, homes
from client.api.snapshot import Activity
from tests.integration.front_end import begun, idlebrush, said
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at

HINDRANCE = why_unsupported()
pytestmark = [pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE)), pytest.mark.timeout(600)]


class TwoComputers(NamedTuple):
    """The computers of one user, whose daemons run."""

    laptop: VolunteerMachine
    desktop: VolunteerMachine
    address: str
    """Address of the desktop."""


@pytest.fixture
def computers(tmp_path: Path) -> Iterator[TwoComputers]:
    with ExitStack() as stack:
        internet = stack.enter_context(EmulatedInternet(homes(1, SiteLine(down=20, up=5, delay=0.02))))
        server, home = internet.computer("server"), internet.computer("home1")
        laptop, desktop = (
            stack.enter_context(
                volunteer_at(
                    tmp_path / name,
                    settings=learner_settings(),
                    within=("ip", "netns", "exec", place.namespace),
                )
            )
            for name, place in (("laptop", home), ("desktop", server))
        )
        desktop.prefer(run_mode="always")
        desktop.start()
        desktop.join(write_tiny_run(tmp_path / "run"))
        laptop.start()
        yield TwoComputers(laptop, desktop, server.address)


def done(computer: VolunteerMachine, *words: str, types: str = "") -> str:
    """Run a verb that has to succeed, and return what it prints."""
    process = idlebrush(computer, *words, types=types) if types else said(computer, *words)
    assert process.returncode == 0, f"{process.stdout}{process.stderr}{computer.logs()}"
    return process.stdout


def pair(computers: TwoComputers) -> None:
    """Have the desktop show a code, and type it on the laptop."""
    laptop, desktop, address = computers
    with begun(desktop, "remote", "pair") as showing:
        assert showing.stdout
        code = re.match(r"Code: (\S+)", showing.stdout.readline())
        assert code is not None
        text = done(laptop, "remote", "add", address, "--name", "Desktop", types=f"{code[1]}\n")
        assert text == "Desktop can be controlled from this computer.\n"
        rest, errors = showing.communicate(timeout=60)
    assert "can control this one from now on." in rest, errors


def test_one_computer_pauses_and_resumes_another_in_another_network(computers: TwoComputers) -> None:
    laptop, desktop, _ = computers
    desktop.wait_for(Activity.TRAINING)
    refused = said(laptop, "remote", "pause", "Desktop")
    assert "There is no paired computer of that name." in refused.stderr
    pair(computers)

    assert (
        json.loads(done(laptop, "remote", "status", "Desktop", "--json"))["snapshot"]["activity"]
        == "training"
    )
    assert done(laptop, "remote", "pause", "desktop", "--for", "1h") == "Paused.\n"
    assert desktop.wait_for(Activity.PAUSED).snoozed_until is not None
    done(laptop, "remote", "resume", "Desktop")
    desktop.wait_for(Activity.TRAINING)
    done(laptop, "remote", "mode", "Desktop", "never")
    desktop.wait_until(lambda seen: seen.run_mode == "never", "its mode does not change")

    assert "requests 'pause'" in desktop.log("daemon")
    listed = json.loads(done(desktop, "remote", "list", "--json"))
    assert [listed["is_on"], len(listed["controllers"])] == [True, 1]
    assert "paused training by remote control" in str(desktop.look().notices)

    done(desktop, "remote", "remove", listed["controllers"][0]["name"])
    refused = said(laptop, "remote", "pause", "Desktop")
    assert "does not let this computer control it" in refused.stderr
    assert said(laptop, "remote", "status", "Desktop").returncode == 1
    assert "There is no paired computer" in said(desktop, "remote", "remove", "laptop").stderr
