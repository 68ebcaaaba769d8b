"""A daemon with two joined runs, as its volunteer has it on the command line: shares, a restart, and leaving one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.commands import Leave, Quit
from client.api.snapshot import Activity
from tests.integration.front_end import said
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at


@pytest.fixture
def volunteer(tmp_path: Path) -> Iterator[VolunteerMachine]:
    with volunteer_at(tmp_path / "home", settings=learner_settings()) as person:
        person.prefer(run_mode="always")
        yield person


def test_two_runs_are_shared_survive_a_restart_and_one_is_left(
    volunteer: VolunteerMachine, tmp_path: Path
) -> None:
    volunteer.start()
    for name, epochs in (("one", 200), ("other", 300)):
        volunteer.join(write_tiny_run(tmp_path / name, epochs=epochs))
        volunteer.wait_for(Activity.TRAINING)
    one, other = volunteer.look().runs
    assert (one.is_current, other.is_current) == (False, True)
    assert said(volunteer, "runs", "share", one.digest, "300").stdout == ("The share of A tiny run is 300.\n")
    volunteer.wait_until(lambda seen: seen.runs[1].trained_seconds > 1, "no time is counted")
    before = volunteer.look().runs
    volunteer.ask(Quit())
    assert volunteer.daemon is not None
    assert volunteer.daemon.wait(PATIENCE) == 0, volunteer.logs()
    volunteer.start()
    after = volunteer.wait_for(Activity.TRAINING).runs
    assert [run.share for run in after] == [300, 100]
    assert after[1].is_current
    assert after[1].trained_seconds >= before[1].trained_seconds
    left = said(volunteer, "leave", other.digest)
    assert left.stdout == "This computer no longer trains A tiny run.\n"
    seen = volunteer.wait_for(Activity.TRAINING)
    assert seen.run is not None
    assert seen.run.digest == one.digest
    assert Path(volunteer.paths.run(other.digest)).is_dir()
    volunteer.ask(Leave())
    assert volunteer.look().runs == ()
