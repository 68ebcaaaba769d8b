"""How fast a machine of a class can be at most: generous bounds, to tell a mistake or a lie from a good machine."""

from core.memory.speed import Work
from core.memory.techniques import Techniques
from core.model.config import ModelConfig
from core.swarm.device_class import DeviceClass

_TERA = 1e12
PEAK_RATES: dict[DeviceClass, float] = {
    DeviceClass.CPU: 10 * _TERA,  # 64 cores with AVX-512 in float32
    DeviceClass.GPU_8: 200 * _TERA,  # RTX 4070 Ti: 160
    DeviceClass.GPU_16: 300 * _TERA,  # RTX 5080: 225
    DeviceClass.GPU_24: 500 * _TERA,  # RTX 5090: 419
    DeviceClass.GPU_LARGE: 2_500 * _TERA,  # B200: 2,250
    DeviceClass.UNKNOWN: 10 * _TERA,  # who does not tell is believed as much as the slowest
}
"""Floating point operations per second, by the vendors' data sheets: 16-bit tensor cores without sparsity."""

_SLOWEST_SHARE = 1e-3
"""Of the peak rate: no machine that trains is slower. A thousandth of a processor's bound is a Raspberry Pi."""


def operations_of(model: ModelConfig) -> int:
    """Floating point operations of a sample, at least: forward and backward, nothing computed twice."""
    return Work.of(model, model.sequence_length, shared_layers=0).operations(Techniques())


def fastest(device: DeviceClass, operations: float) -> float:
    """Samples per second that no machine of the class surpasses."""
    return PEAK_RATES[device] / operations


def slowest(device: DeviceClass, operations: float) -> float:
    """Samples per second that every machine of the class surpasses."""
    return _SLOWEST_SHARE * fastest(device, operations)
