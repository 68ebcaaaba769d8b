"""The computer is kept awake, and its GPU limited, exactly while it trains on mains power."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from client.api.snapshot import GpuPowerMeans, PowerView
from client.machine.gpu.limits import GpuLimits
from client.machine.gpu.nvml import Nvml
from client.machine.readings import Readings
from client.machine.wake_lock.lock import KeptAwake, NoWakeLock, WakeLock
from client.preferences.electricity import PowerLimit
from client.preferences.preferences import Preferences
from client.service.power.care import MachineControls, PowerCare, stays_awake
from tests.client.machine.settable_nvml import SettableGpu, SettableNvml
from tests.client.situations import CALM, UNKNOWN, readings
from tests.waiting import eventually

AWAKE = Preferences(keep_awake=True)
LIMITED = Preferences(gpu_power=PowerLimit(watts=200))


@pytest.mark.parametrize(
    ("preferences", "read", "trains", "expected"),
    [
        (AWAKE, readings(), True, True),
        (AWAKE, readings(), False, False),
        (Preferences(), readings(), True, False),
        (AWAKE, readings(on_battery=True), True, False),
        (AWAKE, readings(on_battery=UNKNOWN), True, False),
    ],
)
def test_a_computer_stays_awake_while_it_trains_on_mains_power(
    preferences: Preferences, read: Readings, trains: bool, expected: bool
) -> None:
    assert stays_awake(preferences, read, trains=trains) is expected


@dataclass
class SimpleLock:
    """A lock that is only a truth value."""

    is_held: bool = False
    is_sure: bool = True

    def hold(self) -> KeptAwake:
        self.is_held = True
        return KeptAwake("a test", self.is_sure)

    def release(self) -> None:
        self.is_held = False


def care(folder: Path, card: SettableGpu, lock: WakeLock | None = None) -> PowerCare:
    limits = GpuLimits(Nvml(SettableNvml(card)), folder / "gpu-settings.json")
    return PowerCare(MachineControls(lock or NoWakeLock(), limits), lambda: None)


def lines(power: PowerCare) -> list[str]:
    return [f"{line.name}: {line.value or 'unknown'} ({line.source})" for line in power.lines]


def test_the_lock_is_held_while_it_trains(tmp_path: Path) -> None:
    async def body() -> None:
        lock = SimpleLock()
        power = care(tmp_path, SettableGpu(), lock)
        power.look(AWAKE, CALM, None, trains=True)
        await eventually(lambda: power.view == PowerView(is_kept_awake=True), "it is not kept awake")
        assert lines(power) == ["automatic sleep: prevented while it trains (a test)"]
        power.look(AWAKE, readings(on_battery=True), None, trains=True)
        await eventually(lambda: power.view == PowerView(), "it stays awake on battery")
        assert (lock.is_held, lines(power)) == (False, [])
        power.look(AWAKE, CALM, None, trains=True)
        await power.close()
        assert not lock.is_held

    asyncio.run(body())


def test_a_system_that_cannot_be_kept_awake_is_reported(tmp_path: Path) -> None:
    async def body() -> None:
        power = care(tmp_path, SettableGpu())
        power.look(AWAKE, CALM, None, trains=True)
        await eventually(lambda: bool(power.lines), "nothing is reported")
        assert lines(power)[0].startswith(
            "automatic sleep: unknown (Idlebrush cannot keep this system awake."
        )
        power.look(AWAKE, CALM, None, trains=False)
        assert lines(power) == []
        await power.close()

    asyncio.run(body())


@pytest.mark.parametrize(
    ("card", "means", "by_share", "line"),
    [
        (
            SettableGpu(may_set_power=True),
            GpuPowerMeans.DRIVER,
            None,
            "GPU power: at most 200 W by the driver's power limit (NVIDIA's driver)",
        ),
        (
            SettableGpu(),
            GpuPowerMeans.SHARE,
            200.0,
            "GPU power: at most 200 W on average, by short breaks (NVIDIA's driver does not let this user set such "
            "a power limit)",
        ),
    ],
)
def test_a_gpu_is_limited_while_it_trains(
    tmp_path: Path, card: SettableGpu, means: GpuPowerMeans, by_share: float | None, line: str
) -> None:
    async def body() -> None:
        power = care(tmp_path, card)
        power.look(LIMITED, CALM, None, trains=True)  # the processor trains
        assert lines(power) == []
        power.look(LIMITED, CALM, 0, trains=True)
        await eventually(lambda: power.view == PowerView(gpu_means=means, gpu_watts=200), "it is not limited")
        assert (lines(power), power.watts_by_share) == ([line], by_share)
        power.look(LIMITED, CALM, 0, trains=False)
        await eventually(lambda: power.view == PowerView(), "it stays limited")
        assert card.power == 300_000
        power.look(LIMITED, CALM, 0, trains=True)
        await power.close()
        assert card.power == 300_000

    asyncio.run(body())


def test_a_percentage_of_an_unknown_limit_is_reported(tmp_path: Path) -> None:
    async def body() -> None:
        power = care(tmp_path, SettableGpu(default=None))
        power.look(Preferences(gpu_power=PowerLimit(share=0.5)), CALM, 0, trains=True)
        await eventually(lambda: power.view.gpu_means is GpuPowerMeans.NOTHING, "nothing is reported")
        assert lines(power)[0].endswith("Set gpu-power in watts.)")
        assert power.watts_by_share is None
        await power.close()

    asyncio.run(body())


def test_what_a_crashed_daemon_left_is_given_back_at_the_first_look(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    limits = GpuLimits(Nvml(SettableNvml(card)), tmp_path / "gpu-settings.json")
    limits.apply(0, PowerLimit(watts=200).watts_of)
    assert card.power == 200_000

    async def body() -> None:
        power = care(tmp_path, card)
        power.look(Preferences(), CALM, None, trains=False)
        await eventually(lambda: card.power == 300_000, "it stays changed")
        await power.close()

    asyncio.run(body())


def test_a_lock_that_does_not_bind_the_desktop_is_no_promise(tmp_path: Path) -> None:
    async def body() -> None:
        power = care(tmp_path, SettableGpu(), SimpleLock(is_sure=False))
        power.look(AWAKE, CALM, None, trains=True)
        await eventually(lambda: bool(power.lines), "no line")
        assert lines(power) == ["automatic sleep: prevented unless the desktop itself asks for it (a test)"]
        assert not power.view.is_kept_awake
        await power.close()

    asyncio.run(body())
