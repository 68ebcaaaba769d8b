"""Classes of machines that peers train on, coarse enough to publish. Imports no torch."""

from enum import StrEnum

_GIB = 1 << 30


class DeviceClass(StrEnum):
    """A processor, or a GPU classed by its memory."""

    CPU = "cpu"
    GPU_8 = "gpu_8"
    """A GPU with less than 12 GiB, such as an 8 GB card."""
    GPU_16 = "gpu_16"
    GPU_24 = "gpu_24"
    GPU_LARGE = "gpu_large"
    UNKNOWN = "unknown"
    """The class of a peer that does not train, or that has not yet loaded its model."""

    @classmethod
    def of_gpu(cls, total_bytes: int) -> "DeviceClass":
        """Return the class of a GPU with ``total_bytes`` of memory; one between two classes counts to the lower."""
        bounds = ((12, cls.GPU_8), (20, cls.GPU_16), (36, cls.GPU_24))
        return next((found for gib, found in bounds if total_bytes < gib * _GIB), cls.GPU_LARGE)
