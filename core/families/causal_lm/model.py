"""The causal language model of GPT-2's shape, with a forward and backward by hand in `core.model.stack.Stack`."""

from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.families.causal_lm.attention import causal_mask
from core.families.causal_lm.branches import CausalAttention, CausalFeedForward, CausalLayer
from core.families.causal_lm.config import CausalConfig
from core.model.ends import normalise, normalise_backward
from core.model.family.trainable import TrainableModel
from core.model.functions import hidden_states, vocabulary_losses
from core.model.gradients import Gradients
from core.model.stack import Branch, Stack, Tape, activations_by_sublayer
from core.model.techniques import Techniques
from core.model.transformer import check_tokens


class _EncodedText(NamedTuple):
    """Parts of the forward pass that `CausalTransformer.encode_backward` needs."""

    tape: Tape
    last: Tensor
    """Input of the final norm."""
    mean: Tensor
    inverse_deviation: Tensor


class CausalTransformer(TrainableModel):
    """Predicts each token from those before it; a loss can be differentiated once, as that of `Transformer`."""

    no_bias: Tensor
    unit: Tensor
    mask: Tensor

    def __init__(
        self,
        config: CausalConfig,
        generator: torch.Generator | None = None,
        techniques: Techniques | None = None,
    ) -> None:
        """Build the model with initial weights, in the precision of the techniques.

        Args:
            config: Sizes of the model.
            generator: Source of the initial weights; None: torch's own.
            techniques: Techniques of the first batches; None: float32 with the leanest activations.
        """
        super().__init__(reversible=config.reversible)
        self.config = config
        self.vocabulary = nn.Linear(config.dim, config.vocab, bias=False)
        self.position = nn.Parameter(torch.empty(config.length, config.dim))
        self.layers = nn.ModuleList(CausalLayer(config.dim, config.hidden) for _ in range(config.weight_sets))
        self.norm = nn.LayerNorm(config.dim)
        self.register_buffer("no_bias", torch.zeros(config.vocab), persistent=False)
        self.register_buffer("mask", causal_mask(config.length), persistent=False)
        self.register_buffer("unit", torch.ones(config.dim), persistent=False)
        self._initialise(generator)
        self.begin(techniques)

    def loss(self, tokens: Tensor, gradients: Gradients | None = None) -> Tensor:
        """Compute the mean cross-entropy of all tokens but each first one, in nats, a scalar.

        Args:
            tokens: Tokens, int64 (batch, length + 1).
            gradients: Sums that gradients are added to in a backward pass; without, those of the parameters'
                ``.grad``.

        Raises:
            ValueError: tokens are of another shape, type or range; the range is checked on a CPU alone.
        """
        check_tokens("tokens", tokens, self.config.length + 1, self.config.vocab)
        gradients = gradients or Gradients()
        hidden = hidden_states(self, tokens[:, :-1], list(self.parameters()), gradients)
        weight = self.vocabulary.weight
        (loss,) = vocabulary_losses(
            [hidden],
            [tokens[:, 1:]],
            (weight, self.no_bias.to(weight.dtype)),
            [self.config.vocab],
            self.techniques.loss_chunk,
            gradients,
        )
        return loss

    def encode(self, ids: Tensor, remember: bool) -> tuple[Tensor, _EncodedText]:
        """Compute hidden states (batch, positions, dim) of tokens, without autograd.

        Args:
            ids: Tokens, int64 (batch, positions), up to ``length`` of them.
            remember: True to return what `encode_backward` needs, too.
        """
        last, tape = self._stack().forward(self.embed(ids), remember)
        hidden, mean, inverse = normalise(last, self.norm)
        return hidden, _EncodedText(tape, last, mean, inverse)

    def embed(self, ids: Tensor, first: int = 0) -> Tensor:
        """Compute the start of the streams, (batch, positions, dim), for ``ids`` from the position ``first`` on."""
        x = F.embedding(ids, self.vocabulary.weight).to(self.norm.weight.dtype)
        return x + self.position[first : first + ids.shape[1]]

    def encode_backward(self, ids: Tensor, tape: _EncodedText, grad: Tensor, gradients: Gradients) -> None:
        """Add the gradients of all parameters to ``gradients``.

        Args:
            ids: Tokens of the forward pass, int64 (batch, length).
            tape: Second result of `encode`.
            grad: Gradient of the hidden states, (batch, length, dim).
            gradients: Sums that the gradients are added to.
        """
        with gradients.stage():
            grad = normalise_backward(
                grad, tape.last, tape.mean, tape.inverse_deviation, self.norm, gradients
            )
        grad = self._stack().backward(tape.tape, grad, gradients)
        with gradients.stage():
            if gradients.wanted:
                of_position = grad.sum(dim=0)
                total = gradients.of(self.vocabulary.weight)
                total.index_add_(0, ids.flatten(), grad.flatten(0, 1).to(total.dtype))
                gradients.add(self.position, of_position)

    def branches(self) -> list[Branch]:
        """Return the attention and the feed-forward branch of each layer, in their order."""
        found: list[Branch] = []
        for number in range(self.config.depth):
            layer = cast(CausalLayer, self.layers[number % self.config.weight_sets])
            found += [
                CausalAttention(layer, self.config.heads, self.unit, self.mask),
                CausalFeedForward(layer, self.unit),
            ]
        return found

    def _stack(self) -> Stack:
        techniques = self.techniques
        modes = activations_by_sublayer(
            self.config.depth, techniques.activations, techniques.checkpointed, techniques.kept
        )
        boosts = self.vocabulary.weight.dtype == torch.float16
        return Stack(
            self.branches(), modes, reversible=self.config.reversible, boosts=boosts, between=self.between
        )

    @torch.no_grad()
    def _initialise(self, generator: torch.Generator | None) -> None:
        """Initialise like GPT-2: weights of one deviation, those of exits smaller with depth, biases of zero.

        The deviation is 0.02 at GPT-2's width of 768, and larger in narrower models. Draws are uniform, as all
        machines draw those alike.
        """
        spread = self.config.dim**-0.5
        for name, module in self.named_modules():
            if isinstance(module, nn.Linear):
                bound = spread * (2 * self.config.depth) ** -0.5 if ".from_" in name else spread
                module.weight.uniform_(-bound, bound, generator=generator)
                if module.bias is not None:
                    module.bias.zero_()
        self.position.uniform_(-spread, spread, generator=generator)
