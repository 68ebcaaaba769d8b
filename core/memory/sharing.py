"""Layers that share their weights: whose gradients wait for each other."""

from dataclasses import replace

from core.memory.architecture import Architecture
from core.memory.footprint import Footprint, Stack, Step
from core.memory.parameters import layer_elements


def with_sharing(footprint: Footprint, model: Architecture, shared_layers: int, step: Step) -> Footprint:
    """The footprint with what autograd holds of shared weights' gradients until all uses are there."""
    if not 0 < shared_layers < model.layers:
        return footprint
    sizes = layer_elements(model)
    stacks = tuple(
        _shared(stack, size * step.value, shared_layers)
        for stack, size in zip(footprint.stacks, sizes, strict=True)
    )
    return replace(footprint, stacks=stacks)


def _shared(stack: Stack, parameter_bytes: int, sets: int) -> Stack:
    return replace(stack, parameter_bytes=parameter_bytes, sets=sets)
