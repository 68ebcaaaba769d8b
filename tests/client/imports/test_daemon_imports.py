"""The daemon loads no heavy modules, as its interpreter reports, imports inside functions included."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from client.api.commands import LookAtRun, SetPreference
from tests.desktops.desktop import private_bus, virtual_display
from tests.volunteer import ROOT, volunteer_at

CONTRACT = "The daemon is light, whatever it leads to"
ENOUGH = {
    "client.daemon",
    "client.machine.display.x11",
    "client.contribution.database",
    "client.account.account",
    "jeepney",
}


@pytest.fixture
def heavy() -> set[str]:
    """The modules that the contract about the daemon's imports forbids."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (forbidden,) = (contract["forbidden_modules"] for contract in contracts if contract["name"] == CONTRACT)
    return set(forbidden)


def test_a_daemon_on_a_desktop_loads_nothing_heavy(tmp_path: Path, heavy: set[str]) -> None:
    with virtual_display() as display, private_bus() as bus:
        environment = {"DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus, "PYTHONPROFILEIMPORTTIME": "1"}
        loaded = loaded_by_a_daemon(tmp_path, environment)
    assert loaded >= ENOUGH, "this is not all that it loaded"
    assert not loaded & heavy


def loaded_by_a_daemon(home: Path, environment: Mapping[str, str]) -> set[str]:
    """Modules with their packages, until its end."""
    with volunteer_at(home, environment=dict(environment)) as volunteer:
        volunteer.start()
        volunteer.ask(SetPreference(name="threads", value="1"))
        volunteer.wait_until(lambda seen: bool(seen.readings), "it reads nothing")
        volunteer.ask(LookAtRun(location="embedded"))
        volunteer.wait_until(
            lambda seen: seen.candidate is not None and bool(seen.candidate.digest), "no run is seen"
        )
        volunteer.quit()
    imported = re.findall(r"^import time:.*\| +([\w.]+)$", (home / "daemon.out").read_text(), re.MULTILINE)
    return {*imported, *(name.split(".")[0] for name in imported)}
