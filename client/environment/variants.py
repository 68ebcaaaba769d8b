"""The choice of the variant that a machine can use; a fallback to the processor has its reason in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from client.api.errors import SetupError
from client.environment.lock_file import Variant, VariantNeeds
from client.environment.machine_facts import GpuFacts, MachineFacts
from client.machine.readings import Known, Unknown

_VENDORS = {"nvidia": "NVIDIA", "amd": "AMD"}


@dataclass(frozen=True)
class VariantChoice:
    """The variant for a machine, and why."""

    variant: Variant
    text: str
    """Sentences for the volunteer."""
    is_fallback: bool = False
    """True if the machine has a GPU that this variant does not use."""


def choose(variants: Sequence[Variant], facts: MachineFacts) -> VariantChoice:
    """Return the first of the variants that the machine can use.

    Args:
        variants: Variants in the order of preference, those for GPUs before those for the processor.
        facts: Facts of the machine.

    Raises:
        SetupError: None of them can be used.
    """
    obstacles = [(variant, _system_obstacle(variant.needs, facts)) for variant in variants]
    usable = [variant for variant, obstacle in obstacles if obstacle is None]
    for variant in usable:
        if variant.needs.gpu is None:
            return _on_processor(variant, usable, facts)
        for gpu in facts.gpus:
            if _gpu_obstacle(variant.needs, gpu) is None:
                return VariantChoice(variant, f"{gpu.name} trains ({variant.title}).")
    # The variant for the processor asks least of a system.
    why = next(
        (obstacle for _, obstacle in reversed(obstacles) if obstacle), "There is none for the processor."
    )
    raise SetupError(
        f"There are no packages for training on this computer. {why}", "Update the system, or Idlebrush."
    )


def processor_variant(variants: Sequence[Variant], facts: MachineFacts) -> Variant | None:
    """Return the first variant for the processor that the machine can use; None if there is none."""
    return next(
        (v for v in variants if v.needs.gpu is None and _system_obstacle(v.needs, facts) is None), None
    )


def _on_processor(variant: Variant, usable: Sequence[Variant], facts: MachineFacts) -> VariantChoice:
    if not facts.gpus:
        return VariantChoice(variant, "No GPU of NVIDIA or AMD was found, so the processor trains.")
    reasons = list(dict.fromkeys(_why_unused(gpu, usable) for gpu in facts.gpus))
    return VariantChoice(variant, f"The processor trains. {' '.join(reasons)}", is_fallback=True)


def _why_unused(gpu: GpuFacts, usable: Sequence[Variant]) -> str:
    """Return the reason of the variant that asks least: the last one for that vendor with code for such new GPUs."""
    of_vendor = [variant.needs for variant in usable if variant.needs.gpu == gpu.vendor]
    if isinstance(gpu.capability, Known):
        of_vendor = [
            needs for needs in of_vendor if not _is_too_new(needs, gpu.capability.value)
        ] or of_vendor
    reason = _gpu_obstacle(of_vendor[-1], gpu) if of_vendor else None
    return reason or f"There are no packages for {gpu.name} on this system yet."


def _system_obstacle(needs: VariantNeeds, facts: MachineFacts) -> str | None:
    """Return a sentence that says why the machine's system cannot use a variant; None if it can."""
    if (needs.system, needs.machine) != (facts.system, facts.machine):
        return (
            f"They are for {needs.system} on {needs.machine}, and this is {facts.system} on {facts.machine}."
        )
    if needs.python != facts.python:
        return f"They are for Python {needs.python}, and this is Python {facts.python}."
    if needs.glibc is None:
        return None
    if facts.glibc is None:
        return "They need glibc, and this system has another C library."
    if _is_older(facts.glibc, needs.glibc):
        return f"They need glibc {needs.glibc} or newer, and this system has {facts.glibc}."
    return None


def _is_too_new(needs: VariantNeeds, capability: str) -> bool:
    return needs.capability_below is not None and not _is_older(capability, needs.capability_below)


def _has_no_code(needs: VariantNeeds, capability: str) -> bool:
    """Return true if no driver makes a variant run on GPUs of this capability or target."""
    return _is_too_new(needs, capability) or bool(needs.targets and capability not in needs.targets)


def _gpu_obstacle(needs: VariantNeeds, gpu: GpuFacts) -> str | None:
    """Return a sentence that says why a variant cannot use a GPU; None if it can."""
    if needs.gpu != gpu.vendor:
        return f"{gpu.name} is of another vendor."
    vendor = _VENDORS[gpu.vendor]
    if needs.capability is not None:
        if isinstance(gpu.capability, Unknown):
            return f"{gpu.name} cannot be used: {_lowered(gpu.capability.why)}"
        if _is_older(gpu.capability.value, needs.capability):
            return (
                f"{gpu.name} is too old: PyTorch needs compute capability {needs.capability}, "
                f"and it has {gpu.capability.value}."
            )
    if needs.targets and isinstance(gpu.capability, Unknown):
        return f"{gpu.name} cannot be used: {_lowered(gpu.capability.why)}"
    if isinstance(gpu.capability, Known) and _has_no_code(needs, gpu.capability.value):
        return f"PyTorch has no code for {gpu.name} ({gpu.capability.value})."
    if needs.driver is None:
        return None
    if isinstance(gpu.driver, Unknown):
        return f"{gpu.name} cannot be used: {_lowered(gpu.driver.why)}"
    if _is_older(gpu.driver.value, needs.driver):
        return (
            f"The {vendor} driver {gpu.driver.value} is too old for {gpu.name}: "
            f"update it to {needs.driver} or newer."
        )
    return None


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _is_older(version: str, least: str) -> bool:
    """Return true if ``version`` is below ``least``; a version that is no numbers with dots counts as older."""
    return _numbers(version) < _numbers(least)


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version as numbers, without zeros at its end; letters after a number are ignored."""
    found = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        found.append(int(digits))
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)
