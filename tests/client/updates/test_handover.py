"""A hand-over ends with one version in use, whatever the new daemon does, and wherever its process is killed."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from client.api.errors import AlreadyRunning, StateError, UpdateError
from client.installed import Installation, InstallChannel
from client.paths import HOME_VARIABLE, Paths
from client.updates.daemons import ANY_VERSION, DaemonProcess
from client.updates.handover import (
    UNIT_VARIABLE,
    Handover,
    HandoverLimits,
    give_way,
    handover_command,
    start_taking_back,
    take_back_if_on_trial,
)
from client.updates.kept import KeptUpdate
from client.updates.stages import UpdateStage, UpdateState, recovered
from client.updates.trees import InstalledTrees
from tests.client.updates.installed_trees import CODE, tiny_tree, tiny_trees
from tests.client.updates.test_stages import WHEN, at, offer_of
from tests.waiting import wait_until

pytestmark = pytest.mark.posix
OLD, NEW = "0.1.0", "0.2.0"
LOST = UpdateError("It did not stay.", "Tell us.")


class HandoverKilled(BaseException):
    """The process that hands over is killed."""


@dataclass
class Machine:
    """Daemons that need no processes: each version behaves as it is told, and time passes by sleeping."""

    working: set[str] = field(default_factory=lambda: {OLD, NEW})
    """Versions whose daemon answers."""
    dying: set[str] = field(default_factory=set)
    """Versions whose daemon ends at once."""
    refused: int = 0
    """Daemons that find the lock taken for an instant, and end."""
    is_immortal: bool = False
    """True if a daemon that hangs cannot be killed."""
    answer: str = ""
    """Version that each daemon claims to have; empty: its own."""
    running: str = ""
    ends_after: float = 1.0
    """Seconds after which the daemon in use ends."""
    now: float = 0.0
    started: list[str] = field(default_factory=list)
    killed: list[str] = field(default_factory=list)
    calls: int = 0
    dies_at: int = -1
    """Number of the call at which the process that hands over is killed; -1: never."""

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def start(self, tree: Path) -> DaemonProcess:
        self._call()
        version = tree.name
        self.started.append(version)
        if self.refused:
            self.refused -= 1
            return StandInProcess(self, version, AlreadyRunning.STATUS)
        if version not in self.dying:
            self.running = version
        return StandInProcess(self, version)

    def end(self, process: DaemonProcess) -> None:
        self._call()
        if not self.is_immortal:
            self.killed.append(self.running)
            self.running = ""

    def kill_running(self) -> None:
        self.end(StandInProcess(self, self.running))

    def is_running(self) -> bool:
        self._call()
        if self.running == OLD and not self.started and self.now >= self.ends_after:
            self.running = ""
        return bool(self.running)

    def answering(self) -> str:
        self._call()
        return (self.answer or self.running) if self.running in self.working else ""

    def _call(self) -> None:
        self.calls += 1
        if self.calls == self.dies_at:
            raise HandoverKilled


@dataclass
class StandInProcess:
    machine: Machine
    version: str
    status: int | None = None

    def poll(self) -> int | None:
        if self.status is not None:
            return self.status
        return 1 if self.version in self.machine.dying else None


@dataclass
class HandoverScene:
    kept: KeptUpdate
    trees: InstalledTrees
    machine: Machine

    def run(self) -> None:
        limits = HandoverLimits(ending=20.0, answering=30.0, poll=1.0)
        machine = self.machine
        Handover(self.kept, self.trees, machine, limits, machine.clock, machine.sleep).run()

    @property
    def state(self) -> UpdateState:
        return self.kept.state


@pytest.fixture
def scene(tmp_path: Path) -> HandoverScene:
    scene = HandoverScene(
        KeptUpdate(tmp_path / "updates"), tiny_trees(tmp_path / "app", OLD, NEW), Machine(running=OLD)
    )
    scene.kept.save(at(UpdateStage.HANDING_OVER))
    return scene


def test_the_new_version_is_put_in_use_once_its_daemon_answers(scene: HandoverScene) -> None:
    scene.run()
    assert (scene.trees.used, scene.machine.running) == (NEW, NEW)
    assert scene.state.stage is UpdateStage.ON_TRIAL
    assert scene.machine.started == [NEW]
    assert not scene.kept.is_handing_over


def test_a_daemon_that_speaks_another_protocol_has_answered(scene: HandoverScene) -> None:
    scene.machine.answer = ANY_VERSION
    scene.run()
    assert scene.trees.used == NEW


@pytest.mark.parametrize(
    ("machine", "words"),
    [
        (Machine(running=OLD, dying={NEW}), "ended during its start with exit status 1"),
        (Machine(running=OLD, working={OLD}), "did not answer within 30 seconds"),
        (Machine(running=OLD, answer="0.1.7"), "did not answer within 30 seconds"),  # some other version's
    ],
)
def test_a_version_that_does_not_start_leaves_the_one_before_in_use(
    scene: HandoverScene, machine: Machine, words: str
) -> None:
    scene.machine = machine
    scene.run()
    assert (scene.trees.used, machine.running) == (OLD, OLD)
    assert machine.started == [NEW, OLD]
    state = scene.state
    assert (state.stage, state.rejected) == (UpdateStage.REJECTED, (NEW,))
    assert state.problem is not None
    assert words in state.problem.what


def test_a_daemon_that_does_not_end_is_killed_as_nobody_would_start_another_after_its_end(
    scene: HandoverScene,
) -> None:
    scene.machine.ends_after = 1e9
    scene.run()
    assert (scene.trees.used, scene.machine.running, scene.machine.killed) == (NEW, NEW, [OLD])


def test_a_daemon_that_cannot_be_killed_is_left_alone(scene: HandoverScene) -> None:
    scene.machine.ends_after, scene.machine.is_immortal = 1e9, True
    scene.run()
    assert (scene.trees.used, scene.machine.running, scene.machine.started) == (OLD, OLD, [])
    assert scene.state.stage is UpdateStage.FETCHED
    assert scene.state.problem is not None


def test_a_daemon_that_finds_the_lock_taken_for_an_instant_is_started_again(scene: HandoverScene) -> None:
    scene.machine.refused = 2
    scene.run()
    assert scene.machine.started == [NEW, NEW, NEW]
    assert (scene.trees.used, scene.state.rejected) == (NEW, ())


def test_a_version_is_not_rejected_if_the_one_before_does_not_start_either(scene: HandoverScene) -> None:
    scene.machine.dying = {OLD, NEW}
    scene.run()
    assert scene.machine.started == [NEW, OLD]
    assert (scene.trees.used, scene.state.rejected) == (OLD, ())
    assert scene.state.found(offer_of(NEW)).stage is UpdateStage.OFFERED


@pytest.mark.parametrize("stage", [UpdateStage.HANDING_OVER, UpdateStage.TAKING_BACK])
def test_the_daemon_before_is_started_though_nothing_can_be_saved(
    scene: HandoverScene, stage: UpdateStage, caplog: pytest.LogCaptureFixture
) -> None:
    scene.kept.save(at(stage))
    scene.machine = Machine(running="" if stage is UpdateStage.TAKING_BACK else OLD, dying={NEW})
    scene.kept = FullKept(scene.kept.folder)
    scene.run()
    assert scene.machine.running == OLD
    assert "No space" in caplog.text


class FullKept(KeptUpdate):
    """A record on a disk that is full."""

    def save(self, state: UpdateState) -> None:
        raise StateError("No space is left.", "Free some.")


def test_a_unit_of_systemd_hands_over_in_a_scope_of_its_own() -> None:
    plain = handover_command({}, "/app/python")
    assert plain == ["/app/python", "-P", "-m", "client.updates.handover"]
    in_unit = handover_command({UNIT_VARIABLE: "idlebrush.service"}, "/app/python")
    assert in_unit[:3] == ["systemd-run", "--user", "--scope"]
    assert in_unit[-len(plain) :] == plain


def test_the_unit_tells_its_daemon_that_it_is_one() -> None:
    unit = CODE / "installer" / "linux" / "idlebrush.service"
    assert f"Environment={UNIT_VARIABLE}=%n" in unit.read_text().splitlines()


def test_a_version_that_does_not_work_is_taken_back(scene: HandoverScene) -> None:
    scene.trees.use(NEW)
    scene.machine.running = ""
    scene.kept.save(at(UpdateStage.TAKING_BACK))
    scene.run()
    assert (scene.trees.used, scene.machine.running) == (OLD, OLD)
    assert (scene.state.stage, scene.state.rejected) == (UpdateStage.REJECTED, (NEW,))


def test_a_daemon_that_hangs_is_killed_to_take_its_version_back(scene: HandoverScene) -> None:
    scene.trees.use(NEW)
    scene.machine.running, scene.machine.started = NEW, [NEW]
    scene.kept.save(at(UpdateStage.TAKING_BACK))
    scene.run()
    assert scene.machine.killed == [NEW]
    assert (scene.trees.used, scene.machine.running) == (OLD, OLD)


@pytest.mark.parametrize("stage", set(UpdateStage) - {UpdateStage.HANDING_OVER, UpdateStage.TAKING_BACK})
def test_nothing_is_done_in_other_stages(scene: HandoverScene, stage: UpdateStage) -> None:
    scene.kept.save(at(stage))
    scene.run()
    assert (scene.trees.used, scene.machine.started) == (OLD, [])


def test_two_hand_overs_do_not_meet(scene: HandoverScene) -> None:
    with scene.kept.alone():
        scene.run()
    assert scene.machine.started == []


@pytest.mark.parametrize("works", [True, False])
@pytest.mark.parametrize("call", range(1, 12))
def test_a_hand_over_that_is_killed_is_completed_or_given_up(
    scene: HandoverScene, call: int, works: bool
) -> None:
    machine = scene.machine
    machine.dies_at, machine.working = call, {OLD, NEW} if works else {OLD}
    try:
        scene.run()
    except HandoverKilled:
        # The volunteer logs in again: the daemon that was started lives on, or the tree in use is started.
        version = machine.running or scene.trees.used
        state = recovered(scene.state, version, LOST, WHEN)
        assert (scene.trees.prefix / "current").resolve().is_dir()
        assert state.stage in (
            UpdateStage.ON_TRIAL if version == NEW else UpdateStage.FETCHED,
            UpdateStage.REJECTED,
        )
    else:
        assert scene.trees.used == (NEW if works else OLD)


@pytest.mark.parametrize("call", range(1, 6))
def test_taking_back_that_is_killed_goes_on(scene: HandoverScene, call: int) -> None:
    scene.trees.use(NEW)
    machine = scene.machine = Machine(running="", dies_at=call)
    scene.kept.save(at(UpdateStage.TAKING_BACK))
    try:
        scene.run()
    except HandoverKilled:
        machine.dies_at = -1
        if scene.state.stage is UpdateStage.TAKING_BACK:
            scene.run()  # which the next daemon of this version begins (`give_way`)
    assert scene.trees.used == OLD
    assert scene.state.rejected == (NEW,)


def paths_of(scene: HandoverScene) -> Paths:
    paths = Paths.of_user({HOME_VARIABLE: str(scene.kept.folder.parent)})
    KeptUpdate(paths.updates).save(scene.state)
    return paths


@pytest.mark.parametrize(
    ("stage", "version", "refused"),
    [
        (UpdateStage.HANDING_OVER, OLD, True),
        (UpdateStage.HANDING_OVER, NEW, False),
        (UpdateStage.TAKING_BACK, NEW, True),
        (UpdateStage.TAKING_BACK, OLD, True),
    ],
)
def test_during_a_hand_over_only_the_new_daemon_starts(
    scene: HandoverScene, stage: UpdateStage, version: str, refused: bool
) -> None:
    scene.kept.save(at(stage))
    paths = paths_of(scene)
    with KeptUpdate(paths.updates).alone():
        if refused:
            with pytest.raises(AlreadyRunning):
                give_way(paths, {}, version, None)
        else:
            give_way(paths, {}, version, None)


@pytest.mark.parametrize("stage", [UpdateStage.HANDING_OVER, UpdateStage.ON_TRIAL, UpdateStage.CURRENT])
def test_afterwards_any_daemon_starts(scene: HandoverScene, stage: UpdateStage) -> None:
    scene.kept.save(at(stage))
    for version in (OLD, NEW):
        give_way(paths_of(scene), {}, version, None)


@pytest.fixture
def on_windows(scene: HandoverScene) -> Installation:
    """An installation by Windows' installer, whose uninstaller writes down what it is given."""
    prefix = scene.kept.folder.parent / "program"
    (prefix / "tree").mkdir(parents=True)
    uninstaller = prefix / "uninstall.exe"
    uninstaller.write_text('#!/bin/sh\necho "$@" > "$0.given.part" && mv "$0.given.part" "$0.given"\n')
    uninstaller.chmod(0o755)
    return Installation(InstallChannel.NSIS, NEW, "", prefix / "tree")


def test_windows_uninstaller_puts_a_version_back_whose_successor_does_not_start(
    scene: HandoverScene, on_windows: Installation
) -> None:
    scene.kept.save(at(UpdateStage.ON_TRIAL))
    paths, prefix = paths_of(scene), on_windows.tree.parent
    assert not take_back_if_on_trial(paths, {}, "It ended.", on_windows), "no tree is kept"
    tiny_tree(prefix / "previous", OLD)
    assert take_back_if_on_trial(paths, {}, "It ended.", on_windows)
    given = prefix / "uninstall.exe.given"
    wait_until(given.exists, "the uninstaller was not started")
    assert given.read_text().split() == [f"/BACK={OLD}", "/S"]
    state = KeptUpdate(paths.updates).state
    assert (state.stage, state.rejected) == (UpdateStage.TAKING_BACK, (NEW,))
    give_way(paths, {}, NEW, on_windows)  # if the uninstaller fails, the new version stays in use


def test_an_uninstaller_that_is_missing_is_an_error(scene: HandoverScene, on_windows: Installation) -> None:
    (on_windows.tree.parent / "uninstall.exe").unlink()
    with pytest.raises(UpdateError, match="cannot be started"):
        start_taking_back(paths_of(scene), {}, on_windows, OLD)
