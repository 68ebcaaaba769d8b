"""A daemon of one version is updated to the next by real processes; versions that do not work are taken back."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError
from client.api.questions import GetStatus
from client.api.snapshot import Snapshot
from client.paths import Paths
from client.service.channel.lock import is_held
from tests.client.run_server import RunServer, serving
from tests.client.updates.installed_trees import FAILS, HANGS, install, make_tree, pack
from tests.client.updates.releases import SignedReleases

pytestmark = pytest.mark.posix
PATIENCE = 120.0
OLD, NEW = "0.1.0", "0.2.0"


@dataclass
class UpdatedDesktop:
    """A volunteer's computer with version 0.1.0, and the makers' repository that it asks."""

    folder: Path
    releases: SignedReleases
    server: RunServer

    @property
    def prefix(self) -> Path:
        return self.folder / "app"

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "IDLEBRUSH_HOME": str(self.folder / "home")}

    @property
    def paths(self) -> Paths:
        return Paths.of_user(self.environment)

    def release(self, version: str, broken: dict[str, str] | None = None) -> None:
        tree = make_tree(self.folder / "built" / version, version, broken)
        self.releases.repository.trust(tree, self.server.address("").rstrip("/"))
        self.releases.add(version, pack(tree, self.folder / f"{version}.tar"))

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run a command of the version in use."""
        return subprocess.run(
            [self.prefix / "current" / "bin" / "idlebrush", *words],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def snapshot(self) -> Snapshot | None:
        try:
            with Connection.open(self.paths.socket) as daemon:
                answer = daemon.ask(GetStatus())
        except ControlError:
            return None
        assert isinstance(answer, Status)
        return answer.snapshot

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.paths.updates / "state.json").read_text())
        return found

    def until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            log = self.paths.log("daemon")
            assert time.monotonic() < deadline, log.read_text() if log.exists() else "no log"
            time.sleep(0.1)

    def runs(self, version: str) -> bool:
        snapshot = self.snapshot()
        return snapshot is not None and snapshot.version == version

    def used(self) -> str:
        return (self.prefix / "current").readlink().name

    def trees(self) -> list[str]:
        return sorted(place.name for place in self.prefix.iterdir() if not place.is_symlink())


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[UpdatedDesktop]:
    releases = SignedReleases(tmp_path / "repository")
    releases.begin()
    (tmp_path / "app").mkdir()
    with serving(releases.folder) as server:
        tree = install(tmp_path / "app", OLD)
        releases.repository.trust(tree, server.address("").rstrip("/"))
        desktop = UpdatedDesktop(tmp_path, releases, server)
        try:
            yield desktop
        finally:
            desktop.until(lambda: not is_held(desktop.paths.updates / "handover.lock"))
            desktop.run("quit")
            desktop.until(lambda: not is_held(desktop.paths.lock))


def test_a_version_is_updated_to_the_next(desktop: UpdatedDesktop) -> None:
    desktop.release(NEW)
    updated = desktop.run("update")
    assert updated.returncode == 0, updated.stdout + updated.stderr
    assert f"Idlebrush {NEW} runs." in updated.stdout
    desktop.until(lambda: desktop.state()["stage"] == "on trial")
    assert desktop.used() == NEW
    assert desktop.trees() == [OLD, NEW]
    assert desktop.run("--version").stdout == f"idlebrush {NEW}\n"


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        pytest.param(
            {"client/daemon.py": FAILS},
            "ended during its start with exit status 1",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param({"client/cli.py": FAILS}, "does not run on this computer", marks=pytest.mark.exhaustive),
        pytest.param(
            {"client/daemon.py": HANGS}, "did not answer within 60 seconds", marks=pytest.mark.exhaustive
        ),
    ],
)
def test_a_version_that_does_not_start_is_not_put_in_use(
    desktop: UpdatedDesktop, broken: dict[str, str], words: str
) -> None:
    desktop.release(NEW, broken)
    updated = desktop.run("update")
    assert updated.returncode == 1, updated.stdout + updated.stderr
    assert words in updated.stdout
    logs = [desktop.paths.log(name) for name in ("update", "daemon")]
    assert any(words in log.read_text() for log in logs if log.exists())
    desktop.until(lambda: desktop.runs(OLD))
    assert desktop.used() == OLD
    desktop.until(lambda: desktop.trees() == [OLD])
    assert desktop.state()["rejected"] == [NEW]
    desktop.run("update", "--check")  # it is not offered again
    assert desktop.state()["stage"] == "rejected"


@pytest.mark.exhaustive
def test_a_version_that_trains_no_epoch_is_taken_back(desktop: UpdatedDesktop) -> None:
    desktop.release(NEW)
    assert desktop.run("update").returncode == 0
    desktop.until(lambda: desktop.state()["stage"] == "on trial")
    desktop.run("quit")
    # As if its trainers had trained for a day and committed nothing.
    state = {**desktop.state(), "trained_seconds": 86_400.0, "worked_before": True}
    (desktop.paths.updates / "state.json").write_text(json.dumps(state))
    desktop.run("update", "--check")
    desktop.until(lambda: desktop.runs(OLD) and desktop.state()["stage"] == "rejected")
    assert desktop.used() == OLD
    desktop.until(lambda: desktop.trees() == [OLD])
    assert "training did not work in it" in desktop.state()["problem"]["what"]
    assert "was rolled back, because training did not work in it." in desktop.paths.log("daemon").read_text()


@pytest.mark.exhaustive
def test_a_version_on_trial_whose_daemon_does_not_start_any_more_is_taken_back(
    desktop: UpdatedDesktop,
) -> None:
    desktop.release(NEW)
    assert desktop.run("update").returncode == 0
    desktop.until(lambda: desktop.state()["stage"] == "on trial")
    desktop.run("quit")
    daemon = desktop.prefix / NEW / "code" / "client" / "daemon.py"
    daemon.unlink()
    daemon.write_text(FAILS)
    desktop.run("update", "--check")  # a front end of the new version, which finds that its daemon fails
    desktop.until(lambda: desktop.runs(OLD))
    assert desktop.used() == OLD


@pytest.mark.exhaustive
def test_a_hand_over_whose_process_is_killed_is_completed_by_the_new_daemon(desktop: UpdatedDesktop) -> None:
    slow = (
        Path("client/daemon.py")
        .read_text()
        .replace("def main(", "import time\ntime.sleep(5)\n\n\ndef main(", 1)
    )
    desktop.release(NEW, {"client/daemon.py": slow})
    with subprocess.Popen(
        [desktop.prefix / "current" / "bin" / "idlebrush", "update"],
        env=desktop.environment,
        stdout=subprocess.DEVNULL,
    ) as updating:
        lock = desktop.paths.updates / "handover.lock"
        desktop.until(lambda: is_held(lock) and not is_held(desktop.paths.lock))
        _kill_holder(lock)
        desktop.until(lambda: desktop.runs(NEW) or desktop.runs(OLD))
        updating.wait(PATIENCE)
    desktop.until(lambda: desktop.used() == NEW or desktop.runs(OLD))
    if desktop.runs(NEW):
        assert desktop.used() == NEW


def _kill_holder(lock: Path) -> None:
    import psutil

    for process in psutil.process_iter(["cmdline"]):
        is_one = "client.updates.handover" in (process.info["cmdline"] or [])
        if is_one and any(str(lock) == file.path for file in process.open_files()):
            process.kill()
