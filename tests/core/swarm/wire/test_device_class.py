"""Machines fall into classes by what they were sold with, and records say so in a word."""

import msgpack
import pytest

from core.swarm.wire.device_class import DeviceClass
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import progress

GIB = 1 << 30


@pytest.mark.parametrize(
    ("gib", "found"),
    [
        (4.0, DeviceClass.GPU_8),
        (7.8, DeviceClass.GPU_8),
        (11.6, DeviceClass.GPU_8),
        (12.0, DeviceClass.GPU_16),
        (15.7, DeviceClass.GPU_16),
        (23.6, DeviceClass.GPU_24),
        (31.4, DeviceClass.GPU_24),
        (44.5, DeviceClass.GPU_LARGE),
        (139.0, DeviceClass.GPU_LARGE),
    ],
)
def test_a_gpus_class_is_by_its_memory(gib: float, found: DeviceClass) -> None:
    assert DeviceClass.of_gpu(int(gib * GIB)) is found


@pytest.mark.parametrize("device", DeviceClass)
def test_a_class_travels_in_a_record(device: DeviceClass) -> None:
    packed = msgpack.packb(progress(device=device).pack(), strict_types=True)
    assert ProgressRecord.model_validate(msgpack.unpackb(packed)).device is device
    assert len(device.value) < 16
