"""The text-to-image transformer of Training Transformers Together (Borzunov et al., 2022), section 3.1.

It computes what dalle-pytorch 1.6.6 computes with the paper's options, and its checkpoints map name by name:
``layers.I.attention`` is ``transformer.layers.blocks.I.f.net``, ``layers.I.feed_forward`` is its ``g.net``,
``weights.S`` are the innermost ``fn`` of the first layer that uses set S, ``norm`` and ``vocabulary`` are
``to_logits.0`` and ``to_logits.1``.
"""

from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention import Neighbourhood
from core.model.config import ModelConfig
from core.model.layers import Layer, WeightSet
from core.model.loss import mean_cross_entropy
from core.model.reversible import Branch, Layers, residual_stack, reversible_stack
from core.model.rotary import rotation_table


class Transformer(nn.Module):
    """Decoder-only, over the sequence [BOS | caption | codes].

    ``generator`` makes the initial weights reproducible. ``recompute`` is how reversible layers are run, not
    what they compute: without it a step is up to a quarter shorter, and memory grows with depth.
    """

    rotations: Tensor

    def __init__(
        self, config: ModelConfig, generator: torch.Generator | None = None, recompute: bool = True
    ) -> None:
        super().__init__()
        self.config = config
        self.recompute = recompute
        sets = dict.fromkeys(map(config.weight_set, range(config.depth)))
        self.weights = nn.ModuleDict({str(weight_set): WeightSet(config) for weight_set in sets})
        self.layers = nn.ModuleList(Layer(config, index) for index in range(config.depth))
        self.norm = nn.LayerNorm(config.dim)
        self.vocabulary = nn.Linear(config.dim, config.text_classes + config.image_vocab)
        if not config.rotary:
            self.text_position = nn.Parameter(torch.empty(config.text_positions, config.dim))
            self.row = nn.Parameter(torch.empty(config.grid, 1, config.dim))
            self.column = nn.Parameter(torch.empty(config.grid, config.dim))
        patterns = dict.fromkeys(map(config.layer_pattern, range(config.depth)))
        self.neighbourhoods = nn.ModuleDict({pattern: Neighbourhood(config, pattern) for pattern in patterns})
        self.register_buffer("rotations", rotation_table(config), persistent=False)
        self._initialise(generator)

    def loss(self, text: Tensor, codes: Tensor) -> Tensor:
        """The training loss, a scalar: the mean of `losses`, weighted 1 to ``image_loss_weight``."""
        text_loss, image_loss = self.losses(text, codes)
        weight = self.config.image_loss_weight
        return (text_loss + weight * image_loss) / (1 + weight)

    def losses(self, text: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """Mean cross-entropy of captions and of codes, in nats.

        ``text`` is int64 (batch, text_length), token 0 for padding; ``codes`` int64 (batch, grid * grid), row
        by row. ValueError if they are not; their range is checked on a CPU alone, as that would stall a GPU.
        """
        self._check(text, codes, self.config.image_length)
        words = self._words(text)
        of_text, of_image = self._predictions(words, codes)
        text_vocabulary, image_vocabulary = self._vocabularies()
        return mean_cross_entropy(of_text, *text_vocabulary, words), mean_cross_entropy(
            of_image, *image_vocabulary, codes
        )

    def logits(self, text: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (batch, text_length, text_classes) and (batch, grid * grid, image_vocab).

        Those at i predict token or code i. Text class ``text_vocab + i`` is the padding at position i.
        Arguments and errors are those of `losses`.
        """
        self._check(text, codes, self.config.image_length)
        of_text, of_image = self._predictions(self._words(text), codes)
        text_vocabulary, image_vocabulary = self._vocabularies()
        return F.linear(of_text, *text_vocabulary), F.linear(of_image, *image_vocabulary)

    @torch.no_grad()
    def next_code_logits(self, text: Tensor, codes: Tensor) -> Tensor:
        """Logits (batch, image_vocab) of the code that follows ``codes``, int64 (batch, known codes)."""
        known = codes.shape[-1]
        if known >= self.config.image_length:
            raise ValueError(f"An image has {self.config.image_length} codes, and {known} are given already.")
        self._check(text, codes, known)
        rows = max(1, -(-known // self.config.grid))
        # What fills the last row is not seen from before it.
        whole_rows = F.pad(codes, (0, rows * self.config.grid - known))
        last = self._hidden(self._words(text), whole_rows)[:, self.config.text_length + known]
        _, image_vocabulary = self._vocabularies()
        return F.linear(last, *image_vocabulary)

    def _words(self, text: Tensor) -> Tensor:
        """Token 0 becomes the padding token of its position."""
        padding = torch.arange(self.config.text_vocab, self.config.text_classes, device=text.device)
        return torch.where(text == 0, padding, text)

    def _predictions(self, words: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """The hidden states that predict the text and the codes; the last code's predicts nothing."""
        hidden = self._hidden(words, codes)
        of_text, of_image, _ = hidden.split([self.config.text_length, self.config.image_length, 1], dim=1)
        return of_text, of_image

    def _hidden(self, words: Tensor, codes: Tensor) -> Tensor:
        """Final hidden states of BOS (token 0), words and whole rows of codes."""
        ids = torch.cat([F.pad(words, (1, 0)), codes + self.config.text_classes], dim=1)
        x = F.embedding(ids, self.vocabulary.weight)
        if not self.config.rotary:
            image_position = (self.row + self.column).flatten(0, 1)
            x = x + torch.cat([self.text_position, image_position])[: x.shape[1]]
        if self.config.reversible:
            x = reversible_stack(x, self._branches(), self.recompute)
        else:
            x = residual_stack(x, self._branches())
        out: Tensor = self.norm(x)
        return out

    def _branches(self) -> Layers:
        return [self._layer_branches(index) for index in range(self.config.depth)]

    def _layer_branches(self, index: int) -> tuple[Branch, Branch]:
        layer = cast(Layer, self.layers[index])
        weights = cast(WeightSet, self.weights[str(self.config.weight_set(index))])
        neighbourhood = cast(Neighbourhood, self.neighbourhoods[self.config.layer_pattern(index)])
        return layer.branches(weights, neighbourhood, self.rotations)

    def _vocabularies(self) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        """Weight and bias of the text's classes, and of the image's: the rows of the tied embedding."""
        sizes = [self.config.text_classes, self.config.image_vocab]
        text_weight, image_weight = self.vocabulary.weight.split(sizes)
        text_bias, image_bias = self.vocabulary.bias.split(sizes)
        return (text_weight, text_bias), (image_weight, image_bias)

    def _check(self, text: Tensor, codes: Tensor, codes_length: int) -> None:
        _check_tokens("text", text, self.config.text_length, self.config.text_vocab)
        _check_tokens("codes", codes, codes_length, self.config.image_vocab)
        if len(text) != len(codes):
            raise ValueError(f"There are {len(text)} captions for {len(codes)} images.")

    @torch.no_grad()
    def _initialise(self, generator: torch.Generator | None) -> None:
        """As dalle-pytorch: uniform by fan-in for linear maps and the tied embedding, else normal."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                bound = module.in_features**-0.5
                for parameter in module.parameters():
                    parameter.uniform_(-bound, bound, generator=generator)
        if not self.config.rotary:
            for position in (self.text_position, self.row, self.column):
                position.normal_(generator=generator)


def _check_tokens(name: str, tokens: Tensor, length: int, vocabulary: int) -> None:
    if tokens.dtype != torch.int64:
        raise ValueError(f"{name} must be int64, not {tokens.dtype}.")
    if tokens.ndim != 2 or tokens.shape[1] != length or not len(tokens):
        raise ValueError(f"{name} must have the shape (batch, {length}), not {tuple(tokens.shape)}.")
    if tokens.device.type == "cpu" and tokens.numel():
        low, high = tokens.aminmax()
        if low < 0 or high >= vocabulary:
            raise ValueError(f"{name} must be in [0, {vocabulary}), not in [{low}, {high}].")
