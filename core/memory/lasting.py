"""What is held at every moment of training: weights, gradients, the optimizer's state, buffers for averaging."""

from collections.abc import Iterable, Iterator, Sequence

from core.memory.line import Item, Line, Place
from core.memory.models import citation
from core.memory.optimizer import masters_item, moments_item
from core.memory.parameters import Parameter, buffer_bytes
from core.memory.setting import Setting

_FLOAT32 = 4
_TRAINING, _AVERAGER, _COMMITTED = "core/train.py", "core/swarm/averager.py", "core/swarm/committed.py"
LAMB, MASTERS = "core/optim/lamb.py", "core/optim/masters.py"


def lasting_lines(setting: Setting, found: Sequence[Parameter]) -> Iterator[Line]:
    """The lines, for a model of those parameters."""
    published = citation(setting.model)
    yield from placed(_weights(setting, found), setting.device, published)
    yield from placed((_gradients(setting, found),), setting.device, _TRAINING)
    buffers = Item(
        "buffers", buffer_bytes(setting.model, setting.step.value), "tables of positions and masks"
    )
    yield from placed((buffers,), setting.device, published)
    yield from placed((moments_item(found, setting.techniques),), setting.state_place, LAMB)
    if setting.has_masters:
        # In a swarm they are taken before the model comes to the GPU, and never pinned.
        pinned = setting.step.gpu and setting.state_place is Place.RAM and not setting.in_swarm
        yield from placed((masters_item(found, pinned=pinned),), setting.state_place, MASTERS)
    if setting.in_swarm:
        yield from placed(_averaging(found), Place.RAM, _AVERAGER)
        yield from placed((_committed(found),), Place.RAM, _COMMITTED)


def placed(items: Iterable[Item], place: Place, source: str) -> Iterator[Line]:
    """Items as lines."""
    for item in items:
        yield Line(item.name, item.bytes, place, item.whole_formula, source)


def _weights(setting: Setting, found: Sequence[Parameter]) -> Iterator[Item]:
    value = setting.step.value
    exact = 0 if value == _FLOAT32 else sum(item.total for item in found if item.always_float32)
    rounded = sum(item.total for item in found) - exact
    yield Item("weights", rounded * value, f"{rounded:,} parameters x {value} bytes")
    if exact:
        yield Item("norms, scales, positions", exact * _FLOAT32, f"{exact:,} parameters x 4 bytes")


def _gradients(setting: Setting, found: Sequence[Parameter]) -> Item:
    elements, value = sum(item.total for item in found), setting.gradient_bytes
    return Item("gradients", elements * value, f"{elements:,} parameters x {value} bytes")


def _averaging(found: Sequence[Parameter]) -> Iterator[Item]:
    elements = sum(item.total for item in found)
    formula = f"{elements:,} parameters x 4 bytes of shared memory"
    yield Item("gradients on their way into a round", 4 * elements, formula)
    yield Item("averaged gradients", 4 * elements, formula)


def _committed(found: Sequence[Parameter]) -> Item:
    """As the reducers sent them, in 8 bits; a run that exchanges more bits keeps as much more."""
    elements = sum(item.total for item in found)
    return Item("committed rounds, for members that lack parts", elements, f"{elements:,} bytes", tensors=2)
