"""The daemon's part of updates: looks once a day, fetches and installs when it may, judges and takes back."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from client.api.errors import BrokenVersion, DownloadError, UpdateError
from client.api.messages import Traffic
from client.api.updates import CheckForUpdate, InstallUpdate, PutOffUpdate, ShowNews, UpdateHold, UpdateStage
from client.installed import Installation, InstallChannel
from client.joining.tasks import FilesFetched
from client.machine.readings import Known
from client.preferences.preferences import Preferences
from client.service.context import Context
from client.service.updates.steps import UpdateTimes
from client.service.updates.trial import TrialClock
from client.service.updates.updates import UpdateCalls, Updates
from client.tasks import TaskRunner
from client.updates.kept import KeptUpdate
from client.updates.offers import SOURCE_FILE, UpdateOffer
from client.updates.stages import FIRST_RETRY, UpdateState
from client.updates.system_repository import APT_SOURCE
from client.updates.tasks import UpdateFetched, UpdateFound, UpdateLaidOut
from tests.client.service.contexts import context_in, decided
from tests.client.updates.installed_trees import tiny_tree, tiny_trees
from tests.client.updates.releases import COMMIT
from tests.client.updates.test_stages import at, offer_of

pytestmark = pytest.mark.posix
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
TIMES = UpdateTimes(between_turns=0.01, between_polls=0.005, handover=5.0)
PATIENCE = 20.0


class StandInTasks(TaskRunner):
    """Answers without processes: with what it is told for each kind of task."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "log")
        self.folder = folder
        self.offer: UpdateOffer | None = offer_of("0.2.0")
        self.errors: dict[str, Exception] = {}
        self.ran: list[str] = []
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.may_look = asyncio.Event()
        self.may_look.set()

    async def run(
        self,
        task: Any,
        answer: Any,
        seconds: Any,
        show: Any = None,
        fetched: Any = None,
        passed: Any = None,
        set_up: Any = None,
        orders: Any = None,
        host: Any = None,
    ) -> Any:
        self.ran.append(task.type)
        if passed is not None:
            passed(Traffic(bytes_received=700))
        if error := self.errors.get(task.type):
            raise error
        if answer is UpdateFound:
            await self.may_look.wait()
            return UpdateFound(offer=self.offer)
        if answer is UpdateFetched:
            fetched(FilesFetched(done=10, total=1_000))
            await self.may_end.wait()
            file = self.folder / task.offer.file
            file.parent.mkdir(exist_ok=True)
            file.touch()
            return UpdateFetched(file=file)
        return UpdateLaidOut(tree=self.folder)


@dataclass
class UpdatedDaemon:
    """A daemon's part of updates over a calm machine."""

    home: Path
    clock: list[datetime] = field(default_factory=lambda: [NOW])
    is_busy: bool = False
    handed_over: int = 0
    put_back: list[str] = field(default_factory=list)
    """Versions that were to be put in use again."""
    has_quit: bool = False
    installer: "subprocess.Popen[bytes] | None" = None

    def __post_init__(self) -> None:
        self.context: Context = context_in(self.home, now=lambda: self.clock[0])
        decided(self.context, Preferences())
        self.kept = KeptUpdate(self.context.paths.updates)
        self.trees = tiny_trees(self.home / "app", "0.1.0")
        self.installation = Installation(InstallChannel.TARBALL, "0.1.0", COMMIT, self.trees.tree("0.1.0"))
        (self.installation.tree / SOURCE_FILE).touch()
        self.tasks = StandInTasks(self.context.paths.updates)
        self._handing_over: Any = None

    def updates(self, version: str = "0.1.0") -> Updates:
        calls = UpdateCalls(lambda: self.is_busy, self._hand_over, self._put_back, self._install, self._quit)
        root, draw = self.home / "system", lambda: 0.0
        return Updates(self.context, self.installation, version, calls, TIMES, self.tasks, draw, root)

    def set_repository_up(self) -> None:
        """Have apt know a repository, as a package does."""
        source = self.home / "system" / APT_SOURCE
        source.parent.mkdir(parents=True)
        source.write_text("Types: deb\nURIs: https://example.org/apt\n")

    def read(self, **readings: Any) -> None:
        self.context.monitor.readings = replace(self.context.monitor.readings, **readings)

    def prefer(self, **preferences: Any) -> None:
        self.context.kept.current = Preferences(**preferences)

    @property
    def state(self) -> UpdateState:
        return self.kept.state

    def _hand_over(self) -> None:
        self.handed_over += 1
        self._handing_over = self.kept.alone()
        self._handing_over.__enter__()

    def _put_back(self, version: str) -> None:
        self.put_back.append(version)
        if self.installation.channel is InstallChannel.TARBALL:
            self._hand_over()

    def _install(self, package: Path) -> "subprocess.Popen[bytes]":
        """Start a process in place of the installer, which ends with the status that its input says."""
        command = [sys.executable, "-c", "import sys; sys.exit(int(sys.stdin.readline()))"]
        self.installer = subprocess.Popen(command, stdin=subprocess.PIPE)
        return self.installer

    def _quit(self) -> None:
        self.has_quit = True
        if self._handing_over is not None:
            self._handing_over.__exit__(None, None, None)


def lived(daemon: UpdatedDaemon, updates: Updates, do: Callable[[], Awaitable[None]]) -> None:
    """Have the part live while something is done."""

    async def live() -> None:
        living = asyncio.create_task(updates.live())
        try:
            async with asyncio.timeout(PATIENCE):
                await do()
        finally:
            living.cancel()
            await asyncio.wait({living})
        daemon.context.accounting.contribution.close(NOW)

    asyncio.run(live())


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        await asyncio.sleep(0.005)


@pytest.fixture
def daemon(tmp_path: Path) -> UpdatedDaemon:
    return UpdatedDaemon(tmp_path)


def test_a_newer_version_is_installed_while_nothing_stands_against_it(daemon: UpdatedDaemon) -> None:
    updates = daemon.updates()

    async def do() -> None:
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)
    assert daemon.tasks.ran == ["look_for_update", "fetch_update", "lay_out_update"]
    assert daemon.handed_over == 1
    assert (daemon.state.stage, daemon.state.previous) == (UpdateStage.HANDING_OVER, "0.1.0")
    assert daemon.state.looked == NOW
    assert daemon.context.accounting.contribution.month_bytes(NOW) == 1_400


def test_it_waits_while_a_person_waits(daemon: UpdatedDaemon) -> None:
    updates, daemon.is_busy = daemon.updates(), True

    async def do() -> None:
        await until(lambda: daemon.state.stage is UpdateStage.FETCHED)
        assert updates.view is not None
        assert updates.view.hold is UpdateHold.BUSY
        assert updates.view.version == "0.2.0"
        daemon.is_busy = False
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)


def test_a_download_stops_on_a_metered_line_and_goes_on_afterwards(daemon: UpdatedDaemon) -> None:
    updates = daemon.updates()

    async def do() -> None:
        daemon.tasks.may_end.clear()
        await until(lambda: updates.view is not None and updates.view.done == 10)
        assert updates.view is not None
        assert (updates.view.stage, updates.view.total) == (UpdateStage.FETCHING, 1_000)
        daemon.read(metered=Known(True, "a test"))
        await until(lambda: daemon.state.stage is UpdateStage.OFFERED)
        assert updates.view.hold is UpdateHold.METERED
        daemon.tasks.may_end.set()
        daemon.read(metered=Known(False, "a test"))
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)
    assert daemon.tasks.ran.count("fetch_update") == 2


@pytest.mark.parametrize("error", [UpdateError("Not signed.", "Wait."), UpdateError("Away.", "Wait.")])
def test_a_look_that_failed_is_told_and_not_repeated_the_same_day(
    daemon: UpdatedDaemon, error: UpdateError, caplog: pytest.LogCaptureFixture
) -> None:
    updates = daemon.updates()
    daemon.tasks.errors["look_for_update"] = error

    async def do() -> None:
        await until(lambda: daemon.state.looked is not None)
        await asyncio.sleep(0.1)
        assert daemon.tasks.ran == ["look_for_update"]
        daemon.clock[0] = NOW + timedelta(days=1)
        await until(lambda: len(daemon.tasks.ran) == 2)

    lived(daemon, updates, do)
    assert daemon.state.problem is not None
    assert daemon.state.problem.what == error.what
    assert f"No update can be looked for: {error.what}" in caplog.text


def test_a_download_that_failed_is_tried_again_later(daemon: UpdatedDaemon) -> None:
    updates = daemon.updates()
    daemon.tasks.errors["fetch_update"] = DownloadError("Another file.", "Wait.")

    async def do() -> None:
        await until(lambda: daemon.state.problem is not None)
        await asyncio.sleep(0.1)
        assert daemon.tasks.ran.count("fetch_update") == 1
        del daemon.tasks.errors["fetch_update"]
        daemon.clock[0] = NOW + FIRST_RETRY
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)


def test_a_package_that_is_removed_each_time_is_fetched_three_times(daemon: UpdatedDaemon) -> None:
    """A virus scanner, for example, removes it while the installation waits; each time another daemon lives."""
    package = daemon.context.paths.updates / offer_of("0.2.0").file

    async def do() -> None:
        daemon.is_busy = True
        await until(lambda: daemon.state.stage is UpdateStage.FETCHED)
        package.unlink()
        daemon.is_busy = False
        await until(lambda: daemon.state.stage is not UpdateStage.FETCHED)
        await asyncio.sleep(0.1)

    for attempt in range(1, 4):
        lived(daemon, daemon.updates(), do)
        assert daemon.tasks.ran.count("fetch_update") == attempt
        assert daemon.state.problem is not None
        assert "was removed" in daemon.state.problem.what
        daemon.clock[0] += attempt * FIRST_RETRY
    assert daemon.state.rejected == ("0.2.0",)


def test_a_version_that_cannot_be_laid_out_is_not_tried_again(daemon: UpdatedDaemon) -> None:
    updates = daemon.updates()
    daemon.tasks.errors["lay_out_update"] = BrokenVersion("It does not run.", "Tell us.")

    async def do() -> None:
        await until(lambda: daemon.state.stage is UpdateStage.REJECTED)
        daemon.clock[0] = NOW + timedelta(days=1)
        await until(lambda: daemon.tasks.ran.count("look_for_update") == 2)
        await asyncio.sleep(0.1)

    lived(daemon, updates, do)
    assert daemon.state.rejected == ("0.2.0",)
    assert daemon.tasks.ran.count("fetch_update") == 1
    assert not daemon.has_quit


def test_updates_that_are_turned_off_happen_on_request(daemon: UpdatedDaemon) -> None:
    daemon.prefer(updates=False)
    updates = daemon.updates()

    async def do() -> None:
        await asyncio.sleep(0.05)
        assert daemon.tasks.ran == []
        answer = updates.by_kind[CheckForUpdate]
        assert "`idlebrush update` installs it" in await answer(CheckForUpdate())
        assert await updates.by_kind[ShowNews](ShowNews(language="de_DE")) == "Faster."
        await updates.by_kind[InstallUpdate](InstallUpdate())
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)


@pytest.mark.parametrize("status", [0, 12])
def test_an_installer_finds_the_daemon_running_and_one_that_fails_leaves_it_running(
    daemon: UpdatedDaemon, status: int
) -> None:
    daemon.installation = replace(daemon.installation, channel=InstallChannel.NSIS)
    updates = daemon.updates()

    async def do() -> None:
        await until(lambda: daemon.installer is not None)
        await asyncio.sleep(0.1)
        assert not daemon.has_quit
        assert daemon.state.stage is UpdateStage.HANDING_OVER
        assert daemon.installer is not None
        await asyncio.to_thread(daemon.installer.communicate, f"{status}\n".encode())
        await until(lambda: daemon.has_quit or daemon.state.stage is UpdateStage.FETCHED)

    lived(daemon, updates, do)
    assert daemon.has_quit == (status == 0)
    if status:
        assert daemon.state.problem is not None
        assert "exit status 12" in daemon.state.problem.what
        assert (daemon.state.attempts, daemon.state.retry_at) == (1, NOW + FIRST_RETRY)


def test_a_request_during_a_look_is_not_lost(daemon: UpdatedDaemon) -> None:
    daemon.prefer(updates=False)
    daemon.kept.save(at(UpdateStage.FETCHED))
    (daemon.context.paths.updates / offer_of("0.2.0").file).touch()
    updates, daemon.is_busy = daemon.updates(), True
    daemon.tasks.may_look.clear()

    async def do() -> None:
        checking = asyncio.create_task(updates.check())
        await until(lambda: bool(daemon.tasks.ran))
        await updates.by_kind[InstallUpdate](InstallUpdate())
        daemon.tasks.may_look.set()
        await checking
        assert daemon.state.is_wanted
        assert daemon.state.looked == NOW

    lived(daemon, updates, do)


def test_a_version_that_was_installed_by_hand_stays_in_use(daemon: UpdatedDaemon) -> None:
    tiny_tree(daemon.trees.tree("2.0.0"), "2.0.0")
    daemon.trees.use("2.0.0")
    daemon.tasks.offer = None
    updates = daemon.updates()  # of version 0.1.0, whose app was open meanwhile

    async def do() -> None:
        await until(lambda: daemon.state.looked is not None)

    lived(daemon, updates, do)
    assert daemon.trees.used == "2.0.0"


def test_not_now_waits_a_day(daemon: UpdatedDaemon) -> None:
    updates, daemon.is_busy = daemon.updates(), True

    async def do() -> None:
        await until(lambda: daemon.state.stage is UpdateStage.FETCHED)
        await updates.by_kind[PutOffUpdate](PutOffUpdate())
        daemon.is_busy = False
        await asyncio.sleep(0.1)
        assert not daemon.has_quit
        daemon.clock[0] = NOW + timedelta(days=1)
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)


def test_the_package_manager_is_left_its_work(daemon: UpdatedDaemon) -> None:
    daemon.set_repository_up()
    daemon.installation = replace(daemon.installation, channel=InstallChannel.DEB)
    updates = daemon.updates()

    async def do() -> None:
        await until(lambda: daemon.state.stage is UpdateStage.OFFERED)
        await asyncio.sleep(0.05)
        with pytest.raises(UpdateError, match="package manager installs it"):
            await updates.by_kind[InstallUpdate](InstallUpdate())

    lived(daemon, updates, do)
    assert daemon.tasks.ran == ["look_for_update"]


def test_without_a_repository_the_volunteer_installs_the_package(daemon: UpdatedDaemon) -> None:
    daemon.installation = replace(daemon.installation, channel=InstallChannel.DEB)
    updates = daemon.updates()

    async def do() -> None:
        await until(lambda: daemon.state.stage is UpdateStage.OFFERED)
        with pytest.raises(UpdateError, match="Download the new package from the page /join") as refused:
            await updates.by_kind[InstallUpdate](InstallUpdate())
        assert "as you installed this one" in refused.value.remedy
        daemon.set_repository_up()
        told = await updates.by_kind[CheckForUpdate](CheckForUpdate())
        assert "package manager installs it" in told

    lived(daemon, updates, do)
    assert daemon.tasks.ran == ["look_for_update"] * 2


def test_a_clone_looks_for_nothing(daemon: UpdatedDaemon) -> None:
    (daemon.installation.tree / SOURCE_FILE).unlink()
    updates = daemon.updates()
    assert updates.view is None

    async def do() -> None:
        with pytest.raises(UpdateError, match="by `git pull`"):
            await updates.by_kind[CheckForUpdate](CheckForUpdate())

    lived(daemon, updates, do)
    assert daemon.tasks.ran == []


def on_trial(
    daemon: UpdatedDaemon, channel: InstallChannel = InstallChannel.TARBALL, **fields: float
) -> Updates:
    """The new version, as its first daemon finds it."""
    tree = daemon.trees.tree("0.2.0")
    tiny_tree(tree, "0.2.0")
    (tree / SOURCE_FILE).touch()
    daemon.trees.use("0.2.0")
    daemon.installation = Installation(channel, "0.2.0", COMMIT, tree)
    daemon.kept.save(at(UpdateStage.ON_TRIAL, looked=NOW).model_copy(update=fields))
    return daemon.updates("0.2.0")


def test_a_version_that_had_nothing_to_train_is_kept_after_a_day(daemon: UpdatedDaemon) -> None:
    updates = on_trial(daemon, trial_seconds=86_000.0)

    async def do() -> None:
        await asyncio.sleep(0.05)
        assert list(daemon.trees.versions()) == ["0.1.0", "0.2.0"]
        for minute in range(1, 10):
            daemon.clock[0] = NOW + timedelta(minutes=minute)
            await asyncio.sleep(0.03)
        await until(lambda: daemon.state.stage is UpdateStage.CURRENT)
        await until(lambda: list(daemon.trees.versions()) == ["0.2.0"])

    lived(daemon, updates, do)
    assert not daemon.has_quit


def test_a_version_that_trains_without_an_epoch_is_taken_back(daemon: UpdatedDaemon) -> None:
    updates = on_trial(daemon, trained_seconds=86_400.0, worked_before=True)

    async def do() -> None:
        await until(lambda: daemon.has_quit)

    lived(daemon, updates, do)
    assert daemon.state.stage is UpdateStage.TAKING_BACK
    assert daemon.state.rejected == ("0.2.0",)
    assert daemon.put_back == ["0.1.0"]


@pytest.mark.parametrize("is_kept", [True, False])
def test_on_windows_the_tree_that_the_installer_keeps_is_put_back(
    daemon: UpdatedDaemon, is_kept: bool
) -> None:
    updates = on_trial(daemon, InstallChannel.NSIS, trained_seconds=86_400.0, worked_before=True)
    if is_kept:
        tiny_tree(daemon.trees.prefix / "previous", "0.1.0")

    async def do() -> None:
        await until(lambda: daemon.has_quit or daemon.state.stage is UpdateStage.CURRENT)

    lived(daemon, updates, do)
    assert daemon.put_back == (["0.1.0"] if is_kept else [])
    assert daemon.state.problem is not None
    assert ("rolled back" if is_kept else "by hand") in str(daemon.state.problem)


def test_on_windows_the_replaced_tree_goes_once_the_new_version_has_trained(daemon: UpdatedDaemon) -> None:
    updates = on_trial(daemon, InstallChannel.NSIS, trial_seconds=7 * 86_400.0)
    tiny_tree(daemon.trees.prefix / "previous", "0.1.0")

    async def do() -> None:
        await until(lambda: not (daemon.trees.prefix / "previous").exists())

    lived(daemon, updates, do)
    assert daemon.state.stage is UpdateStage.CURRENT


def test_the_version_before_makes_itself_the_one_in_use_again(daemon: UpdatedDaemon) -> None:
    on_trial(daemon)
    daemon.installation = Installation(InstallChannel.TARBALL, "0.1.0", COMMIT, daemon.trees.tree("0.1.0"))
    daemon.tasks.offer = None
    updates = daemon.updates("0.1.0")

    async def do() -> None:
        await until(lambda: daemon.state.stage is UpdateStage.REJECTED)
        await until(lambda: list(daemon.trees.versions()) == ["0.1.0"])

    lived(daemon, updates, do)
    assert daemon.trees.used == "0.1.0"


def test_the_trial_counts_running_time_over_all_daemons_but_no_suspension(daemon: UpdatedDaemon) -> None:
    trial = TrialClock(daemon.context)
    trial.begin(at(UpdateStage.ON_TRIAL).model_copy(update={"trial_seconds": 100.0, "starts": 4}))
    assert trial.facts().starts == 4
    for hours in (10, 9):  # suspended for a night; then the clock was set back
        daemon.clock[0] = NOW + timedelta(hours=hours)
        facts = trial.facts()
        assert facts.running == timedelta(seconds=100) + timedelta(minutes=5)
    assert (facts.trained, facts.epochs, facts.has_failed) == (timedelta(), 0, False)
    for minutes in range(5):
        daemon.clock[0] = NOW + timedelta(hours=9, minutes=minutes * 2)
        trial.facts()
    assert trial.facts().starts == 0  # it starts well
    assert trial.noted(at(UpdateStage.ON_TRIAL)).trial_seconds == 100.0 + 13 * 60
    daemon.context.accounting.contribution.close(NOW)
