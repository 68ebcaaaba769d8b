"""Takes care of the machine's power while it really trains: keeps it awake, and limits the power of its GPU."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from client.api.snapshot import GpuPowerMeans, PowerView, ReadingView
from client.machine.gpu.limits import AppliedLimit, GpuLimits
from client.machine.readings import Known, Readings
from client.machine.wake_lock.lock import KeptAwake, WakeLock
from client.preferences.electricity import PowerLimit
from client.preferences.preferences import Preferences
from client.service.power.following import SettingFollower

_log = logging.getLogger(__name__)
_SLEEP, _GPU = "automatic sleep", "GPU power"
_REFUSED = "NVIDIA's driver does not let this user set such a power limit"
_MEANS = {
    GpuPowerMeans.DRIVER: ("by the driver's power limit", "NVIDIA's driver"),
    GpuPowerMeans.CLOCKS: ("by lower clocks and short breaks", _REFUSED),
    GpuPowerMeans.SHARE: ("on average, by short breaks", _REFUSED),
}


@dataclass(frozen=True)
class MachineControls:
    """Parts of the machine that the daemon may change."""

    wake_lock: WakeLock
    gpu_limits: GpuLimits


@dataclass(frozen=True)
class LimitedGpu:
    """A GPU that trains, and the limit that the volunteer wants for it."""

    index: int
    limit: PowerLimit


def stays_awake(preferences: Preferences, readings: Readings, *, trains: bool) -> bool:
    """Return true if the computer is to be kept awake.

    A computer that does not report whether it runs on its battery may be on it.

    Args:
        preferences: Choices of the volunteer.
        readings: State of the machine.
        trains: True while the trainer computes.
    """
    on_battery = readings.on_battery
    return preferences.keep_awake and trains and isinstance(on_battery, Known) and not on_battery.value


class PowerCare:
    """Follows preferences and training; all methods belong to the event loop's thread."""

    def __init__(self, controls: MachineControls, changed: Callable[[], None]) -> None:
        """Prepare; ``changed`` is called after anything was set or refused."""
        self._lock, self._limits = controls.wake_lock, controls.gpu_limits
        self._awake = SettingFollower("wake lock", self._turn_lock, False, changed)
        self._gpu: SettingFollower[LimitedGpu | None, AppliedLimit | None] = SettingFollower(
            "GPU limits", self._limit_gpu, None, changed, is_at_rest=not self._limits.has_changed
        )

    def look(self, preferences: Preferences, readings: Readings, gpu: int | None, *, trains: bool) -> None:
        """Set what is wanted now; called at every look at the machine.

        Args:
            preferences: Choices of the volunteer.
            readings: State of the machine.
            gpu: Index of the GPU that trains; None: the processor does.
            trains: True while the trainer computes.
        """
        self._awake.want(stays_awake(preferences, readings, trains=trains))
        limit = preferences.gpu_power
        is_limited = trains and limit is not None and gpu is not None
        self._gpu.want(LimitedGpu(gpu, limit) if is_limited and limit and gpu is not None else None)

    @property
    def watts_by_share(self) -> float | None:
        """Average power in watts to which the share of the time has to hold the GPU; None: nothing asks for that."""
        return self._gpu.result.watts_by_share if self._gpu.result else None

    @property
    def view(self) -> PowerView:
        """Return what holds now, for front ends."""
        applied = self._gpu.result
        return PowerView(
            is_kept_awake=self._awake.result is not None and self._awake.result.is_sure,
            gpu_means=applied.means if applied else None,
            gpu_watts=applied.watts if applied else None,
        )

    @property
    def lines(self) -> tuple[ReadingView, ...]:
        """Return what holds now as lines for people, and why not more."""
        return (*self._line_of_sleep(), *self._line_of_gpu())

    async def close(self) -> None:
        """Let the system sleep again, and give the owner's settings back."""
        await self._awake.close()
        await self._gpu.close()

    def _line_of_sleep(self) -> tuple[ReadingView, ...]:
        if self._awake.problem is not None:
            return (ReadingView(name=_SLEEP, value="", source=str(self._awake.problem)),)
        if (kept := self._awake.result) is None:
            return ()
        value = (
            "prevented while it trains" if kept.is_sure else "prevented unless the desktop itself asks for it"
        )
        return (ReadingView(name=_SLEEP, value=value, source=kept.by),)

    def _line_of_gpu(self) -> tuple[ReadingView, ...]:
        if self._gpu.problem is not None:
            return (ReadingView(name=_GPU, value="", source=str(self._gpu.problem)),)
        if (applied := self._gpu.result) is None:
            return ()
        if applied.watts is None:
            why = "The card reports no default limit of which a percentage could be taken. Set gpu-power in watts."
            return (ReadingView(name=_GPU, value="", source=why),)
        how, source = _MEANS[applied.means]
        return (ReadingView(name=_GPU, value=f"at most {applied.watts:.0f} W {how}", source=source),)

    def _turn_lock(self, wanted: bool) -> KeptAwake | None:
        if not wanted:
            self._lock.release()
            return None
        kept = self._lock.hold()
        if kept != self._awake.result:
            _log.info("Automatic sleep is prevented by %s.", kept.by)
        return kept

    def _limit_gpu(self, wanted: LimitedGpu | None) -> AppliedLimit | None:
        if wanted is None:
            self._limits.restore()
            return None
        applied = self._limits.apply(wanted.index, wanted.limit.watts_of)
        if applied != self._gpu.result:
            _log.info("GPU %d is limited to %s W by %s.", wanted.index, applied.watts, applied.means)
        return applied
