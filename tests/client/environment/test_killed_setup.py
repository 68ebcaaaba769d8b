"""A set-up that is killed at any point leaves nothing half installed, and the next one goes on where it was."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from client.environment.kept_setup import KeptSetup
from client.environment.lock_file import sign_lock
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, python_of, record_of, write_record
from client.environment.stages import SetupStage
from core.signing import SigningKey
from tests.client.environment.attempt import attempt
from tests.client.environment.packages import LARGE, lock_of, make_uv, make_variant, served_at
from tests.client.run_server import serving
from tests.volunteer import ROOT

OLD = EnvironmentRecord(variant="cpu", digest="old", serial=1, why="It was there.", has_made_epoch=True)


def test_killed_at_twelve_points_it_goes_on_where_it_was(tmp_path: Path) -> None:
    served, places = tmp_path / "served", EnvironmentPlaces(tmp_path / "environment")
    variant, key, uv = make_variant(served), SigningKey.generate(), make_uv(tmp_path, pause=0.2)
    put_old_environment(places)
    with serving(served) as server:
        lock = lock_of(served_at(variant, server.address("")))
        (tmp_path / "lock.json").write_bytes(sign_lock(lock, key))
        torch = variant.wheels[0]
        points = (
            ("fetching", 1),
            ("fetching", LARGE // 2),
            ("fetching", torch.size),
            ("fetching", variant.size),
            ("installing", 0),
            ("installing", torch.unpacked),
            ("installing", variant.unpacked),
            ("testing", 0),
            ("testing", 1),
            ("placing", 0),
            ("placing", 1),
            ("placing", 2),
        )
        for stage, least in points:
            arguments = (places.root, tmp_path / "lock.json", key.public_key, uv, stage, least)
            assert kill(*map(str, arguments)) == -signal.SIGKILL, f"{stage} {least} was not reached"
            assert_nothing_half_installed(places, variant.digest, f"killed at {stage} {least}")
        state = attempt(places.root, lock, uv)
        *first, second = server.asked
    assert second == (f"/{variant.wheels[1].file}", None), "a whole wheel was fetched again"
    assert [span is None for _, span in first] == [True, False, False], "a part was fetched again"
    assert state.stage is SetupStage.ON_TRIAL
    assert record_of(places.previous) == OLD
    assert works(places.current)
    kept = {"current", "previous", "wheels", "state.json", "setup.log", "setup.lock"}
    assert {path.name for path in places.root.iterdir()} == kept
    assert not list((places.root / "wheels").iterdir())


def put_old_environment(places: EnvironmentPlaces) -> None:
    places.current.mkdir(parents=True)
    write_record(places.current, OLD)


def kill(*arguments: str) -> int:
    command = [sys.executable, "-m", "tests.client.environment.attempt", *arguments]
    return subprocess.run(command, cwd=ROOT, check=False, timeout=60).returncode


def assert_nothing_half_installed(places: EnvironmentPlaces, digest: str, where: str) -> None:
    """There is an environment to train in: the old one, or the new one whole."""
    usable = places.usable()
    assert usable is not None, where
    record = record_of(usable)
    assert record is not None
    assert record == OLD or (record.digest == digest and works(usable)), where
    assert KeptSetup(places).state.failure is None, where


def works(environment: Path) -> bool:
    command = [str(python_of(environment)), "-I", "-c", "import torch, hivemind"]
    return subprocess.run(command, check=False).returncode == 0


@pytest.fixture
def places(tmp_path: Path) -> EnvironmentPlaces:
    return EnvironmentPlaces(tmp_path / "environment")


def test_a_kill_while_an_environment_is_taken_back_leaves_the_one_before_it(
    places: EnvironmentPlaces,
) -> None:
    put_old_environment(places)
    places.current.rename(places.previous)
    assert places.usable() == places.previous
    with KeptSetup(places).alone():
        assert record_of(places.current) == OLD
