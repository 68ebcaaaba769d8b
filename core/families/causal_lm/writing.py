"""Writes text token by token, so that a loop can do other work between two tokens; keys and values are kept."""

import torch
import torch.nn.functional as F
from torch import Tensor

from core.families.causal_lm.branches import CausalAttention
from core.families.causal_lm.model import CausalTransformer
from core.model.family.publishing import WritingChoices
from core.model.products import fast_products

TEMPERATURE, TOP_K = 0.8, 40
"""Sharpness of the choice of a token, and number of the likeliest ones among which it is made (Fan et al., 2018)."""

PIECE = 32
"""Tokens of a prompt that are read in one step."""


class TextReading:
    """Reads tokens one after the other, and tells what may follow; keys and values of earlier ones are kept."""

    def __init__(self, model: CausalTransformer) -> None:
        """Begin with nothing read, by ``model``, which must not change meanwhile."""
        self._model, self._read = model, 0
        self._branches = model.branches()
        self._kept: dict[int, tuple[Tensor, Tensor]] = {}

    @torch.no_grad()
    def read(self, tokens: Tensor) -> Tensor:
        """Read further ``tokens``, int64 (1, n), and return the logits of the one that follows, (vocab,).

        Raises:
            ValueError: The model cannot look back as far.
        """
        if self._read + tokens.shape[1] > self._model.config.length:
            raise ValueError(f"the model reads {self._model.config.length} tokens at most")
        model, count = self._model, 2 if self._model.config.reversible else 1
        with fast_products(tokens.device):
            x = model.embed(tokens, self._read)
            streams = [x.clone() for _ in range(count)]
            for index, branch in enumerate(self._branches):
                model.between()
                source = streams[(index + 1) % count]
                streams[index % count] = streams[index % count] + self._output(index, branch, source)
            self._read += tokens.shape[1]
            last = model.norm(sum(streams[1:], streams[0])[:, -1] / count)
            weight = model.vocabulary.weight
            return F.linear(last.to(weight.dtype), weight)[0].float()

    def _output(self, index: int, branch: object, source: Tensor) -> Tensor:
        if not isinstance(branch, CausalAttention):
            out = torch.zeros_like(source)
            branch.add_to(out, source, keep=False)  # type: ignore[attr-defined]
            return out
        query, key, value = branch.heads_of(source)
        if index in self._kept:
            before = self._kept[index]
            key, value = torch.cat([before[0], key], dim=2), torch.cat([before[1], value], dim=2)
        self._kept[index] = key, value
        found = F.scaled_dot_product_attention(query, key, value, attn_mask=self._mask(query, key))
        return branch.leave(found, source.dtype)

    def _mask(self, query: Tensor, key: Tensor) -> Tensor | None:
        new, seen = query.shape[2], key.shape[2]
        if new == 1:
            return None
        return torch.ones(new, seen, dtype=torch.bool, device=query.device).tril(seen - new)


class Writing:
    """Continues prompts, one after the other and one token in a step; the same seed writes the same text."""

    def __init__(
        self, model: CausalTransformer, prompts: list[list[int]], *, end_id: int, choices: WritingChoices
    ) -> None:
        """Prepare to write.

        Args:
            model: Model that writes, which must not change meanwhile.
            prompts: Tokens of each prompt; of a long one the last tokens are read.
            end_id: Token that ends a text.
            choices: Length of a continuation, and how its tokens are chosen.
        """
        self._model, self._end, self._of = model, end_id, choices
        self._tokens = tokens = choices.tokens
        # Prompts leave room for what follows; an empty one begins as a new document does.
        most = max(1, model.config.length - tokens)
        self._left = [(prompt or [end_id])[-most:] for prompt in prompts]
        self._written: list[list[int]] = []
        self._reader: TextReading | None = None
        self._unread: list[int] = []
        """Tokens of the current prompt that are to be read."""

    @property
    def done(self) -> bool:
        """True once all prompts are continued."""
        return self._reader is None and not self._left

    @property
    def device(self) -> torch.device:
        """Device of the model."""
        return self._model.vocabulary.weight.device

    def step(self) -> None:
        """Write one more token of the current text, or read a piece of a prompt."""
        if self._reader is None:
            self._unread, self._reader = self._left.pop(0), TextReading(self._model)
            self._choices = torch.Generator().manual_seed(self._of.seed)
            self._written.append([])
        if self._unread:
            piece, self._unread = self._unread[:PIECE], self._unread[PIECE:]
            self._logits = self._reader.read(torch.tensor([piece], device=self.device))
            return
        token = self._choose(self._logits)
        written = self._written[-1]
        if token != self._end:
            written.append(token)
        if token == self._end or len(written) == self._tokens:
            self._reader = None
            return
        self._logits = self._reader.read(torch.tensor([[token]], device=self.device))

    def codes(self) -> Tensor:
        """Return what was written, int64 (prompts, tokens), filled up with the token of the end; on the CPU."""
        found = torch.full((len(self._written), self._tokens), self._end, dtype=torch.int64)
        for row, tokens in zip(found, self._written, strict=True):
            row[: len(tokens)] = torch.tensor(tokens, dtype=torch.int64)
        return found

    def _choose(self, logits: Tensor) -> int:
        best = (logits.cpu() / self._of.temperature).topk(min(self._of.top_k, len(logits)))
        drawn = torch.multinomial(best.values.softmax(dim=0), 1, generator=self._choices)
        return int(best.indices[drawn])
