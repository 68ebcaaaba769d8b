"""A stand-in for NVIDIA's library whose settings can be changed, by whoever has the right to."""

from dataclasses import dataclass, field

from tests.client.machine.recorded_nvml import NVMLError, RecordedGpu, RecordedMoment, RecordedNvml

INVALID_ARGUMENT, NOT_SUPPORTED, NO_PERMISSION = 2, 3, 4


@dataclass
class SettableGpu:
    """Settings of one card; what it does not report is None."""

    uuid: str = "GPU-1"
    default: int | None = 300_000
    """Default limit in milliwatts."""
    power: int | None = 300_000
    """Limit in milliwatts."""
    bounds: tuple[int, int] = (100_000, 350_000)
    """Limits in milliwatts that the card accepts."""
    clocks: tuple[int, int] | None = (7_001, 1_900)
    """Clocks in MHz of memory and of graphics."""
    supported: tuple[int, ...] = (1_900, 1_500, 1_200, 900, 300)
    """Clocks in MHz of graphics that the card accepts."""
    step: int = 1
    """Step in milliwatts to which the card rounds a limit down."""
    may_set_power: bool = False
    may_set_clocks: bool = False
    orders: list[str] = field(default_factory=list)
    """Settings that were changed, in their order."""


class SettableNvml(RecordedNvml):
    """Cards that draw 200 W, whose settings tests look at and change."""

    def __init__(self, *cards: SettableGpu) -> None:
        super().__init__(lambda: RecordedMoment(gpus=(RecordedGpu(milliwatts=200_000),) * len(cards)))
        self.cards = cards

    def nvmlDeviceGetUUID(self, handle: int) -> str:  # noqa: N802 - NVML's names
        return self.cards[handle].uuid

    def nvmlDeviceGetPowerManagementDefaultLimit(self, handle: int) -> int:  # noqa: N802
        return _known(self.cards[handle].default)

    def nvmlDeviceGetPowerManagementLimit(self, handle: int) -> int:  # noqa: N802
        return _known(self.cards[handle].power)

    def nvmlDeviceGetPowerManagementLimitConstraints(self, handle: int) -> list[int]:  # noqa: N802
        return list(self.cards[handle].bounds)

    def nvmlDeviceSetPowerManagementLimit(self, handle: int, milliwatts: int) -> None:  # noqa: N802
        card = self.cards[handle]
        _permit(card.may_set_power)
        if not card.bounds[0] <= milliwatts <= card.bounds[1]:
            raise NVMLError(INVALID_ARGUMENT)
        card.power = milliwatts - milliwatts % card.step
        card.orders.append(f"power {milliwatts}")

    def nvmlDeviceGetApplicationsClock(self, handle: int, kind: int) -> int:  # noqa: N802
        clocks = self.cards[handle].clocks
        return _known(None if clocks is None else clocks[{2: 0, 0: 1}[kind]])

    def nvmlDeviceGetSupportedGraphicsClocks(self, handle: int, memory: int) -> list[int]:  # noqa: N802
        card = self.cards[handle]
        assert card.clocks
        assert memory == card.clocks[0]
        return list(card.supported)

    def nvmlDeviceSetApplicationsClocks(self, handle: int, memory: int, graphics: int) -> None:  # noqa: N802
        card = self.cards[handle]
        _permit(card.may_set_clocks)
        assert graphics in card.supported
        card.clocks = (memory, graphics)
        card.orders.append(f"clocks {memory} {graphics}")


def _permit(may: bool) -> None:
    if not may:
        raise NVMLError(NO_PERMISSION)


def _known(value: int | None) -> int:
    if value is None:
        raise NVMLError(NOT_SUPPORTED)
    return value
