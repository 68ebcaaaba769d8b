"""`update` as typed asks for the installation whatever the daemon has begun, as training may never pause."""

import os
import subprocess
from pathlib import Path

import pytest

from client.api.protocol import ProblemView
from client.api.snapshot import Snapshot
from client.api.updates import CheckForUpdate, InstallUpdate, UpdateStage, UpdateView
from client.paths import HOME_VARIABLE, Paths
from tests.client.listening_daemon import listening
from tests.client.snapshots import FULL
from tests.command_line import COMMAND, idlebrush
from tests.waiting import COSTLY, wait_until


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path), "COLUMNS": "80"}


@pytest.mark.parametrize("stage", [UpdateStage.OFFERED, UpdateStage.FETCHING, UpdateStage.FETCHED])
def test_a_version_that_is_on_its_way_is_installed_now(home: dict[str, str], stage: UpdateStage) -> None:
    found = FULL.model_copy(update={"update": UpdateView(stage=stage, version="9.0.0")})
    with listening(Paths.of_user(home), found) as daemon:
        command = [*COMMAND, "update"]
        with subprocess.Popen(command, env=home, stdout=subprocess.PIPE, text=True) as updating:
            try:
                wait_until(
                    lambda: InstallUpdate in map(type, daemon.requests) or updating.poll() is not None,
                    "it does not ask for the installation",
                    every=COSTLY,
                )
                daemon.show(found.model_copy(update={"version": "9.0.0", "update": None}))
                told, _ = updating.communicate(timeout=60)
            finally:
                updating.kill()
    assert list(map(type, daemon.requests)) == [CheckForUpdate, InstallUpdate]
    assert (updating.returncode, told.splitlines()[-1]) == (0, "Idlebrush 9.0.0 runs.")


def test_the_download_is_followed_to_what_prevents_the_installation(home: dict[str, str]) -> None:
    """Each line is printed once, and a problem ends the command with what to do about it."""
    full = "The disk is full."

    def fetching(done: int, total: int = 10_000_000) -> Snapshot:
        view = UpdateView(stage=UpdateStage.FETCHING, version="9.0.0", done=done, total=total)
        return FULL.model_copy(update={"update": view})

    with (
        listening(Paths.of_user(home), fetching(0, 0)) as daemon,
        subprocess.Popen([*COMMAND, "update"], env=home, stdout=subprocess.PIPE, text=True) as updating,
    ):
        try:
            assert updating.stdout is not None
            told = iter(updating.stdout)
            assert next(line for line in told if "is fetching" in line)
            daemon.show(fetching(2_900_000))
            assert next(told) == "2.0 MB of 10.0 MB are here.\n"
            problem = ProblemView(code="disk", what=full, remedy="Free some space.")
            failed = UpdateView(stage=UpdateStage.FETCHING, version="9.0.0", problem=problem)
            daemon.show(FULL.model_copy(update={"update": failed}))
            assert list(told) == [f"{full}\n", "Free some space.\n"]
            assert updating.wait(60) == 1
        finally:
            updating.kill()


@pytest.mark.parametrize(
    ("stage", "status"), [(UpdateStage.CURRENT, 0), (UpdateStage.ON_TRIAL, 0), (UpdateStage.REJECTED, 1)]
)
def test_nothing_is_installed_where_there_is_nothing_new(
    home: dict[str, str], stage: UpdateStage, status: int
) -> None:
    with listening(
        Paths.of_user(home), FULL.model_copy(update={"update": UpdateView(stage=stage)})
    ) as daemon:
        assert idlebrush("update", environment=home).returncode == status
    assert list(map(type, daemon.requests)) == [CheckForUpdate]
