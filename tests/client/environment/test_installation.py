"""Wheels are installed offline and by their digests, by pip or by what stands in for uv."""

import shutil
import subprocess
from pathlib import Path

import pytest

from client.api.errors import SetupError
from client.environment.installation import StoredWheel, WheelInstaller
from client.environment.lock_file import Variant
from client.environment.places import python_of
from client.environment.programs import ProgramRunner
from tests.client.environment.packages import make_uv, make_variant

OFFLINE = {"--no-index", "--no-deps", "--require-hashes"}


@pytest.fixture
def programs(tmp_path: Path) -> ProgramRunner:
    return ProgramRunner(tmp_path / "setup.log", tmp_path / "temporary")


@pytest.fixture
def variant(tmp_path: Path) -> Variant:
    return make_variant(tmp_path / "wheels with blanks")


@pytest.fixture
def stored(tmp_path: Path, variant: Variant) -> list[StoredWheel]:
    return [StoredWheel(wheel, tmp_path / "wheels with blanks" / wheel.file) for wheel in variant.wheels]


def test_either_installer_stays_offline_and_requires_digests(tmp_path: Path, programs: ProgramRunner) -> None:
    file = tmp_path / "new" / "requirements.txt"
    python = str(tmp_path / "new" / "bin" / "python")
    uv = WheelInstaller(programs, uv=Path("/opt/uv")).uv_command(file)
    pip = WheelInstaller(programs, python=Path("/opt/python")).pip_command(file)
    assert uv[:5] == ["/opt/uv", "pip", "install", "--python", python]
    assert set(uv) >= {*OFFLINE, "--offline", "--no-config"}
    assert pip[:8] == ["/opt/python", "-I", "-m", "pip", "--isolated", "--python", python, "install"]
    assert set(pip) >= OFFLINE


@pytest.mark.parametrize("has_uv", [True, False], ids=["uv", "pip"])
def test_an_environment_is_made_renamed_and_works(
    has_uv: bool, tmp_path: Path, programs: ProgramRunner, stored: list[StoredWheel], variant: Variant
) -> None:
    heard: list[tuple[str, int, int]] = []
    uv = make_uv(tmp_path) if has_uv else None
    WheelInstaller(programs, uv=uv).install(stored, tmp_path / "new", lambda *step: heard.append(step))
    assert {name for name, _, _ in heard} == {"torch", "hivemind"}
    assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)
    assert heard[-1][1:] == (variant.unpacked, variant.unpacked)
    (tmp_path / "new").rename(tmp_path / "in use")
    script = "import torch, hivemind.p2p, importlib.metadata as m; print(torch.__file__, m.version('torch'))"
    command = [str(python_of(tmp_path / "in use")), "-I", "-c", script]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.startswith(str(tmp_path / "in use"))
    assert printed.endswith("2.13.0+cpu\n")


@pytest.mark.parametrize("has_uv", [True, False], ids=["uv", "pip"])
def test_a_wheel_with_another_digest_is_not_installed(
    has_uv: bool, tmp_path: Path, programs: ProgramRunner, stored: list[StoredWheel]
) -> None:
    shutil.copy(stored[1].path, stored[0].path)
    uv = make_uv(tmp_path) if has_uv else None
    with pytest.raises(SetupError, match="a file on this disk is no longer what was downloaded"):
        WheelInstaller(programs, uv=uv).install(stored, tmp_path / "new", lambda *step: None)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo one; echo two; exit 3", "cannot be installed: two"),
        ("exit 3", "cannot be installed: exit status 3"),
        ("echo 'OSError: [Errno 28] No space left on device'; exit 1", "the disk is full"),
        ("exit 0", "torch, hivemind is missing afterwards"),
    ],
)
def test_an_installer_that_fails_is_told_in_words(
    script: str, words: str, tmp_path: Path, programs: ProgramRunner, stored: list[StoredWheel]
) -> None:
    uv = tmp_path / "uv"
    uv.write_text(f"#!/bin/sh\n{script}\n")
    uv.chmod(0o755)
    with pytest.raises(SetupError, match=words) as caught:
        WheelInstaller(programs, uv=uv).install(stored, tmp_path / "new", lambda *step: None)
    assert caught.value.remedy
    assert "$ " in (tmp_path / "setup.log").read_text()


def test_an_installer_that_is_not_there_is_told_in_words(
    tmp_path: Path, programs: ProgramRunner, stored: list[StoredWheel]
) -> None:
    with pytest.raises(SetupError, match="/nowhere/uv cannot be started: No such file"):
        WheelInstaller(programs, uv=Path("/nowhere/uv")).install(stored, tmp_path / "new", lambda *step: None)


def test_a_program_gets_no_variable_that_leads_it_elsewhere(tmp_path: Path) -> None:
    variables = {"PIP_INDEX_URL": "http://x", "PYTHONPATH": "/x", "UV_INDEX": "x", "PATH": "/usr/bin:/bin"}
    programs = ProgramRunner(tmp_path / "log", tmp_path / "temporary", environment=variables)
    printed = programs.run(["env"], 10.0).output.splitlines()
    assert f"TMPDIR={tmp_path / 'temporary'}" in printed
    assert not [line for line in printed if line.startswith(("PIP_", "PYTHON", "UV_"))]


def test_a_program_is_killed_once_it_takes_too_long_or_the_attempt_ends(tmp_path: Path) -> None:
    def ended() -> None:
        raise KeyboardInterrupt

    log, temporary = tmp_path / "log", tmp_path / "temporary"
    assert ProgramRunner(log, temporary).run(["sleep", "60"], 0.1).status is None
    with pytest.raises(KeyboardInterrupt):
        ProgramRunner(log, temporary, check=ended).run(["sleep", "60"], 60.0)
