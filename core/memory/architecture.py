"""What the calculator must know of a model of another family than ours: frozen sizes, one class a family."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bert:
    """BERT with its masked language model's head (Devlin et al., 2019)."""

    layers: int
    width: int
    heads: int
    vocabulary: int = 30_522
    positions: int = 512
    token_types: int = 2

    @property
    def hidden(self) -> int:
        """Width inside the feed-forward sublayer."""
        return 4 * self.width


@dataclass(frozen=True)
class T5:
    """T5 version 1.0: encoder and decoder of as many layers each (Raffel et al., 2020)."""

    layers: int
    width: int
    hidden: int
    heads: int
    head_width: int = 64
    vocabulary: int = 32_128
    buckets: int = 32
    """Distances that the relative position bias tells apart."""

    @property
    def inner(self) -> int:
        """Width of all heads together, which need not be the model's."""
        return self.heads * self.head_width


@dataclass(frozen=True)
class GPT2:
    """GPT-2 (Radford et al., 2019), and GPT-3 with dense attention in every layer (Brown et al., 2020)."""

    layers: int
    width: int
    heads: int
    vocabulary: int = 50_257
    positions: int = 1024

    @property
    def hidden(self) -> int:
        """Width inside the feed-forward sublayer."""
        return 4 * self.width


@dataclass(frozen=True)
class GPTJ:
    """GPT-J: rotary attention and feed-forward side by side (Wang and Komatsuzaki, 2021)."""

    layers: int
    width: int
    heads: int
    rotary: int = 64
    """Channels of a head that are rotated."""
    vocabulary: int = 50_400
    positions: int = 2048

    @property
    def hidden(self) -> int:
        """Width inside the feed-forward sublayer."""
        return 4 * self.width


@dataclass(frozen=True)
class OriginalDalle:
    """The 12-billion-parameter DALL-E (Ramesh et al., 2021, section 2.2): GPT-2's layers, sparse attention.

    Every layer's image queries see all of the text and, by turns, a row, a column, or a window of the image.
    """

    layers: int
    width: int
    heads: int
    head_width: int = 64
    text_length: int = 256
    text_vocabulary: int = 16_384
    grid: int = 32
    image_vocabulary: int = 8192
    window: int = 11
    """Side of the square that the last layer's convolutional attention covers."""

    @property
    def hidden(self) -> int:
        """Width inside the feed-forward sublayer."""
        return 4 * self.width

    @property
    def positions(self) -> int:
        """Length of the sequence of text and image."""
        return self.text_length + self.grid * self.grid

    @property
    def classes(self) -> int:
        """Text tokens, a padding token for each text position, and image tokens."""
        return self.text_vocabulary + self.text_length + self.image_vocabulary


Architecture = Bert | T5 | GPT2 | GPTJ | OriginalDalle
