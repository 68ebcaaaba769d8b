"""What kind of machine a peer trains on, coarse enough to tell everyone. Imports no torch."""

from enum import StrEnum

_GIB = 1 << 30


class DeviceClass(StrEnum):
    """A processor, or a GPU by the memory it was sold with."""

    CPU = "cpu"
    GPU_8 = "gpu_8"
    """Up to 8 GB, and those a little above."""
    GPU_16 = "gpu_16"
    GPU_24 = "gpu_24"
    GPU_LARGE = "gpu_large"
    UNKNOWN = "unknown"
    """Of a peer that does not train, or that has not yet loaded its model."""

    @classmethod
    def of_gpu(cls, total_bytes: int) -> "DeviceClass":
        """That of a GPU with so much memory in all, used or not; cards between two classes count to the lower."""
        bounds = ((12, cls.GPU_8), (20, cls.GPU_16), (36, cls.GPU_24))
        return next((found for gib, found in bounds if total_bytes < gib * _GIB), cls.GPU_LARGE)
