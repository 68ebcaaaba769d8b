"""The variants that a list of the trainer's wheels may have: which GPUs they are for, and where PyTorch comes from.

PyTorch publishes one build at the common index and the others at indexes of its own, one for each kind of GPU. What
each build has code for is in its makers' tables: https://github.com/pytorch/pytorch, RELEASE.md for CUDA, and
.ci/docker/manywheel/build.sh for ROCm (branch release/2.13). The least driver is NVIDIA's for all of a CUDA 12 or 13
(https://docs.nvidia.com/deploy/cuda-compatibility).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ListedVariant:
    """A variant to make."""

    name: str
    title: str
    missing: str
    """Computers that have no packages where it is missing, as the list's remark names them."""
    gpu: str | None = None
    driver: str | None = None
    capability: str | None = None
    """Least compute capability of an NVIDIA GPU."""
    capability_below: str | None = None
    """Compute capability from which on it has no code; None: it has code for all newer ones."""
    targets: tuple[str, ...] = ()
    """AMD GPUs that it has code for."""
    needs_index: bool = False
    """True if the common index has no build for it, so that PyTorch's own has to be named."""


_ROCM_TARGETS = "900 906 908 90a 942 950 1030 1100 1101 1102 1103 1150 1151 1200 1201"
VARIANTS = {
    "cu13": ListedVariant(
        "cu13", "NVIDIA GPUs by CUDA 13", "NVIDIA GPUs with newer drivers (CUDA 13)", "nvidia", "580", "7.5"
    ),
    "cu126": ListedVariant(
        "cu126",
        "NVIDIA GPUs by CUDA 12.6",
        "NVIDIA GPUs that are older, or have drivers older than 580 (CUDA 12.6)",
        "nvidia",
        "525",
        "5.0",
        capability_below="10.0",
        needs_index=True,
    ),
    "rocm": ListedVariant(
        "rocm",
        "AMD GPUs by ROCm",
        "AMD GPUs (ROCm)",
        "amd",
        targets=tuple(f"gfx{target}" for target in _ROCM_TARGETS.split()),
        needs_index=True,
    ),
    "cpu": ListedVariant("cpu", "the processor", "computers without such a GPU"),
}
"""Variants in the order of preference."""


def wanted_variants(named: Collection[str] | None, indexes: Mapping[str, str]) -> list[ListedVariant]:
    """Return the variants to make, in the order of preference.

    Args:
        named: Names of those that are asked for; None: all that can be made.
        indexes: URLs of PyTorch's own indexes by the names of variants.

    Raises:
        ValueError: One that is asked for needs an index, and none is named for it; or an index is for another one.
    """
    wanted = [
        each
        for each in VARIANTS.values()
        if (each.name in named if named else not each.needs_index or each.name in indexes)
    ]
    if without := [each.name for each in wanted if each.needs_index and each.name not in indexes]:
        raise ValueError(f"{without[0]} is not at the common index: name its own by --index {without[0]}=URL")
    if unused := sorted(set(indexes) - {each.name for each in wanted}):
        raise ValueError(f"there is an index for {unused[0]}, which is not made")
    return wanted


def remark_on(made: Sequence[str]) -> str | None:
    """Return a sentence on the computers for which the variants ``made`` have nothing; None: there are none."""
    missing = [each.missing for each in VARIANTS.values() if each.name not in made]
    return f"Packages for {' and for '.join(missing)} are missing: they were not made." if missing else None
