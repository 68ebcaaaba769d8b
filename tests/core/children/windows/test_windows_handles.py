"""Processes of a fake Windows are suspended once, resumed once, and let go when they have ended."""

import pytest

from core.children.windows.handles import SuspendingHandles
from tests.core.children.windows.fake_windows import FakeSystem


@pytest.fixture
def system() -> FakeSystem:
    return FakeSystem()


@pytest.fixture
def handles(system: FakeSystem) -> SuspendingHandles:
    return SuspendingHandles(system.win32)


def test_a_process_goes_on_after_one_call_however_often_it_was_stopped(
    system: FakeSystem, handles: SuspendingHandles
) -> None:
    process = system.start(4, suspensions=0)
    handles.take(4)
    for _ in range(3):
        handles.stop(4)
    assert not process.is_running()
    handles.go_on(4)
    assert process.is_running()
    handles.go_on(4)
    handles.stop(4)
    assert not process.is_running()


def test_one_that_a_debugger_has_suspended_stays_so(system: FakeSystem, handles: SuspendingHandles) -> None:
    process = system.start(4, suspensions=1)
    handles.take(4)
    handles.go_on(4)
    assert not process.is_running()


def test_one_that_is_not_held_is_left_alone(system: FakeSystem, handles: SuspendingHandles) -> None:
    process = system.start(4, suspensions=0)
    handles.stop(4)
    handles.take(4)
    handles.drop(4)
    handles.stop(4)
    assert process.is_running()


@pytest.mark.parametrize("traits", [None, {"is_foreign": True}])
def test_one_that_is_not_there_or_anothers_cannot_be_taken(
    system: FakeSystem, handles: SuspendingHandles, traits: dict[str, bool] | None
) -> None:
    if traits is not None:
        system.start(4, **traits)
    handles.take(4)
    assert not handles.pids
    assert handles.cpu_seconds(4) == 0.0


def test_those_that_have_ended_are_let_go(system: FakeSystem, handles: SuspendingHandles) -> None:
    processes = [system.start(pid, suspensions=0) for pid in (4, 8, 12)]
    for process in processes:
        handles.take(process.pid)
    processes[0].ended = processes[1].ended = 0
    handles.stop(4)
    assert set(handles.pids) == {8, 12}
    handles.drop_ended()
    assert set(handles.pids) == {12}
    assert len(system.handles) == 1


def test_the_processor_time_of_one_that_has_ended_can_still_be_read(
    system: FakeSystem, handles: SuspendingHandles
) -> None:
    process = system.start(4, user_ticks=20_000_000)
    handles.take(4)
    process.ended = 0
    assert handles.cpu_seconds(4) == pytest.approx(2.0)


def test_closing_lets_go_of_all(system: FakeSystem, handles: SuspendingHandles) -> None:
    for pid in (4, 8):
        system.start(pid)
        handles.take(pid)
        handles.take(pid)
    assert len(system.handles) == 2
    handles.close()
    assert not system.handles
