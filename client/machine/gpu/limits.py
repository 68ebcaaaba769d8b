"""Limits the power of NVIDIA's GPUs by what their driver lets this user set, and gives the owner's setting back.

The owner's setting is written to a file before it is changed, so that it also comes back after a crash. Locked clocks
are never used: the driver does not report them, so they could not be given back.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from client import state_file
from client.api.errors import NvmlError, StateError
from client.api.snapshot import GpuPowerMeans
from client.machine.gpu.nvml import Nvml

_GRAPHICS_CLOCK, _MEMORY_CLOCK = 0, 2
"""NVML_CLOCK_GRAPHICS and NVML_CLOCK_MEM of nvml.h."""
_GET_POWER, _SET_POWER = "nvmlDeviceGetPowerManagementLimit", "nvmlDeviceSetPowerManagementLimit"
_GET_CLOCK, _SET_CLOCKS = "nvmlDeviceGetApplicationsClock", "nvmlDeviceSetApplicationsClocks"
_MILLI = 1000
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AppliedLimit:
    """Limit that holds for a GPU now."""

    means: GpuPowerMeans
    watts: float | None
    """Limit of the power in watts; None: it is a part of a default that the card does not report."""

    @property
    def watts_by_share(self) -> float | None:
        """Average power in watts that the share of the time has to hold; None: the driver does."""
        return self.watts if self.means in (GpuPowerMeans.CLOCKS, GpuPowerMeans.SHARE) else None


class _GpuSetting(StrEnum):
    POWER = "power"  # milliwatts
    CLOCKS = "clocks"  # MHz of memory and of graphics


class KeptSetting(BaseModel):
    """Setting of a GPU's owner that was changed and has to come back."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gpu: str
    """Identifier that the driver gives to the card for all time."""
    setting: _GpuSetting
    before: tuple[int, ...]
    """Values of the owner, in the unit of the setting."""
    ours: tuple[int, ...]
    """Values that we set, in the unit of the setting."""


@dataclass(frozen=True)
class _HeldLimit:
    """A limit as it was applied, by which a later look tells whether it still holds."""

    gpu: str
    watts: float
    limit: AppliedLimit
    values: tuple[tuple[int, ...] | None, ...]
    """Values of all settings, in the order of `_GpuSetting`."""


class KeptSettings(BaseModel):
    """The file of all settings that have to come back."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    changed: tuple[KeptSetting, ...] = ()


class GpuLimits:
    """Sets and restores; all methods may block on the driver, and are called by one thread at a time."""

    def __init__(self, nvml: Nvml, file: Path) -> None:
        """Prepare.

        Args:
            nvml: Driver to ask, which only this object uses.
            file: Keeps the owner's settings while they are changed.
        """
        self._nvml, self._file = nvml, file
        self._held: _HeldLimit | None = None

    def apply(self, index: int, watts_of: Callable[[float | None], float | None]) -> AppliedLimit:
        """Limit a GPU's power by the best means that this user may use; the owner's own limit stays if it is lower.

        Where that limit holds already, nothing is set. A limit that is gone, as after the driver was loaded again, is
        set once more.

        Args:
            index: The GPU, in the order of the PCI bus.
            watts_of: Returns the limit in watts, or None if there is none, for a card with that default limit in
                watts; None: the card does not report it.

        Raises:
            NvmlError: The driver does not work.
            StateError: The owner's setting cannot be kept, so nothing was changed.
        """
        if (held := self._held) is not None and self._still_holds(held, index, watts_of):
            return held.limit
        self._held = None
        self._give_all_back()
        handle = self._handle(index)
        default, watts = self._default(handle), self._watts(handle, watts_of)
        if watts is None:
            return AppliedLimit(GpuPowerMeans.NOTHING, None)
        limit = self._limit(handle, watts, default)
        self._held = _HeldLimit(self._gpu(handle), watts, limit, self._values(handle))
        return limit

    def restore(self) -> None:
        """Give back the owner's settings, but not those that were changed since by another program.

        Those of a driver that does not run now, or of a card that is away, are kept for later.

        Raises:
            NvmlError: The driver does not work, or no longer lets this user set what it let before.
            StateError: The file cannot be written.
        """
        self._held = None
        if refused := self._give_all_back():
            raise NvmlError(
                f"NVIDIA's driver does not let this user set back {' and '.join(refused)} of a GPU.",
                "Restart the computer, or let an administrator set the owner's value by nvidia-smi.",
            )

    @property
    def has_changed(self) -> bool:
        """True if a setting has to come back, perhaps one that a daemon changed that ended by a crash."""
        return self._file.exists()

    def _handle(self, index: int) -> Any:
        handles = self._nvml.handles()
        if index >= len(handles):
            raise NvmlError(
                f"NVIDIA's driver reports no GPU {index} any more.", "Connect it, or choose another one."
            )
        return handles[index]

    def _still_holds(
        self, held: _HeldLimit, index: int, watts_of: Callable[[float | None], float | None]
    ) -> bool:
        try:
            handle = self._handle(index)
            now = self._gpu(handle), self._watts(handle, watts_of), self._values(handle)
        except NvmlError:
            return False  # a driver that was loaded again is opened again
        return now == (held.gpu, held.watts, held.values)

    def _limit(self, handle: Any, watts: float, default: float | None) -> AppliedLimit:
        if self._limit_power(handle, round(watts * _MILLI)):
            return AppliedLimit(GpuPowerMeans.DRIVER, watts)
        slower = default is not None and self._lower_clocks(handle, watts / default)
        return AppliedLimit(GpuPowerMeans.CLOCKS if slower else GpuPowerMeans.SHARE, watts)

    def _watts(self, handle: Any, watts_of: Callable[[float | None], float | None]) -> float | None:
        return watts_of(self._default(handle))

    def _default(self, handle: Any) -> float | None:
        """Return the card's default limit in watts; None: it does not report it."""
        default = self._nvml.ask_if_reported("nvmlDeviceGetPowerManagementDefaultLimit", handle)
        return None if default is None else default / _MILLI

    def _gpu(self, handle: Any) -> str:
        return str(self._nvml.ask("nvmlDeviceGetUUID", handle))

    def _values(self, handle: Any) -> tuple[tuple[int, ...] | None, ...]:
        return tuple(self._value(handle, setting) for setting in _GpuSetting)

    def _give_all_back(self) -> list[str]:
        """Give back what can be given back, and return the settings of present cards that stay as we set them."""
        try:
            kept, problem = state_file.load(self._file, KeptSettings, KeptSettings())
            if problem is not None:
                _log.warning("%s", problem)
            return self._restore(kept) if kept.changed else []
        finally:
            self._nvml.close()  # an open driver keeps a GPU from sleeping

    def _restore(self, kept: KeptSettings) -> list[str]:
        handles = {self._gpu(handle): handle for handle in self._nvml.handles()}
        left = tuple(changed for changed in kept.changed if not self._give_back(changed, handles))
        self._keep(left)
        return [changed.setting.value for changed in left if changed.gpu in handles]

    def _give_back(self, changed: KeptSetting, handles: Mapping[str, Any]) -> bool:
        """Set the owner's values; return false if that has to be tried again, as the card or the right is missing."""
        handle = handles.get(changed.gpu)
        if handle is None:
            return False
        present = self._value(handle, changed.setting)
        if present is None:
            return False
        return present != changed.ours or self._set(handle, changed.setting, changed.before)

    def _limit_power(self, handle: Any, milliwatts: int) -> bool:
        """Lower the driver's power limit; return false if it cannot be as low, or this user may not."""
        present = self._value(handle, _GpuSetting.POWER)
        bounds = self._nvml.ask_if_reported("nvmlDeviceGetPowerManagementLimitConstraints", handle)
        if present is not None and present[0] <= milliwatts:
            return True
        if present is None or bounds is None or milliwatts < bounds[0]:
            return False
        return self._change(handle, _GpuSetting.POWER, present, (milliwatts,))

    def _lower_clocks(self, handle: Any, share: float) -> bool:
        """Lower the clocks to a share of the highest; return false if this user may not, or they are as low.

        Power falls at least as fast as the clock that makes most of it, but idle parts do not count, so the share
        of the time still has to hold the rest.
        """
        present = self._value(handle, _GpuSetting.CLOCKS)
        if present is None:
            return False
        memory, graphics = present
        possible = self._nvml.ask_if_reported("nvmlDeviceGetSupportedGraphicsClocks", handle, memory) or ()
        wanted = max((clock for clock in possible if clock <= max(possible) * share), default=None)
        if wanted is None or wanted >= graphics:
            return False
        return self._change(handle, _GpuSetting.CLOCKS, present, (memory, int(wanted)))

    def _change(
        self, handle: Any, setting: _GpuSetting, before: tuple[int, ...], ours: tuple[int, ...]
    ) -> bool:
        """Keep the owner's values and set others; return false if this user may not.

        What could not be given back before is ours still, so the owner's values are those of the earlier record. The
        driver may round what it is told to set, and reports that from then on.
        """
        gpu = self._gpu(handle)
        kept, _ = state_file.load(self._file, KeptSettings, KeptSettings())
        earlier = [one for one in kept.changed if (one.gpu, one.setting) == (gpu, setting)]
        others = tuple(one for one in kept.changed if one not in earlier)
        record = KeptSetting(
            gpu=gpu, setting=setting, before=earlier[0].before if earlier else before, ours=ours
        )
        self._keep((*others, record))
        if not self._set(handle, setting, ours):
            self._keep(kept.changed)
            return False
        present = self._value(handle, setting)
        if present not in (None, ours):
            self._keep((*others, record.model_copy(update={"ours": present})))
        return True

    def _value(self, handle: Any, setting: _GpuSetting) -> tuple[int, ...] | None:
        """Return the present values of a setting; None: this GPU does not report them."""
        ask = self._nvml.ask_if_reported
        if setting is _GpuSetting.POWER:
            values = (ask(_GET_POWER, handle),)
        else:
            values = tuple(ask(_GET_CLOCK, handle, kind) for kind in (_MEMORY_CLOCK, _GRAPHICS_CLOCK))
        return None if None in values else tuple(map(int, values))

    def _set(self, handle: Any, setting: _GpuSetting, values: tuple[int, ...]) -> bool:
        function = _SET_POWER if setting is _GpuSetting.POWER else _SET_CLOCKS
        return self._nvml.order(function, handle, *values)

    def _keep(self, changed: tuple[KeptSetting, ...]) -> None:
        if changed:
            state_file.save(self._file, KeptSettings(changed=changed))
            return
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:
            raise StateError(
                f"{self._file} could not be removed: {error.strerror or error}.",
                f"See that you may write to {self._file.parent}.",
            ) from error
