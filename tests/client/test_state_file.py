import errno
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict

from client import state_file
from client.api.errors import StateError
from client.service.kept.choices import CRASHES_KEPT, DaemonState
from client.state_file import LARGEST, SET_ASIDE_KEPT
from tests.client.full_disk import SmallDisk

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STATE = DaemonState(run_folder=Path("/runs/a"), consented_at=NOON, snoozed_until=NOON, mode="never")


class Foreign(BaseModel):
    """Another program's file."""

    model_config = ConfigDict(frozen=True)

    colour: str = "blue"


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state_file.save(path, STATE)
    assert state_file.load(path, DaemonState, DaemonState()) == (STATE, None)


def test_a_missing_file_is_no_problem(tmp_path: Path) -> None:
    assert state_file.load(tmp_path / "none.json", DaemonState, STATE) == (STATE, None)
    assert state_file.load(tmp_path / "no" / "none.json", DaemonState, STATE) == (STATE, None)


@pytest.mark.parametrize(
    ("contents", "says"),
    [
        (b"", "EOF"),
        (STATE.model_dump_json().encode()[:-9], "EOF"),  # half-written
        (b"\xff\xfe\x00", "invalid"),
        (Foreign().model_dump_json().encode(), "colour is not a known field"),
        (b'{"version": 2}', "version: input should be 1"),
        (b'{"mode": "sometimes"}', "'sometimes'"),
        (b'{"consented_at": "2026-03-01T12:00:00"}', "timezone"),
        (b"[" * 100_000, "invalid"),
        (b" " * (LARGEST + 1), f"more than {LARGEST} bytes"),
    ],
    ids=["empty", "half", "binary", "foreign", "newer", "value", "naive time", "deep", "oversized"],
)
def test_a_file_that_cannot_be_used_is_set_aside_and_reported(
    tmp_path: Path, contents: bytes, says: str
) -> None:
    path = tmp_path / "state.json"
    path.write_bytes(contents)
    state, problem = state_file.load(path, DaemonState, DaemonState(), lambda: NOON)
    assert state == DaemonState()
    assert problem is not None
    assert says.lower() in problem.what.lower()
    assert "set aside as state.json.set-aside-20260301T120000.000000Z" in problem.remedy
    assert [kept.read_bytes() for kept in tmp_path.iterdir()] == [contents]


def test_a_folder_in_the_files_place_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.mkdir()
    state, problem = state_file.load(path, DaemonState, DaemonState())
    assert state == DaemonState()
    assert problem is not None
    assert "directory" in problem.what
    state_file.save(path, STATE)
    assert state_file.load(path, DaemonState, DaemonState()) == (STATE, None)


def test_only_the_newest_files_stay_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    clock = (NOON + timedelta(seconds=number) for number in count())
    for number in range(SET_ASIDE_KEPT + 2):
        path.write_text(f"broken {number}")
        state_file.load(path, DaemonState, DaemonState(), clock.__next__)
    kept = [place.read_text() for place in sorted(tmp_path.iterdir())]
    assert kept == [f"broken {number}" for number in range(2, SET_ASIDE_KEPT + 2)]


def test_a_full_disk_keeps_what_was_saved_and_says_so(small_disk: SmallDisk) -> None:
    path = small_disk.folder / "state.json"
    state_file.save(path, STATE)
    with small_disk.full(), pytest.raises(StateError, match=r"still there.*Free some space"):
        state_file.save(path, STATE.with_changes(mode=None))
    assert state_file.load(path, DaemonState, DaemonState()) == (STATE, None)
    assert [file.name for file in small_disk.folder.iterdir()] == ["state.json"]
    state_file.save(path, STATE.with_changes(mode=None))
    assert state_file.load(path, DaemonState, DaemonState())[0].mode is None


def test_a_folder_that_is_gone_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StateError, match=os.strerror(errno.ENOENT)):
        state_file.save(tmp_path / "gone" / "state.json", STATE)


SAVES_FOR_EVER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from client import state_file
from client.service.kept.choices import DaemonState
state = DaemonState()
while True:
    state = state.with_crash(datetime.now(UTC))
    state_file.save(Path(sys.argv[1]), state)
    print(state.crashes[-1].isoformat(), flush=True)
"""


def test_a_process_killed_while_it_saves_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    for saves in (3, 17, 40):
        command = [sys.executable, "-c", SAVES_FOR_EVER, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            printed = [process.stdout.readline().strip() for _ in range(saves)]
            process.send_signal(signal.SIGKILL)
        state, problem = state_file.load(path, DaemonState, DaemonState())
        assert problem is None
        assert state.crashes[-1] >= datetime.fromisoformat(printed[-1])


def test_crashes_are_remembered_up_to_a_number() -> None:
    state = DaemonState()
    for minute in range(CRASHES_KEPT + 3):
        state = state.with_crash(NOON + timedelta(minutes=minute))
    assert len(state.crashes) == CRASHES_KEPT
