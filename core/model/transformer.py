"""The text-to-image transformer of Training Transformers Together (Borzunov et al., 2022), section 3.1.

It computes what dalle-pytorch 1.6.6 computes with the paper's options, and its checkpoints map name by name:
``layers.I.attention`` is ``transformer.layers.blocks.I.f.net``, ``layers.I.feed_forward`` is its ``g.net``,
``weights.S`` are the innermost ``fn`` of the first layer that uses set S, ``norm`` and ``vocabulary`` are
``to_logits.0`` and ``to_logits.1``.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.ends import normalise, normalise_backward
from core.model.family.trainable import TrainableModel
from core.model.functions import hidden_states, vocabulary_losses
from core.model.gradients import Gradients
from core.model.layers import Layer, WeightSet
from core.model.positions import Neighbourhood, rotation_table
from core.model.stack import Branch, Stack, Tape, activations_by_sublayer
from core.model.techniques import Techniques


class _Encoded(NamedTuple):
    """Parts of the forward pass that `Transformer.encode_backward` needs."""

    tape: Tape
    last: Tensor
    """Input of the final norm."""
    mean: Tensor
    inverse_deviation: Tensor


class Transformer(TrainableModel):
    """Decoder-only, over the sequence [BOS | caption | codes].

    ``generator`` makes the initial weights reproducible. ``techniques`` say what is kept for the backward pass,
    how many logits are held at a time and in which precision, not what is computed; without, the least memory that
    the model allows. A loss can be differentiated once, and adds to ``.grad`` in place where it is there.
    """

    rotations: Tensor

    def __init__(
        self,
        config: ModelConfig,
        generator: torch.Generator | None = None,
        techniques: Techniques | None = None,
    ) -> None:
        """Build the model with initial weights, in the precision of the techniques.

        Args:
            config: Sizes and options of the model.
            generator: Source of the initial weights; None: torch's own.
            techniques: Techniques of the first batches, which `use` can change; None: float32 with the activations
                that take the least memory.

        Raises:
            ValueError: the techniques reverse layers that are not reversible.
        """
        super().__init__(reversible=config.reversible)
        self.config = config
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
        self.begin(techniques)

    def loss(self, text: Tensor, codes: Tensor, gradients: Gradients | None = None) -> Tensor:
        """Compute the training loss, a scalar: the mean of `losses`, weighted 1 to ``image_loss_weight``.

        Args:
            text: Tokens, int64 (batch, text_length).
            codes: Codes, int64 (batch, grid * grid).
            gradients: Sums that gradients are added to in a backward pass; without, those of the parameters'
                ``.grad``.
        """
        text_loss, image_loss = self.losses(text, codes, gradients)
        weight = self.config.image_loss_weight
        return (text_loss + weight * image_loss) / (1 + weight)

    def losses(
        self, text: Tensor, codes: Tensor, gradients: Gradients | None = None
    ) -> tuple[Tensor, Tensor]:
        """Compute the mean cross-entropies of captions and of codes, in nats, two scalars.

        The range of tokens is checked on a CPU alone, as that would stall a GPU.

        Args:
            text: Tokens, int64 (batch, text_length); token 0 is padding.
            codes: Codes, int64 (batch, grid * grid), row by row.
            gradients: Sums that gradients are added to in a backward pass, by which a caller knows how far a
                failed pass came; without, those of the parameters' ``.grad``.

        Raises:
            ValueError: tokens or codes are of another shape, type or range.
        """
        self._check(text, codes)
        words, gradients = self._words(text), gradients or Gradients()
        of_text, of_image = vocabulary_losses(
            self._predictions(words, codes, gradients),
            (words, codes),
            (self.vocabulary.weight, self.vocabulary.bias),
            [self.config.text_classes, self.config.image_vocab],
            self.techniques.loss_chunk,
            gradients,
        )
        return of_text, of_image

    def logits(self, text: Tensor, codes: Tensor) -> tuple[Tensor, Tensor]:
        """Compute logits (batch, text_length, text_classes) and (batch, grid * grid, image_vocab).

        Those at i predict token or code i. Text class ``text_vocab + i`` is the padding at position i.

        Args:
            text: Tokens, int64 (batch, text_length).
            codes: Codes, int64 (batch, grid * grid).

        Raises:
            ValueError: as `losses`.
        """
        self._check(text, codes)
        hidden = self._predictions(self._words(text), codes, Gradients())
        of_text, of_image = (
            F.linear(part.to(weight.dtype), weight, bias)
            for part, (weight, bias) in zip(hidden, self.vocabularies(), strict=True)
        )
        return of_text, of_image

    def encode(self, ids: Tensor, remember: bool) -> tuple[Tensor, _Encoded]:
        """Compute hidden states (batch, positions, dim) of tokens for whole rows of codes, without autograd.

        Args:
            ids: Tokens, int64 (batch, positions).
            remember: True to return what `encode_backward` needs, too.
        """
        last, tape = self._stack().forward(self.embed(ids), remember)
        hidden, mean, inverse = normalise(last, self.norm)
        return hidden, _Encoded(tape, last, mean, inverse)

    def embed(self, ids: Tensor) -> Tensor:
        """Compute the start of the streams, (batch, positions, dim), for tokens ``ids`` as `encode` takes them."""
        x = F.embedding(ids, self.vocabulary.weight).to(self.norm.weight.dtype)
        if not self.config.rotary:
            x += torch.cat([self.text_position, self.image_position()])[: x.shape[1]]
        return x

    def image_position(self) -> Tensor:
        """Return the learned position of each code, of shape (grid * grid, dim); not for rotary models."""
        return (self.row + self.column).flatten(0, 1)

    def encode_backward(self, ids: Tensor, tape: _Encoded, grad: Tensor, gradients: Gradients) -> None:
        """Add the gradients of all parameters to ``gradients``.

        Args:
            ids: Tokens of the forward pass, int64 (batch, positions).
            tape: Second result of `encode`.
            grad: Gradient of the hidden states, (batch, positions, dim).
            gradients: Sums that the gradients are added to.
        """
        with gradients.stage():
            grad = normalise_backward(
                grad, tape.last, tape.mean, tape.inverse_deviation, self.norm, gradients
            )
        grad = self._stack().backward(tape.tape, grad, gradients)
        with gradients.stage():
            if gradients.wanted:
                self._embedding_backward(ids, grad, gradients)

    def _embedding_backward(self, ids: Tensor, grad: Tensor, gradients: Gradients) -> None:
        if not self.config.rotary:
            of_text, of_image = grad.sum(dim=0).split([self.config.text_positions, self.config.image_length])
            of_places = of_image.unflatten(0, (self.config.grid, self.config.grid))
            of_row, of_column = of_places.sum(dim=1, keepdim=True), of_places.sum(dim=0)
            gradients.add(self.text_position, of_text)
            gradients.add(self.row, of_row)
            gradients.add(self.column, of_column)
        total = gradients.of(self.vocabulary.weight)
        total.index_add_(0, ids.flatten(), grad.flatten(0, 1).to(total.dtype))

    def ids(self, text: Tensor, codes: Tensor) -> Tensor:
        """Return BOS, text and codes in the common vocabulary, int64 (batch, positions).

        ``text`` is int64 (batch, text_length), ``codes`` int64 (batch, codes), in whole rows; `encode` takes
        the result.
        """
        return self._ids(self._words(text), codes)

    def _words(self, text: Tensor) -> Tensor:
        """Return ``text`` with the padding token of its position in place of each token 0."""
        padding = torch.arange(self.config.text_vocab, self.config.text_classes, device=text.device)
        return torch.where(text == 0, padding, text)

    def _predictions(self, words: Tensor, codes: Tensor, gradients: Gradients) -> tuple[Tensor, Tensor]:
        """Return the hidden states that predict text and codes; that of the last code predicts nothing."""
        hidden = hidden_states(self, self._ids(words, codes), list(self.parameters()), gradients)
        of_text, of_image, _ = hidden.split([self.config.text_length, self.config.image_length, 1], dim=1)
        return of_text, of_image

    def _ids(self, words: Tensor, codes: Tensor) -> Tensor:
        """Return BOS (token 0), words and codes in the common vocabulary."""
        return torch.cat([F.pad(words, (1, 0)), codes + self.config.text_classes], dim=1)

    def _stack(self) -> Stack:
        techniques, depth = self.techniques, self.config.depth
        modes = activations_by_sublayer(
            depth, techniques.activations, techniques.checkpointed, techniques.kept
        )
        branches = [branch for index in range(depth) for branch in self.layer_branches(index)]
        boosts = self.vocabulary.weight.dtype == torch.float16
        return Stack(branches, modes, reversible=self.config.reversible, boosts=boosts, between=self.between)

    def layer_branches(self, index: int) -> Sequence[Branch]:
        """Return the attention and the feed-forward branch of the layer ``index``, counted from 0."""
        layer = cast(Layer, self.layers[index])
        weights = cast(WeightSet, self.weights[str(self.config.weight_set(index))])
        neighbourhood = cast(Neighbourhood, self.neighbourhoods[self.config.layer_pattern(index)])
        return layer.branches(weights, neighbourhood, self.rotations)

    def vocabularies(self) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        """Return the weight and bias of the text's classes, then of the image's: parts of the tied embedding.

        Weights are of shape (classes, dim), biases of shape (classes,).
        """
        sizes = [self.config.text_classes, self.config.image_vocab]
        text_weight, image_weight = self.vocabulary.weight.split(sizes)
        text_bias, image_bias = self.vocabulary.bias.split(sizes)
        return (text_weight, text_bias), (image_weight, image_bias)

    def _check(self, text: Tensor, codes: Tensor) -> None:
        check_tokens("text", text, self.config.text_length, self.config.text_vocab)
        check_tokens("codes", codes, self.config.image_length, self.config.image_vocab)
        if len(text) != len(codes):
            raise ValueError(f"There are {len(text)} captions for {len(codes)} images.")

    @torch.no_grad()
    def _initialise(self, generator: torch.Generator | None) -> None:
        """Initialise like dalle-pytorch: uniform by fan-in for linear maps and the tied embedding, else normal."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                bound = module.in_features**-0.5
                for parameter in module.parameters():
                    parameter.uniform_(-bound, bound, generator=generator)
        if not self.config.rotary:
            for position in (self.text_position, self.row, self.column):
                position.normal_(generator=generator)


def check_tokens(name: str, tokens: Tensor, length: int, vocabulary: int) -> None:
    """Check that tokens are int64 (batch, length) in [0, vocabulary); their range is checked on a CPU alone.

    Args:
        name: Name of the tokens in the error.
        tokens: Tokens to check.
        length: Tokens of a sample.
        vocabulary: Number of different tokens.

    Raises:
        ValueError: the type, the shape or the range is another.
    """
    if tokens.dtype != torch.int64:
        raise ValueError(f"{name} must be int64, not {tokens.dtype}.")
    if tokens.ndim != 2 or tokens.shape[1] != length or not len(tokens):
        raise ValueError(f"{name} must have the shape (batch, {length}), not {tuple(tokens.shape)}.")
    if tokens.device.type == "cpu" and tokens.numel():
        low, high = tokens.aminmax()
        if low < 0 or high >= vocabulary:
            raise ValueError(f"{name} must be in [0, {vocabulary}), not in [{low}, {high}].")
