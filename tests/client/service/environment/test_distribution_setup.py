"""The set-up on Windows: WSL, the distribution, and the environment in it, with a stand-in for wsl.exe."""

import asyncio
import shutil
import tarfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import psutil
import pytest

from client.api.environment import EnvironmentView, WslAction, WslStage
from client.api.errors import ClientError, SetupError
from client.environment.interpreter import TrainerPython
from client.environment.lock_file import Distribution
from client.environment.places import EnvironmentPlaces, python_of, record_of
from client.environment.stages import SetupStage
from client.hosts.wsl.child import WslAccess
from client.hosts.wsl.host import WslHost
from client.service.environment.setup import EnvironmentSetup
from client.service.session import Session
from client.service.trainer.launching import ChildModules
from client.service.trainer.restarts import EndCause
from client.service.trainer.state import State
from core.storage.files import sha256_of
from tests.client.environment.offered import OfferedPackages, offered_packages
from tests.client.environment.packages import PYTHON, lock_of
from tests.client.hosts.hosting import LEASE, StandInWsl
from tests.client.hosts.pretended_windows import NOT_INSTALLED, WslWindows
from tests.client.run_server import other, stalled
from tests.client.service.contexts import context_in
from tests.client.service.environment.test_environment_setup import CARD, ToldMachine
from tests.client.stand_ins.trainer import Deed
from tests.integration.stand_in_learner import learner_settings
from tests.volunteer import ROOT
from tests.waiting import eventually

ARCHIVE = "idlebrush-0.1.0-wsl-x86_64.tar.gz"
HOLDS = 3_000_000
"""Bytes of the file in the archive."""


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfferedPackages]:
    with offered_packages(tmp_path_factory.mktemp("offered") / "served", runs_trainers=True) as offered:
        content = offered.server.folder.parent / "os-release"
        content.write_bytes(bytes(range(256)) * (HOLDS // 256))
        with tarfile.open(offered.server.folder / ARCHIVE, "w") as archive:
            archive.add(content, "etc/os-release")
        yield offered


@pytest.fixture(autouse=True)
def _good_list(offered: OfferedPackages) -> None:
    offered.offer(lock_of(offered.variant, distributions=(distribution_of(offered),)))
    offered.server.deeds.clear()
    offered.server.asked.clear()


def distribution_of(offered: OfferedPackages) -> Distribution:
    file = offered.server.folder / ARCHIVE
    return Distribution(
        version="0.1.0",
        file=ARCHIVE,
        size=file.stat().st_size,
        unpacked=HOLDS,
        sha256=sha256_of(file),
        addresses=(offered.server.address(ARCHIVE),),
        python=PYTHON,
        glibc="2.39",
    )


@dataclass
class WindowsVolunteer:
    """A volunteer with Windows, whose daemons come and go."""

    home: Path
    offered: OfferedPackages
    windows: WslWindows

    @property
    def inside(self) -> EnvironmentPlaces:
        """The environments in the distribution."""
        return EnvironmentPlaces(self.home / "inside", self.home / "environment")

    @property
    def distributions(self) -> set[str]:
        """Names of the distributions that there are."""
        return {file.name for file in self.windows.wsl.folder.iterdir()} & {"Idlebrush", "Ubuntu"}

    @property
    def disk(self) -> Path:
        """Folder of the distribution's disk."""
        return self.home / "data" / "wsl" / "disk"

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """Give a session with a joined run."""
        trainer = learner_settings(Deed.LEARN)
        wsl = self.windows.wsl
        modules = ChildModules(
            trainer["trainer"],
            environment=trainer["environment"],
            is_idle=False,
            trainer_host=WslHost(WslAccess(wsl.command, LEASE), code=ROOT, grace=600.0),
        )
        python = TrainerPython(
            EnvironmentPlaces(self.home / "environment"),
            is_own=False,
            code=ROOT,
            inside=PurePosixPath(self.home / "inside"),
        )
        context = context_in(
            self.home,
            modules,
            python=python,
            source=lambda: self.offered.source,
            machine=ToldMachine(),
            wsl=self.windows.sources(self.home / "data" / "wsl"),
        )
        (self.home / "run").mkdir(exist_ok=True)
        CARD.save(self.home / "run")
        session = Session(context)
        living = asyncio.create_task(session.live())
        try:
            await session.join(self.home / "run")
            await eventually(lambda: context.monitor.has_looked, "nothing is read")
            yield session
        finally:
            living.cancel()
            await asyncio.gather(living, return_exceptions=True)
            await session.close(5.0)


@pytest.fixture
def volunteer(tmp_path: Path, offered: OfferedPackages) -> WindowsVolunteer:
    wsl = StandInWsl(tmp_path / "wsl")
    wsl.install("Ubuntu")
    return WindowsVolunteer(tmp_path / "home", offered, WslWindows(wsl))


def play(script: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(script(), 200))


def setup_of(session: Session) -> EnvironmentSetup:
    return session.parts.environment


def view_of(session: Session) -> EnvironmentView:
    view = setup_of(session).view
    assert view is not None
    return view


def stage_of(view: EnvironmentView) -> WslStage:
    assert view.wsl is not None
    return view.wsl.stage


async def comes(session: Session, condition: Callable[[EnvironmentView], bool]) -> EnvironmentView:
    """Wait until the set-up rests in a state for which the condition holds, and return its view."""

    def holds() -> bool:
        view = view_of(session)
        return not (view.is_working or view.is_planning) and condition(view)

    await eventually(holds, f"it does not come to that: {view_of(session)}", 120)
    return view_of(session)


async def distribution_is_there(session: Session) -> None:
    """Wait until the distribution is imported. The tests that wait for a trainer, or for an environment in use, show
    what follows, which is the same whatever came before.
    """
    await eventually(
        lambda: stage_of(view_of(session)) is WslStage.READY, f"it is not imported: {view_of(session)}", 120
    )


def in_use(view: EnvironmentView) -> bool:
    return view.stage is SetupStage.ON_TRIAL


def failed(view: EnvironmentView) -> bool:
    return view.problem is not None


def test_from_nothing_to_a_trainer_in_the_distribution(volunteer: WindowsVolunteer) -> None:
    offered, inside = volunteer.offered, volunteer.inside

    async def script() -> None:
        async with volunteer.session() as session:
            run = session.context.run
            assert run is not None
            plan = await setup_of(session).plan()
            fetched = offered.variant.size + distribution_of(offered).size
            assert (plan.is_needed, plan.download_bytes) == (True, fetched)
            assert plan.disk_bytes == fetched + offered.variant.unpacked + HOLDS
            assert volunteer.distributions == {"Ubuntu"}
            setup_of(session).begin()
            view = await comes(session, in_use)
            assert stage_of(view) is WslStage.READY
            assert (volunteer.disk / "files/etc/os-release").stat().st_size == HOLDS // 256 * 256
            assert not (volunteer.home / "environment/distribution").exists(), "the archive is left"
            await eventually(lambda: run.training.state is State.TRAINING, "it does not train", 90)
            assert run.training.trainer is not None
            child = run.training.trainer.supervisor.child
            assert child is not None
            assert psutil.Process(child).cmdline()[0] == str(python_of(inside.current))
            assert session.context.accounting.contribution.month_bytes(session.context.now()) >= fetched
            setup_of(session).made_epoch()
            await comes(session, lambda view: view.stage is SetupStage.READY)
            record = record_of(inside.current)
            assert record is not None
            assert record.has_made_epoch
            assert not (await setup_of(session).plan()).is_needed

    play(script)


@pytest.mark.exhaustive
def test_an_environment_without_an_epoch_is_taken_back_in_the_distribution(
    volunteer: WindowsVolunteer,
) -> None:
    offered, inside = volunteer.offered, volunteer.inside

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            await comes(session, in_use)
            setup_of(session).made_epoch()
            await comes(session, lambda view: view.stage is SetupStage.READY)
            newer = offered.variant.model_copy(update={"imports": ("torch",)})
            offered.offer(lock_of(newer, serial=2, distributions=(distribution_of(offered),)))
            assert (await setup_of(session).plan()).is_needed
            setup_of(session).begin()
            await comes(session, in_use)
            records = [record_of(place) for place in (inside.current, inside.previous)]
            assert [record.digest for record in records if record] == [newer.digest, offered.variant.digest]
            for number in range(3):
                error = ClientError(f"It crashed for the {number}. time.", "")
                setup_of(session).trial.ended(EndCause.CRASH, error)
            session.consider()
            await comes(session, lambda view: view.stage is SetupStage.READY)
            record = record_of(inside.current)
            assert record is not None
            assert record.digest == offered.variant.digest
            assert record_of(inside.previous) is None
            assert any("crashed 3 times" in notice.text for notice in session.context.notices)

    play(script)


def test_wsl_is_turned_on_and_a_daemon_after_the_restart_goes_on(volunteer: WindowsVolunteer) -> None:
    windows = volunteer.windows
    (windows.wsl.folder / "refuses").write_text(NOT_INSTALLED)

    async def script() -> None:
        windows.agrees = False
        async with volunteer.session() as session:
            setup = setup_of(session)
            with pytest.raises(SetupError, match="does not have to be turned on"):
                setup.turn_on_wsl()
            with pytest.raises(SetupError, match="does not have to restart"):
                await setup.restart_windows()
            setup.begin()
            view = await comes(session, failed)
            assert view.wsl is not None
            assert (view.wsl.stage, view.wsl.action) == (WslStage.BLOCKED, WslAction.TURN_ON_WSL)
            assert view.problem is not None
            assert "is not installed" in view.problem.what
            assert "asks an administrator to agree" in view.problem.remedy
            setup.turn_on_wsl()
            view = await comes(
                session, lambda view: bool(view.problem and "not turned on" in view.problem.what)
            )
            windows.agrees = True
            setup.turn_on_wsl()
            view = await comes(session, lambda view: stage_of(view) is WslStage.RESTART_NEEDED)
            assert view.problem is not None
            assert "has to restart" in view.problem.what
        async with volunteer.session() as session:
            await asyncio.sleep(1.0)
            assert stage_of(view_of(session)) is WslStage.RESTART_NEEDED
            windows.may_restart = False
            with pytest.raises(SetupError, match="does not restart: status 5"):
                await setup_of(session).restart_windows()
            windows.may_restart = True
            assert await setup_of(session).restart_windows() == "Windows restarts."
        assert windows.start_orders == [True]
        async with volunteer.session() as session:
            await comes(session, in_use)
            assert windows.start_orders == [True, False]

    play(script)


def warned_of(view: EnvironmentView) -> list[WslAction]:
    assert view.wsl is not None
    return [each.action for each in view.wsl.warnings]


def test_wsl_is_updated_once_the_trainer_has_left_which_starts_again_then(
    volunteer: WindowsVolunteer,
) -> None:
    wsl = volunteer.windows.wsl
    (wsl.folder / "old").touch()

    async def trains(session: Session) -> int:
        """Return the trainer's process once it trains."""
        run = session.context.run
        assert run is not None
        await eventually(lambda: run.training.state is State.TRAINING, "it does not train", 90)
        assert run.training.trainer is not None
        child = run.training.trainer.supervisor.child
        assert child is not None
        return child

    async def script() -> None:
        async with volunteer.session() as session:
            setup = setup_of(session)
            with pytest.raises(SetupError, match="does not have to be updated"):
                await setup.update_wsl()
            setup.begin()
            assert warned_of(await comes(session, in_use)) == [WslAction.UPDATE_WSL]
            first = await trains(session)
            (wsl.folder / "update-fails").write_text("Update failed (exit code: 1603).")
            with pytest.raises(SetupError, match="exit code: 1603"):
                await setup.update_wsl()
            assert not psutil.pid_exists(first), "it was updated below a trainer"
            assert warned_of(view_of(session)) == [WslAction.UPDATE_WSL]
            assert view_of(session).problem is None
            second = await trains(session)
            (wsl.folder / "update-fails").unlink()
            assert await setup.update_wsl() == "WSL is updated."
            assert not psutil.pid_exists(second)
            assert warned_of(view_of(session)) == []
            await trains(session)
            told = [notice.text for notice in session.context.notices]
            assert sum("WSL could not be updated" in text for text in told) == 1
            assert sum("WSL is updated" in text for text in told) == 1
        assert [each[0] for each in wsl.commands()].count("--update") == 2

    play(script)


def test_the_computer_restarts_into_its_firmware_where_virtualisation_is_off(
    volunteer: WindowsVolunteer,
) -> None:
    windows = volunteer.windows
    (windows.wsl.folder / "refuses").write_text("Error code: Wsl/Service/CreateVm/HCS_E_HYPERV_NOT_INSTALLED")

    async def script() -> None:
        windows.has_uefi = False
        async with volunteer.session() as session:
            setup = setup_of(session)
            with pytest.raises(SetupError, match="Nothing has to be changed"):
                await setup.restart_into_firmware()
            setup.begin()
            before = await comes(session, failed)
            with pytest.raises(SetupError, match="the firmware does not offer that"):
                await setup.restart_into_firmware()
            assert view_of(session) == before
            windows.has_uefi = True
            assert "restarts into its firmware's settings" in await setup.restart_into_firmware()
        assert windows.firmware_restarts == 1
        windows.restart()
        async with volunteer.session() as session:
            await distribution_is_there(session)

    play(script)


@pytest.mark.parametrize(
    ("refusal", "words", "action"),
    [
        # The test whose computer restarts into its firmware begins with this refusal.
        pytest.param(
            "Error code: Wsl/Service/CreateVm/HCS_E_HYPERV_NOT_INSTALLED",
            "virtualisation",
            WslAction.CHANGE_FIRMWARE,
            marks=pytest.mark.exhaustive,
        ),
        ("Error code: Wsl/Service/E_ACCESSDENIED", "does not allow this user", WslAction.TRY_AGAIN),
    ],
)
def test_what_windows_refuses_is_told_and_nothing_is_fetched(
    volunteer: WindowsVolunteer, refusal: str, words: str, action: WslAction
) -> None:
    (volunteer.windows.wsl.folder / "refuses").write_text(refusal)

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            view = await comes(session, failed)
            assert view.problem is not None
            assert words in view.problem.what
            assert view.wsl is not None
            assert view.wsl.action is action
            assert not any(ARCHIVE in path for path, _ in volunteer.offered.server.asked)
            volunteer.windows.restart()
            setup_of(session).begin()
            await distribution_is_there(session)

    play(script)


def test_too_little_disk_is_told_before_anything_is_fetched(volunteer: WindowsVolunteer) -> None:
    volunteer.windows.disk_free = 1 << 30

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            view = await comes(session, failed)
            assert view.problem is not None
            assert "and 1 GiB are free" in view.problem.what
            assert not any(ARCHIVE in path for path, _ in volunteer.offered.server.asked)

    play(script)


def test_another_archive_than_the_signed_one_is_not_imported(volunteer: WindowsVolunteer) -> None:
    volunteer.offered.server.instead(ARCHIVE, *([other(lambda data: data[::-1])] * 9))

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            view = await comes(session, failed)
            assert view.problem is not None
            assert "is not the file that was signed" in view.problem.what
            assert volunteer.distributions == {"Ubuntu"}
            assert not volunteer.disk.exists()
            volunteer.offered.server.deeds.clear()
            setup_of(session).begin()
            await distribution_is_there(session)

    play(script)


def test_an_import_that_fills_the_disk_leaves_nothing(volunteer: WindowsVolunteer) -> None:
    fault = volunteer.windows.wsl.folder / "import-fails"
    fault.write_text("Error code: Wsl/Service/RegisterDistro/ERROR_DISK_FULL")

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            view = await comes(session, failed)
            assert view.problem is not None
            assert "disk is full" in view.problem.what
            assert volunteer.distributions == {"Ubuntu"}
            assert not volunteer.disk.exists()
            fault.unlink()
            setup_of(session).begin()
            await distribution_is_there(session)
            asked = [path for path, _ in volunteer.offered.server.asked if ARCHIVE in path]
            assert len(asked) == 1, "the archive was kept"

    play(script)


@pytest.mark.exhaustive
def test_an_import_that_was_interrupted_is_made_anew_by_the_next_daemon(volunteer: WindowsVolunteer) -> None:
    hanging = volunteer.windows.wsl.folder / "import-hangs"
    hanging.touch()

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            await eventually((volunteer.disk / "ext4.vhdx").exists, "it is not imported", 60)
            assert stage_of(view_of(session)) is WslStage.IMPORTING
        assert volunteer.distributions == {"Ubuntu", "Idlebrush"}, "half of it is there"
        hanging.unlink()
        async with volunteer.session() as session:
            await comes(session, in_use)
            assert (volunteer.disk / "files/etc/os-release").exists()
        imports = [
            each for each in volunteer.windows.wsl.commands() if each[0] in ("--import", "--unregister")
        ]
        assert [each[0] for each in imports] == ["--import", "--unregister", "--import"]

    play(script)


def test_a_download_goes_on_where_another_daemon_was(volunteer: WindowsVolunteer) -> None:
    volunteer.offered.server.instead(ARCHIVE, stalled(1_000_000))

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            await eventually(lambda: view_of(session).done > 0, "nothing arrives")
            assert view_of(session).stage is SetupStage.FETCHING
            assert view_of(session).package == "Linux for training"
        async with volunteer.session() as session:
            await distribution_is_there(session)
        ranges = [asked for path, asked in volunteer.offered.server.asked if ARCHIVE in path]
        assert ranges[0] is None
        assert ranges[-1] is not None

    play(script)


@pytest.mark.exhaustive
def test_a_distribution_that_the_user_has_removed_comes_back_when_it_is_asked_for(
    volunteer: WindowsVolunteer,
) -> None:
    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            await comes(session, in_use)
            (volunteer.windows.wsl.folder / "Idlebrush").unlink()
            shutil.rmtree(volunteer.inside.root)
            setup_of(session).begin()
            await comes(
                session, lambda view: in_use(view) and record_of(volunteer.inside.current) is not None
            )
            assert volunteer.distributions == {"Ubuntu", "Idlebrush"}

    play(script)


def test_a_set_up_that_is_cancelled_leaves_neither_archive_nor_wheels(volunteer: WindowsVolunteer) -> None:
    volunteer.offered.server.instead(ARCHIVE, stalled(1_000_000))

    async def script() -> None:
        async with volunteer.session() as session:
            setup_of(session).begin()
            await eventually(lambda: view_of(session).done > 0, "nothing arrives")
            await setup_of(session).cancel()
            assert not (volunteer.home / "environment/distribution").exists()
            assert not view_of(session).is_wanted

    play(script)
