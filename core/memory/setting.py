"""One question to the calculator: a model, how it is trained, and on what kind of machine."""

from dataclasses import dataclass

from core.memory.footprint import Step
from core.memory.line import Place
from core.memory.models import AnyModel
from core.memory.optimizer import has_masters
from core.memory.techniques import Techniques
from core.model.config import ModelConfig

_FLOAT32 = 4


@dataclass(frozen=True)
class Setting:
    """What a prediction is made for, checked."""

    model: AnyModel
    techniques: Techniques
    step: Step
    shared_layers: int
    """0: each layer has its own weights, or the model says itself which share them."""
    in_swarm: bool

    @property
    def device(self) -> Place:
        """Where parameters and activations lie."""
        return Place.GPU if self.step.gpu else Place.RAM

    @property
    def state_place(self) -> Place:
        """Where moments and masters lie."""
        return Place.RAM if self.in_swarm or self.techniques.optimizer_on_cpu else self.device

    @property
    def has_masters(self) -> bool:
        """Whether the optimizer works on copies; in a swarm it always does (``core/swarm/replica.py``)."""
        return self.in_swarm or has_masters(self.techniques)

    @property
    def gradient_bytes(self) -> int:
        """Bytes of a gradient's value: our own model adds them up in float32 whatever its precision."""
        return _FLOAT32 if isinstance(self.model, ModelConfig) else self.step.value

    @property
    def scatters_gradients(self) -> bool:
        """Whether gradients come to lie among activations in RAM; ours are there before (core/micro_steps.py)."""
        return not self.step.gpu and not isinstance(self.model, ModelConfig)

    @property
    def copies_gradients(self) -> bool:
        """Whether gradients reach the masters as new tensors: not if they are float32 where these lie.

        In a swarm it is the averaged ones that they get, and those are.
        """
        if self.in_swarm or not self.has_masters:
            return False
        return self.gradient_bytes != _FLOAT32 or self.state_place is not self.device
