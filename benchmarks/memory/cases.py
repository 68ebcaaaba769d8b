"""The models and combinations of techniques whose predicted memory is held against the measured one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.families.causal_lm.config import CausalConfig
from core.memory import predict
from core.memory.models import GPT2, GPTJ, MODELS, T5, AnyModel, Bert
from core.memory.prediction import Prediction
from core.model.config import ModelConfig, preset
from core.model.techniques import Activations, Precision, Techniques

# Public models of 200 MB of weights or more, and shallower ones that have as much and take less time.
INSTANCES: dict[str, AnyModel] = {
    **{name: MODELS[name].architecture for name in ("bert-base", "t5-small", "gpt2", "gpt3-125m")},
    "bert, 6 layers of 768": Bert(layers=6, width=768, heads=12),
    "t5, 5 layers of 768": T5(layers=5, width=768, hidden=3072, heads=12),
    "gpt2, 6 layers of 768": GPT2(layers=6, width=768, heads=12),
    "gpt-j, 4 layers of 768": GPTJ(layers=4, width=768, heads=4),
    "dalle, 9 layers": preset("dalle").model_copy(update={"depth": 9}),
    # Ours of GPT-2's shape: the embedded run's, one with a small vocabulary, and the widest three with GPT-2's own.
    "text, embedded": CausalConfig(depth=4, dim=128, heads=4, length=128, vocab=2048),
    "text, 12 layers of 384": CausalConfig(depth=12, dim=384, heads=6, length=512, vocab=8192),
    "text, 12 layers of 384, 3 sets": CausalConfig(
        depth=12, dim=384, heads=6, length=512, vocab=8192, shared_layers=3
    ),
    "text, 6 layers of 768": CausalConfig(depth=6, dim=768, heads=12, length=256),
    "text, 2 layers of 1280": CausalConfig(depth=2, dim=1280, heads=20, length=1024),
}
# Of these the first is for a GPU, and the second shows that its measurement works.
ALL_INSTANCES: dict[str, AnyModel] = {
    **INSTANCES,
    "dalle": preset("dalle"),
    "dalle, tiny": ModelConfig(
        dim=32, depth=5, heads=2, dim_head=16, text_length=8, text_vocab=64, grid=4, image_vocab=32
    ),
}


@dataclass(frozen=True)
class MemoryCase:
    """One model under one combination of techniques."""

    model: str
    length: int | None
    techniques: Techniques
    shared_layers: int | None = None

    def prediction(self, *, on_gpu: bool = False) -> Prediction:
        """Return the calculator's prediction for a CPU or a GPU."""
        return predict(
            ALL_INSTANCES[self.model],
            self.techniques,
            sequence_length=self.length,
            shared_layers=self.shared_layers,
            device_is_gpu=on_gpu,
        )

    def columns(self) -> dict[str, Any]:
        """Return the case as the first columns of its row in the report."""
        techniques = self.techniques
        return {
            "model": self.model,
            "length": self.length or 0,
            "batch": techniques.micro_batch,
            "precision": techniques.precision.value,
            "activations": techniques.activations.value,
            "kept": techniques.kept,
            "checkpointed": techniques.checkpointed,
            "eight_bit": techniques.eight_bit_optimizer,
            "masters": techniques.optimizer_on_cpu,
            "shared": self.shared_layers or 0,
        }


_PLAIN = Techniques()
_CHECKPOINT = replace(_PLAIN, activations=Activations.CHECKPOINT)
_REVERSE = replace(_PLAIN, activations=Activations.REVERSE)
_BF16 = replace(_PLAIN, precision=Precision.BFLOAT16)
_FRUGAL = replace(_CHECKPOINT, eight_bit_optimizer=True, precision=Precision.BFLOAT16)


def _cases(
    model: str, *rows: tuple[Techniques, int, int], shared_layers: int | None = None
) -> Iterator[MemoryCase]:
    for techniques, batch, length in rows:
        yield MemoryCase(model, length or None, replace(techniques, micro_batch=batch), shared_layers)


def _eight_bit(techniques: Techniques) -> Techniques:
    return replace(techniques, eight_bit_optimizer=True)


def _with_masters(techniques: Techniques) -> Techniques:
    return replace(techniques, optimizer_on_cpu=True)


CASES = (
    *_cases("bert-base", (_PLAIN, 2, 128), (_BF16, 4, 64), (_FRUGAL, 1, 256)),
    *_cases("bert, 6 layers of 768", (_PLAIN, 2, 256), (_CHECKPOINT, 4, 128), (_eight_bit(_PLAIN), 1, 512)),
    *_cases("bert, 6 layers of 768", (_with_masters(_eight_bit(_CHECKPOINT)), 1, 512)),
    *_cases("bert-base", (_eight_bit(_PLAIN), 2, 128), shared_layers=6),
    *_cases("t5-small", (_PLAIN, 4, 64), (_eight_bit(_PLAIN), 1, 512), (_eight_bit(_CHECKPOINT), 2, 256)),
    *_cases("t5-small", (_with_masters(_PLAIN), 8, 32)),
    *_cases("t5, 5 layers of 768", (_BF16, 2, 128), (_FRUGAL, 1, 256)),
    *_cases("gpt2", (_PLAIN, 1, 256), (_BF16, 2, 128), (_FRUGAL, 1, 256)),
    *_cases("gpt2, 6 layers of 768", (_PLAIN, 8, 32), (_CHECKPOINT, 1, 512), (_eight_bit(_PLAIN), 2, 256)),
    *_cases("gpt2, 6 layers of 768", (_with_masters(_PLAIN), 2, 128)),
    *_cases("gpt2, 6 layers of 768", (_with_masters(_eight_bit(_PLAIN)), 1, 512)),
    *_cases("gpt2, 6 layers of 768", (_eight_bit(replace(_CHECKPOINT, kept=2)), 2, 256)),
    *_cases("gpt2", (_eight_bit(_PLAIN), 1, 256), (_eight_bit(_CHECKPOINT), 1, 256), shared_layers=4),
    *_cases("gpt3-125m", (_eight_bit(_CHECKPOINT), 1, 1024), (_eight_bit(_PLAIN), 1, 512)),
    *_cases("gpt-j, 4 layers of 768", (_PLAIN, 2, 128), (_CHECKPOINT, 4, 64), (_eight_bit(_PLAIN), 1, 512)),
    *_cases("gpt-j, 4 layers of 768", (_BF16, 2, 128), (_FRUGAL, 2, 128)),
    *_cases("dalle, 9 layers", (_REVERSE, 1, 0), (_eight_bit(_REVERSE), 2, 0), (_eight_bit(_PLAIN), 1, 0)),
    *_cases("dalle, 9 layers", (_eight_bit(replace(_REVERSE, checkpointed=6, kept=2)), 1, 0)),
    *_cases("dalle, 9 layers", (_with_masters(_eight_bit(_CHECKPOINT)), 1, 0)),
    *_cases("dalle, 9 layers", (_FRUGAL, 1, 0), (_BF16, 1, 0)),
    *_cases("text, embedded", (_PLAIN, 1, 0), (_PLAIN, 8, 0), (_CHECKPOINT, 8, 0)),
    *_cases("text, 12 layers of 384", (_PLAIN, 1, 0), (_CHECKPOINT, 1, 0), (_eight_bit(_PLAIN), 2, 0)),
    *_cases("text, 12 layers of 384", (_eight_bit(_CHECKPOINT), 2, 0), (_BF16, 1, 0), (_FRUGAL, 2, 0)),
    *_cases("text, 12 layers of 384", (_eight_bit(replace(_CHECKPOINT, kept=5)), 2, 0)),
    *_cases("text, 12 layers of 384, 3 sets", (_eight_bit(_CHECKPOINT), 2, 0)),
    *_cases("text, 6 layers of 768", (_PLAIN, 1, 0), (_CHECKPOINT, 4, 0), (_eight_bit(_CHECKPOINT), 4, 0)),
    *_cases("text, 6 layers of 768", (_with_masters(_eight_bit(_PLAIN)), 2, 0)),
    *_cases("text, 2 layers of 1280", (_eight_bit(_PLAIN), 1, 0), (_eight_bit(_CHECKPOINT), 1, 0)),
)
