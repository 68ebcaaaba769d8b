"""A process lowers itself and its session as far as it may, and does not fail where it may not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.children.priority import lower_session, waiting_threads

pytestmark = pytest.mark.posix

LOWER = "import os; from core.children import priority; priority.lower(); "
TELL_PRIORITY = LOWER + "print(os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0))"
TELL_SESSION = LOWER + "print(*open('/proc/self/autogroup').read().split()[1:])"


def run(*command: str) -> str:
    """Return the standard output of a command that runs in a session of its own."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, timeout=60, check=True, start_new_session=True
    )
    return done.stdout.strip()


def test_a_process_lowers_itself_as_far_as_there_is() -> None:
    assert run(sys.executable, "-c", TELL_PRIORITY) == f"19 {os.SCHED_IDLE}"


@pytest.mark.skipif(sys.platform != "linux", reason="torch brings GNU's library for threads on Linux")
def test_torchs_library_for_threads_lets_them_spin_for_a_moment_only() -> None:
    shown = {**os.environ, **waiting_threads(3), "OMP_DISPLAY_ENV": "verbose"}
    done = subprocess.run(
        [sys.executable, "-c", "import torch"], env=shown, capture_output=True, text=True, check=True
    )
    assert "OMP_NUM_THREADS = '3'" in done.stderr
    assert "GOMP_SPINCOUNT = '1000'" in done.stderr


def test_where_it_is_forbidden_the_process_goes_on_as_it_is() -> None:
    as_it_is = f"{os.getpriority(os.PRIO_PROCESS, 0)} {os.sched_getscheduler(0)}"
    forbidding = (sys.executable, "-m", "tests.client.without_priorities")
    assert run(*forbidding, sys.executable, "-c", TELL_PRIORITY) == as_it_is


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="this kernel knows no sessions")
@pytest.mark.parametrize(
    ("command", "niceness"),
    [
        ((), "nice 19"),
        (("sh", "-c", '"$@"; true', "leader"), "nice 19"),
        (("sh", "-c", 'sh -c \'"$@"; true\' shell "$@"; true', "leader"), "nice 0"),
    ],
    ids=["its own", "its parent's", "a person's"],
)
def test_the_session_is_lowered_only_if_no_person_works_in_it(
    command: tuple[str, ...], niceness: str
) -> None:
    assert run(*command, sys.executable, "-c", TELL_SESSION) == niceness


@pytest.mark.parametrize("there", ["folder", "missing/autogroup"])
def test_a_session_that_cannot_be_lowered_stays_as_it_is(tmp_path: Path, there: str) -> None:
    (tmp_path / "folder").mkdir()
    lower_session(tmp_path / there)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]
