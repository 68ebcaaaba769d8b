"""A trial's computer: what is written there stays there, and nothing of it is left."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed.machine import TrialMachine
from tests.installed.systems import TrialError
from tests.waiting import COSTLY, wait_until

_LINKS = ("bin", "sbin", "lib", "lib64")
_ROOT = Path(__file__).parents[2]
_LEFT_ALONE = """
import sys, time, pathlib
from tests.installed.machine import TrialMachine
base, layer = map(pathlib.Path, sys.argv[1:])
with TrialMachine(base, layer, [pathlib.Path("/usr")]) as machine:
    print(machine.first, flush=True)
    time.sleep(600)
"""


def _hindrance() -> str | None:
    if sys.platform != "linux" or os.geteuid():
        return "Only root on Linux makes such computers."
    command = ["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return f"Nothing can be mounted here: {done.stderr.strip()}" if done.returncode else None


HINDRANCE = _hindrance()
pytestmark = pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A system whose programs are this machine's own."""
    folder = tmp_path / "base"
    for name in ("proc", "sys", "dev", "run", "usr", "tmp", "root", "etc"):
        (folder / name).mkdir(parents=True)
    for name in _LINKS:
        (folder / name).symlink_to(f"usr/{name}")
    return folder


@pytest.fixture
def machine(base: Path, tmp_path: Path) -> Iterator[TrialMachine]:
    try:
        with TrialMachine(base, tmp_path / "layer", [Path("/usr")]) as made:
            yield made
    except TrialError as error:
        pytest.skip(f"{error.what} This disk may not carry layers.")


def test_what_is_written_there_stays_there(machine: TrialMachine, base: Path, tmp_path: Path) -> None:
    machine.run("sh", "-c", "echo hello > /etc/new; rmdir /tmp")
    assert (machine.root / "etc/new").read_text() == "hello\n"
    assert not (base / "etc/new").exists()
    assert (base / "tmp").exists()
    mounts = Path("/proc/self/mounts").read_text()
    assert str(tmp_path) not in mounts


def test_a_failure_tells_its_cause(machine: TrialMachine, tmp_path: Path) -> None:
    with pytest.raises(TrialError, match="no such thing"):
        machine.run("sh", "-c", "echo no such thing >&2; exit 3", log=tmp_path / "log")
    assert "no such thing" in (tmp_path / "log").read_text()


def test_its_processes_see_each_other_alone(machine: TrialMachine) -> None:
    seen = machine.run("sh", "-c", "ls -d /proc/[0-9]*").split()
    assert len(seen) < 10
    assert "/proc/1" in seen


def test_it_is_gone_with_its_maker(base: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", _LEFT_ALONE, str(base), str(tmp_path / "layer")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as maker:
        assert maker.stdout is not None
        if not (line := maker.stdout.readline().strip()):
            pytest.skip("This disk may not carry layers.")
        first = Path(f"/proc/{line}")
        assert first.exists()
        maker.send_signal(signal.SIGKILL)
    wait_until(lambda: not first.exists(), "its first process is left", every=COSTLY)
