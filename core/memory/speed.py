"""Nominal time of a sample under a combination of techniques, to tell which is faster: a model, not a measurement.

Seconds are operations by a nominal rate, plus what starting operations costs each micro-step, whatever its size
(Hockney and Jesshope, 1988: rate and half-performance length), plus a share of the optimizer's update. A product
takes its operations once forward, twice backward (Kaplan et al., 2020, section 2.1), and once more where its
result was not kept (Chen et al., 2016; Gomez et al., 2017). The nominal rates only weigh these against each other.
"""

from dataclasses import dataclass

from core.memory.fitness import depth_of
from core.memory.models import T5, AnyModel, OriginalDalle
from core.memory.parameters import count, layer_elements
from core.model.config import AttentionPattern, ModelConfig
from core.model.family.config import FamilyConfig
from core.model.techniques import Activations, Precision, Techniques

_FORWARD_AND_BACKWARD = 3
_SAMPLES_AN_UPDATE = 256
"""Samples that a peer computes between two updates, about."""


@dataclass(frozen=True)
class DeviceSpeed:
    """Nominal figures of a kind of device."""

    rate: float
    """Operations per second in float32."""
    sixteen_bit: float
    """Factor by which 16 bits are faster where the device computes them well."""
    layer_seconds: float
    """Seconds to start a layer's operations in a micro-step: our engine makes about 300."""
    update_seconds: float
    """Seconds of the optimizer for a parameter, with moments in float32; twice that in 8 bits."""


_CPU_UPDATE = 8e-9  # benchmarks/results/optimizer.json, rounded
# Not measured: 5 us a kernel; tensor cores compute 16 bits twice as fast as TF32 (NVIDIA GA102 whitepaper).
GPU = DeviceSpeed(15e12, 2.0, 300 * 5e-6, _CPU_UPDATE / 2)


def processor(cores: int) -> DeviceSpeed:
    """Return the speed of a processor with ``cores`` that trains by itself.

    Figures of a busy EPYC core, about: 0.1 TFLOP/s, 10 us an operation, 1.5 times faster in 16 bits.
    """
    return DeviceSpeed(0.1e12 * cores, 1.5, 300 * 10e-6, _CPU_UPDATE)


@dataclass(frozen=True)
class Work:
    """Operations of a model for a sample of some length."""

    model: AnyModel
    depth: int
    """Number of the model's layers."""
    parameters: int
    """Parameters of the model's own, which the optimizer updates."""
    layers: int
    """Floating point operations of the matrix products in the layers, in a forward pass."""
    head: int
    """Floating point operations of the predictions, in a forward pass."""

    @classmethod
    def of(cls, model: AnyModel, length: int, shared_layers: int) -> "Work":
        """Return the work of ``model`` for ``length`` tokens; ``shared_layers`` as in ``core.memory.parameters``."""
        return cls(model, depth_of(model), count(model, shared_layers), *_forward(model, length))

    def operations(self, techniques: Techniques) -> int:
        """Return the floating point operations of all matrix products for a sample with ``techniques``.

        Where every technique computes the scores a second time, the result does not count that second time.
        """
        return _FORWARD_AND_BACKWARD * (self.layers + self.head) + self._again(techniques)

    def seconds(self, techniques: Techniques, device: DeviceSpeed) -> float:
        """Return the nominal seconds of a sample with ``techniques`` on a ``device``, its share of the update
        included."""
        fast = 1.0 if techniques.precision is Precision.FLOAT32 else device.sixteen_bit
        computing = self.operations(techniques) / (device.rate * fast)
        starting = self.starting_seconds(device) / techniques.micro_batch
        each = _CPU_UPDATE if techniques.optimizer_on_cpu else device.update_seconds
        updating = self.parameters * each * (2 if techniques.eight_bit_optimizer else 1)
        return computing + starting + updating / _SAMPLES_AN_UPDATE

    def starting_seconds(self, device: DeviceSpeed) -> float:
        """Return the nominal seconds that a micro-step takes on a ``device`` however few samples it has."""
        return self.depth * device.layer_seconds

    def _again(self, techniques: Techniques) -> int:
        """Return the operations computed a second time: of our model by sublayer, as in ``core/model/stack.py``, of
        others by layer."""
        if techniques.activations is Activations.KEEP:
            return 0
        lean = self.depth - techniques.kept
        if isinstance(self.model, ModelConfig):
            return _again_by_sublayer(self.model, techniques, lean)
        return self.layers * lean // self.depth


def _again_by_sublayer(config: ModelConfig, techniques: Techniques, lean: int) -> int:
    """Return the operations of the first ``lean`` layers that are computed again.

    These are all but the last products of sublayers that keep the stream they add to.
    """
    checkpoints = techniques.activations is Activations.CHECKPOINT
    spared = lean if checkpoints else min(techniques.checkpointed, lean)
    again = sum(_layer_products(config, layer) for layer in range(lean))
    again -= spared * _linear(config, config.feed_forward_factor * config.dim)
    return again - checkpoints * lean * _linear(config, config.heads * config.dim_head)


def _forward(model: AnyModel, length: int) -> tuple[int, int]:
    """Return the operations of the layers and those of the head in a forward pass of a sample."""
    if isinstance(model, ModelConfig):
        classes = model.text_length * model.text_classes + model.image_length * model.image_vocab
        return sum(_layer_products(model, layer) for layer in range(model.depth)), 2 * classes * model.dim
    if isinstance(model, FamilyConfig):
        return model.operations()
    weights = sum(layer_elements(model)) * model.layers
    seen = model.text_length + model.grid if isinstance(model, OriginalDalle) else length
    blocks = 3 if isinstance(model, T5) else 1  # of attention in a layer of each stack together
    width = model.inner if isinstance(model, T5) else model.width
    layers = 2 * length * (weights + 2 * seen * width * blocks * model.layers)
    classes = model.classes if isinstance(model, OriginalDalle) else model.vocabulary
    return layers, 2 * length * classes * model.width


def _layer_products(config: ModelConfig, layer: int) -> int:
    """Return the operations of one layer of our model in a forward pass of a sample."""
    inner, hidden = config.heads * config.dim_head, config.feed_forward_factor * config.dim
    convolutional = config.layer_pattern(layer) is AttentionPattern.CONVOLUTIONAL
    line = config.convolution_size**2 if convolutional else config.grid
    scores = 2 * inner * (config.sequence_length * config.text_positions + config.image_length * line)
    return _linear(config, 3 * inner) + _linear(config, inner) + 3 * _linear(config, hidden) + 2 * scores


def _linear(config: ModelConfig, width: int) -> int:
    """Return the operations of a map between the stream and ``width`` channels, for a sample."""
    return 2 * config.sequence_length * config.dim * width
