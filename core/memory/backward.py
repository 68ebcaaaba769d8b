"""The moments of a micro-step that may be its peak: the loss, each stack's deepest points, both ends."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.memory.footprint import Footprint, Item, StackFootprint


@dataclass(frozen=True)
class ActivationMoment:
    """A moment of a micro-step, and the tensors held at it beyond parameters, gradients and optimizer state."""

    name: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class _KeptLayers:
    """Numbers of a stack's first layers that keep their inputs alone, and of those that keep everything."""

    stack: StackFootprint
    checkpointed: int

    def items(self, layers: int) -> tuple[Item, ...]:
        """Return the tensors that the first ``layers`` layers keep."""
        inputs = min(layers, self.checkpointed)
        return (*_times((self.stack.checkpoint,), inputs), *_times(_all_kept(self.stack), layers - inputs))


def activation_moments(
    footprint: Footprint, *, checkpointing: bool, kept_layers: int
) -> list[ActivationMoment]:
    """Return the moments of a micro-step that may be its peak, in their order.

    Args:
        footprint: Activations of the model.
        checkpointing: True if layers keep their inputs alone.
        kept_layers: Last layers that keep everything in spite of ``checkpointing``.
    """
    stacks = _keepings(footprint.stacks, checkpointing, kept_layers)
    below = (*footprint.before, *footprint.beside)
    everything = (*below, *_whole(stacks), *footprint.after)
    head = (*below, *_whole(stacks), *footprint.head)
    return [
        ActivationMoment("loss", (*everything, *footprint.loss)),
        ActivationMoment("backward pass of the output layer", head),
        *_layers(footprint, stacks, below),
        ActivationMoment(
            "backward pass of the embedding", (*footprint.before, *footprint.pending, *footprint.embedding)
        ),
    ]


def _keepings(stacks: tuple[StackFootprint, ...], checkpointing: bool, kept_layers: int) -> list[_KeptLayers]:
    """Return what the layers of each stack keep; those that keep all are counted from the end of the last stack."""
    found: list[_KeptLayers] = []
    for stack in reversed(stacks):
        kept = min(stack.layers, kept_layers) if checkpointing else stack.layers
        kept_layers -= min(stack.layers, kept_layers)
        found.insert(0, _KeptLayers(stack, stack.layers - kept))
    return found


def _whole(stacks: list[_KeptLayers]) -> Iterator[Item]:
    for index, keeping in enumerate(stacks):
        yield from _named(keeping.items(keeping.stack.layers), keeping.stack, len(stacks), index)


def _layers(
    footprint: Footprint, stacks: list[_KeptLayers], below: tuple[Item, ...]
) -> Iterator[ActivationMoment]:
    for index, keeping in enumerate(stacks):
        under = (*below, *_whole(stacks[:index]))
        for layer in sorted(_deep_layers(keeping), reverse=True):
            pending = (*footprint.pending, *footprint.adding_up, *_shared_gradients(keeping.stack, layer))
            for name, items in _points(keeping, layer):
                where = f"backward pass of {name} in layer {layer} of {keeping.stack.name}"
                yield ActivationMoment(where, (*under, *items, *pending))


def _deep_layers(keeping: _KeptLayers) -> set[int]:
    """Return the layers, counted from 1, before which less is held and behind which, too."""
    stack = keeping.stack
    found = {stack.layers, keeping.checkpointed}
    if stack.sets:
        found |= {max(1, stack.layers - stack.sets), max(1, keeping.checkpointed - stack.sets)}
    return {layer for layer in found if layer}


def _points(keeping: _KeptLayers, layer: int) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield the name of each sublayer of a layer, and the tensors that are held in its backward pass.

    These are what earlier layers and sublayers keep, and its own.
    """
    stack, recomputed = keeping.stack, layer <= keeping.checkpointed
    lower = keeping.items(layer - 1)
    for index, sublayer in enumerate(stack.sublayers):
        own = tuple(item for met in stack.sublayers[: index + 1] for item in met.kept)
        mark = "recomputed layer: " if recomputed else "last layer: "
        items = tuple(replace(item, name=mark + item.name) for item in own)
        yield sublayer.name, (*lower, *items, *sublayer.working)


def _shared_gradients(stack: StackFootprint, layer: int) -> tuple[Item, ...]:
    """Return the gradients of shared weights, which wait for all layers that use them."""
    waiting = min(stack.sets, stack.layers - layer)
    if not waiting:
        return ()
    return (
        Item(
            "gradients of shared weights, until all their uses",
            stack.parameter_bytes,
            "the parameters of a layer",
            tensors=waiting,
        ),
    )


def _all_kept(stack: StackFootprint) -> tuple[Item, ...]:
    return tuple(item for sublayer in stack.sublayers for item in sublayer.kept)


def _times(items: tuple[Item, ...], layers: int) -> tuple[Item, ...]:
    return tuple(replace(item, layers=layers) for item in items) if layers else ()


def _named(items: tuple[Item, ...], stack: StackFootprint, stacks: int, index: int) -> Iterator[Item]:
    for item in items:
        yield replace(item, name=f"{stack.name}: {item.name}") if stacks > 1 else item
