"""Sizes of models of other families than ours, and the public models that the calculator knows by name."""

from dataclasses import dataclass

from core.errors import MemoryPlanError
from core.model.config import ModelConfig, preset
from core.model.family.config import FamilyConfig


@dataclass(frozen=True)
class LayerSizes:
    """Sizes of layers whose feed-forward sublayer is four times as wide as the model."""

    layers: int
    width: int
    """Channels of a position in the stream that the layers add to."""
    heads: int

    @property
    def hidden(self) -> int:
        """Width inside the feed-forward sublayer."""
        return 4 * self.width


@dataclass(frozen=True)
class Bert(LayerSizes):
    """BERT with its masked language model's head (Devlin et al., 2019)."""

    vocabulary: int = 30_522
    positions: int = 512
    token_types: int = 2
    """Number of embeddings that tell the sentences of a pair apart."""


@dataclass(frozen=True)
class T5:
    """T5 version 1.0: encoder and decoder of as many layers each (Raffel et al., 2020)."""

    layers: int
    width: int
    """Channels of a position in the stream that the layers add to."""
    hidden: int
    """Channels inside the feed-forward sublayer."""
    heads: int
    head_width: int = 64
    """Channels of an attention head."""
    vocabulary: int = 32_128
    buckets: int = 32
    """Number of distances that the relative position bias tells apart."""

    @property
    def inner(self) -> int:
        """Width of all heads together, which need not be the model's."""
        return self.heads * self.head_width


@dataclass(frozen=True)
class GPT2(LayerSizes):
    """GPT-2 (Radford et al., 2019), and GPT-3 with dense attention in every layer (Brown et al., 2020)."""

    vocabulary: int = 50_257
    positions: int = 1024


@dataclass(frozen=True)
class GPTJ(LayerSizes):
    """GPT-J: rotary attention and feed-forward side by side (Wang and Komatsuzaki, 2021)."""

    rotary: int = 64
    """Channels of a head that are rotated."""
    vocabulary: int = 50_400
    positions: int = 2048


@dataclass(frozen=True)
class OriginalDalle(LayerSizes):
    """The 12-billion-parameter DALL-E (Ramesh et al., 2021, section 2.2): GPT-2's layers, sparse attention.

    Every layer's image queries see all of the text and, by turns, a row, a column, or a window of the image.
    """

    head_width: int = 64
    """Channels of an attention head."""
    text_length: int = 256
    """Tokens of a caption, padding included."""
    text_vocabulary: int = 16_384
    grid: int = 32
    """Codes along one side of an image."""
    image_vocabulary: int = 8192
    window: int = 11
    """Side, in codes, of the square that the last layer's convolutional attention covers."""

    @property
    def positions(self) -> int:
        """Length of the sequence of text and image."""
        return self.text_length + self.grid * self.grid

    @property
    def classes(self) -> int:
        """Text tokens, a padding token for each text position, and image tokens."""
        return self.text_vocabulary + self.text_length + self.image_vocabulary


Architecture = Bert | T5 | GPT2 | GPTJ | OriginalDalle


OwnModel = ModelConfig | FamilyConfig
"""Models that our own micro-steps train."""
AnyModel = Architecture | OwnModel


@dataclass(frozen=True)
class KnownModel:
    """A public model: its sizes and who published them."""

    architecture: AnyModel
    citation: str


def _gpt3(layers: int, width: int, heads: int) -> GPT2:
    return GPT2(layers, width, heads, positions=2048)


_BERT = "Devlin et al., 2019, section 3"
_T5 = "Raffel et al., 2020, section 3.7"
_GPT2 = "Radford et al., 2019, table 2, and OpenAI's released hparams.json"
_GPT3 = "Brown et al., 2020, table 2.1"

MODELS = {
    "bert-base": KnownModel(Bert(layers=12, width=768, heads=12), _BERT),
    "bert-large": KnownModel(Bert(layers=24, width=1024, heads=16), _BERT),
    "t5-small": KnownModel(T5(layers=6, width=512, hidden=2048, heads=8), _T5),
    "t5-base": KnownModel(T5(layers=12, width=768, hidden=3072, heads=12), _T5),
    "t5-large": KnownModel(T5(layers=24, width=1024, hidden=4096, heads=16), _T5),
    "t5-3b": KnownModel(T5(layers=24, width=1024, hidden=16_384, heads=32, head_width=128), _T5),
    "t5-11b": KnownModel(T5(layers=24, width=1024, hidden=65_536, heads=128, head_width=128), _T5),
    "gpt2": KnownModel(GPT2(layers=12, width=768, heads=12), _GPT2),
    "gpt2-medium": KnownModel(GPT2(layers=24, width=1024, heads=16), _GPT2),
    "gpt2-large": KnownModel(GPT2(layers=36, width=1280, heads=20), _GPT2),
    "gpt2-xl": KnownModel(GPT2(layers=48, width=1600, heads=25), _GPT2),
    "gpt3-125m": KnownModel(_gpt3(12, 768, 12), _GPT3),
    "gpt3-350m": KnownModel(_gpt3(24, 1024, 16), _GPT3),
    "gpt3-760m": KnownModel(_gpt3(24, 1536, 16), _GPT3),
    # The table's 24 heads of 128 do not make up its width of 2048; 16 do.
    "gpt3-1.3b": KnownModel(_gpt3(24, 2048, 16), _GPT3 + ", with 16 heads for its 24"),
    "gpt3-2.7b": KnownModel(_gpt3(32, 2560, 32), _GPT3),
    "gpt3-6.7b": KnownModel(_gpt3(32, 4096, 32), _GPT3),
    # The table's width of 5140 is no multiple of its 40 heads of 128; 5120 is.
    "gpt3-13b": KnownModel(_gpt3(40, 5120, 40), _GPT3 + ", with a width of 5120 for its 5140"),
    "gpt3-175b": KnownModel(_gpt3(96, 12_288, 96), _GPT3),
    "gpt-j-6b": KnownModel(GPTJ(layers=28, width=4096, heads=16), "Wang and Komatsuzaki, 2021"),
    "dalle": KnownModel(preset("dalle"), "Borzunov et al., 2022, section 3.1"),
    "dalle-12b": KnownModel(
        OriginalDalle(layers=64, width=3968, heads=62), "Ramesh et al., 2021, section 2.2 and appendix B.1"
    ),
}


def known_model(name: str) -> KnownModel:
    """Return the model of that ``name``, in any case of letters.

    Raises:
        MemoryPlanError: there is none; the error names all there are.
    """
    try:
        return MODELS[name.strip().lower()]
    except KeyError:
        raise MemoryPlanError(
            f"There is no model {name!r}.", f"Choose one of: {', '.join(MODELS)}."
        ) from None


def citation(model: AnyModel) -> str:
    """Return the publication of a model of those sizes, or ``given sizes``."""
    return next((known.citation for known in MODELS.values() if known.architecture == model), "given sizes")
