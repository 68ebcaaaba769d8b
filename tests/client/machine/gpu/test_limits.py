"""The power of a GPU is limited by the best means that the driver permits, and the owner's settings come back."""

from dataclasses import replace
from errno import EACCES
from pathlib import Path, PosixPath

import pytest

from client.api.errors import NvmlAbsent, NvmlError, StateError
from client.api.snapshot import GpuPowerMeans
from client.machine.gpu.limits import AppliedLimit, GpuLimits
from client.machine.gpu.nvml import Nvml
from client.preferences.electricity import PowerLimit
from tests.client.machine.recorded_nvml import RecordedNvml
from tests.client.machine.settable_nvml import SettableGpu, SettableNvml

DRIVER, CLOCKS, SHARE, NOTHING = GpuPowerMeans
LIBRARY_NOT_FOUND = 12
WATTS_200, HALF = PowerLimit(watts=200).watts_of, PowerLimit(share=0.5).watts_of


class UndeletablePath(PosixPath):
    """A file in a folder that may not be written to, which root could delete all the same."""

    def unlink(self, missing_ok: bool = False) -> None:
        raise PermissionError(EACCES, "Permission denied")


def limits(tmp_path: Path, library: RecordedNvml) -> GpuLimits:
    return GpuLimits(Nvml(library), tmp_path / "gpu-settings.json")


@pytest.mark.parametrize(
    ("card", "limit", "means", "watts", "by_share"),
    [
        (SettableGpu(may_set_power=True), WATTS_200, DRIVER, 200, None),
        (SettableGpu(may_set_power=True), HALF, DRIVER, 150, None),
        (SettableGpu(power=180_000), WATTS_200, DRIVER, 200, None),  # the owner's is lower
        (SettableGpu(may_set_power=True, bounds=(250_000, 350_000)), WATTS_200, SHARE, 200, 200),
        (SettableGpu(may_set_clocks=True), WATTS_200, CLOCKS, 200, 200),
        (SettableGpu(may_set_clocks=True, clocks=(7_001, 900)), WATTS_200, SHARE, 200, 200),
        (SettableGpu(may_set_clocks=True, clocks=None), WATTS_200, SHARE, 200, 200),
        (SettableGpu(), WATTS_200, SHARE, 200, 200),
        (SettableGpu(power=None, default=None), WATTS_200, SHARE, 200, 200),
        (SettableGpu(power=None, default=None), HALF, NOTHING, None, None),
    ],
)  # fmt: skip
def test_the_best_means_that_is_permitted_is_used(
    tmp_path: Path,
    card: SettableGpu,
    limit: object,
    means: GpuPowerMeans,
    watts: float | None,
    by_share: float | None,
) -> None:
    assert callable(limit)
    card = replace(card, orders=[])
    owner, library = (card.power, card.clocks), SettableNvml(card)
    ours = limits(tmp_path, library)
    applied = ours.apply(0, limit)
    assert applied == AppliedLimit(means, watts)
    assert applied.watts_by_share == by_share
    assert ours.has_changed is bool(card.orders)
    ours.restore()
    assert (card.power, card.clocks) == owner
    assert not ours.has_changed
    assert library.open == 0


def test_clocks_are_lowered_in_the_proportion_of_the_limit(tmp_path: Path) -> None:
    card = SettableGpu(may_set_clocks=True)
    limits(tmp_path, SettableNvml(card)).apply(0, WATTS_200)
    assert card.clocks == (7_001, 1_200)  # two thirds of 1900 are 1267


def test_a_crash_leaves_nothing_changed_for_ever(tmp_path: Path) -> None:
    first, second = (
        SettableGpu(uuid="GPU-1", may_set_power=True),
        SettableGpu(uuid="GPU-2", may_set_clocks=True),
    )
    limits(tmp_path, SettableNvml(first, second)).apply(1, HALF)
    assert second.clocks == (7_001, 900)
    # The next daemon finds the cards in another order.
    limits(tmp_path, SettableNvml(second, first)).restore()
    assert (first.orders, second.orders) == ([], ["clocks 7001 900", "clocks 7001 1900"])


def test_a_setting_that_the_owner_has_changed_meanwhile_stays(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    card.power = 250_000
    ours.restore()
    assert card.power == 250_000
    assert not ours.has_changed


def test_another_limit_is_measured_by_the_owners_setting(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True, power=280_000)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    assert ours.apply(0, PowerLimit(watts=290).watts_of) == AppliedLimit(DRIVER, 290)
    assert card.power == 280_000
    ours.apply(0, HALF)
    ours.restore()
    assert card.orders == ["power 200000", "power 280000", "power 150000", "power 280000"]


def test_a_right_that_was_lost_leaves_the_record(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    card.may_set_power = False
    with pytest.raises(NvmlError, match="set back power"):
        ours.restore()
    assert ours.has_changed
    card.may_set_power = True
    ours.restore()
    assert card.power == 300_000


def test_a_second_limit_keeps_the_owners_setting_that_could_not_be_given_back(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    card.bounds = (100_000, 250_000)  # the owner's 300 W are refused
    assert ours.apply(0, HALF) == AppliedLimit(DRIVER, 150)
    card.bounds = (100_000, 350_000)
    ours.restore()
    assert (card.power, ours.has_changed) == (300_000, False)


def test_a_limit_that_the_driver_rounds_is_given_back(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True, step=7_000)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    assert card.power == 196_000
    card.step = 1
    ours.restore()
    assert card.power == 300_000


def test_a_card_that_reports_nothing_for_a_while_gets_its_setting_back(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    power, card.power = card.power, None
    with pytest.raises(NvmlError):
        ours.restore()
    card.power = power
    ours.restore()
    assert (card.power, ours.has_changed) == (300_000, False)


def test_a_card_that_is_away_cannot_be_limited(tmp_path: Path) -> None:
    with pytest.raises(NvmlError, match="no GPU 1"):
        limits(tmp_path, SettableNvml(SettableGpu())).apply(1, WATTS_200)


def test_without_a_driver_the_record_waits(tmp_path: Path) -> None:
    limits(tmp_path, SettableNvml(SettableGpu(may_set_power=True))).apply(0, WATTS_200)
    without = limits(tmp_path, RecordedNvml.still(nvmlInit=LIBRARY_NOT_FOUND))
    with pytest.raises(NvmlAbsent):
        without.restore()
    assert without.has_changed


def test_a_setting_that_cannot_be_kept_is_not_changed(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    ours = GpuLimits(Nvml(SettableNvml(card)), tmp_path / "missing" / "gpu-settings.json")
    with pytest.raises(StateError):
        ours.apply(0, WATTS_200)
    assert card.orders == []


def test_a_damaged_record_is_set_aside(tmp_path: Path) -> None:
    ours = limits(tmp_path, SettableNvml(SettableGpu()))
    (tmp_path / "gpu-settings.json").write_text('{"changed": 3}')
    ours.restore()
    assert not ours.has_changed
    assert len(list(tmp_path.glob("gpu-settings.json.set-aside-*"))) == 1


@pytest.mark.parametrize(
    "card", [SettableGpu(may_set_power=True), SettableGpu(may_set_clocks=True), SettableGpu()]
)
def test_a_limit_that_holds_is_not_set_again(tmp_path: Path, card: SettableGpu) -> None:
    card = replace(card, orders=[])
    ours = limits(tmp_path, SettableNvml(card))
    first = ours.apply(0, WATTS_200)
    orders = list(card.orders)
    assert ours.apply(0, WATTS_200) == first
    assert card.orders == orders


def test_a_limit_that_is_gone_is_set_again(tmp_path: Path) -> None:
    card = SettableGpu(may_set_power=True)
    ours = limits(tmp_path, SettableNvml(card))
    ours.apply(0, WATTS_200)
    card.power = 280_000  # as after the driver was loaded again, or by the owner
    assert ours.apply(0, WATTS_200) == AppliedLimit(DRIVER, 200)
    assert card.power == 200_000
    ours.restore()
    assert card.power == 280_000


@pytest.mark.posix
def test_a_record_that_cannot_be_removed_is_an_error_that_says_so(tmp_path: Path) -> None:
    ours = GpuLimits(
        Nvml(SettableNvml(SettableGpu(may_set_power=True))), UndeletablePath(tmp_path / "gpu-settings.json")
    )
    ours.apply(0, WATTS_200)
    with pytest.raises(StateError, match=r"gpu-settings\.json could not be removed"):
        ours.restore()
