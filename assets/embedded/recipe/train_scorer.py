"""Trains the embedded run's scorer, which ranks drawings, on its shards' pictures and captions, on a single core.

Pictures are what the codec makes of the shards' codes, as drawings are. Each caption is to be told from the others of
a batch by its picture (contrastive learning: Radford et al., 2021, section 2.3), and its picture also from spoiled
ones, where codes of another picture stand at some places: so do failed drawings. Held-out rows are not trained on.

    python -m assets.embedded.recipe.train_scorer
"""

import argparse
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from assets.embedded.recipe.combination import combination_of
from assets.embedded.recipe.scenes import SceneGrammar
from core.codec.vqgan import ImageCodec, load_codec
from core.data.index import ShardIndex
from core.data.shard_file import iterate_codes
from core.model.config import preset
from core.ranking.scorer import Scorer, ScorerConfig
from core.text import CaptionTokenizer

EMBEDDED = Path(__file__).parents[1]
FILE = "scorer/scorer.safetensors"
_DECODED_TOGETHER = 64


@dataclass(frozen=True)
class ScorerTraining:
    """Settings of the scorer's training."""

    epochs: int = 12
    batch: int = 128
    """Number of rows in a batch; half of them come as families, such as a gesture in all its skin tones.

    An epoch has each row twice.
    """
    learning_rate: float = 2e-3
    """Largest learning rate; it falls to zero by a cosine."""
    warmup: float = 0.05
    """Share of the steps that lead up to the peak."""
    weight_decay: float = 0.05
    spoiled: int = 3
    """Spoiled pictures that are made of each one; a step takes one of them."""
    most_spoiled: float = 0.75
    """Share of its places that a spoiled picture has from another one, at most."""
    temperature: float = 0.05
    """Cosines are divided by this before the softmax."""
    seed: int = 0


@dataclass(frozen=True)
class Rows:
    """Captions, their tokens (rows, length), and their pictures' codes (rows, grid, grid)."""

    captions: tuple[str, ...]
    tokens: Tensor
    codes: Tensor

    @classmethod
    def read(cls, embedded: Path, *splits: str) -> "Rows":
        """Return the rows of splits of the shards that lie in the folder of the embedded run."""
        model, data = preset("emoji"), embedded / "data"
        pairs = [
            (row.caption, torch.from_numpy(codes).view(model.grid, model.grid))
            for split in splits
            for entry in ShardIndex.load(data).splits[split]
            for row, codes in iterate_codes(data / entry.file, model.grid, model.image_vocab)
        ]
        captions = tuple(caption for caption, _ in pairs)
        return cls(captions, tokenizer(embedded).encode(captions), torch.stack([codes for _, codes in pairs]))


def tokenizer(embedded: Path) -> CaptionTokenizer:
    """Return the tokenizer of the embedded run."""
    model = preset("emoji")
    return CaptionTokenizer.load(
        embedded / "tokenizer.json", length=model.text_length, vocab=model.text_vocab
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--embedded", type=Path, default=EMBEDDED, help="where the embedded run lies")
    parser.add_argument("--epochs", type=int, default=ScorerTraining.epochs)
    parser.add_argument("--seed", type=int, default=ScorerTraining.seed)
    arguments = parser.parse_args()
    # Sums change in their last bits with the number of threads.
    torch.set_num_threads(1)
    embedded: Path = arguments.embedded
    codec = load_codec(embedded / "codec" / "config.yaml", embedded / "codec" / "vqgan.safetensors")
    settings = ScorerTraining(epochs=arguments.epochs, seed=arguments.seed)
    scorer = train(Rows.read(embedded, "starter", "all"), codec, settings, tokenizer(embedded).vocab_size)
    (embedded / FILE).parent.mkdir(exist_ok=True)
    scorer.save(embedded / FILE)


def train(rows: Rows, codec: ImageCodec, settings: ScorerTraining, vocab: int) -> Scorer:
    """Train a scorer that follows from the rows, the settings and their seed."""
    draws = torch.Generator().manual_seed(settings.seed)
    pictures = decode(codec, rows.codes)
    spoiled = torch.stack(
        [decode(codec, spoil(rows.codes, settings, draws)) for _ in range(settings.spoiled)]
    )
    torch.manual_seed(settings.seed)
    scorer = Scorer(ScorerConfig(vocab=vocab, length=rows.tokens.shape[1], resolution=pictures.shape[-1]))
    steps = settings.epochs * math.ceil(len(rows.captions) / (settings.batch // 2))
    print(f"{len(rows.captions)} rows, {steps} steps, {asdict(settings)}", flush=True)
    descent, started = _Descent(scorer, settings, steps), time.monotonic()
    for epoch in range(settings.epochs):
        losses = []
        for batch in _batches(rows.captions, settings.batch, draws):
            which = torch.randint(settings.spoiled, (len(batch),), generator=draws)
            loss = _loss(
                scorer, rows.tokens[batch], pictures[batch], spoiled[which, batch], settings.temperature
            )
            losses.append(descent.step(loss))
        mean = sum(losses) / len(losses)
        print(f"epoch {epoch + 1}  {time.monotonic() - started:.0f} s  loss {mean:.3f}", flush=True)
    return scorer.eval()


class _Descent:
    """AdamW with clipped gradients, and a learning rate that rises for a while and falls to zero."""

    def __init__(self, scorer: Scorer, settings: ScorerTraining, steps: int) -> None:
        self._parameters = list(scorer.parameters())
        self._optimizer = torch.optim.AdamW(
            self._parameters, settings.learning_rate, betas=(0.9, 0.98), weight_decay=settings.weight_decay
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: _rate(step / steps, settings.warmup)
        )

    def step(self, loss: Tensor) -> float:
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._parameters, 1.0)
        self._optimizer.step()
        self._schedule.step()
        return loss.item()


def decode(codec: ImageCodec, codes: Tensor) -> Tensor:
    """Return the pictures of codes, uint8 (n, 3, height, width)."""
    return torch.cat([(codec.decode(part) * 255).round().byte() for part in codes.split(_DECODED_TOGETHER)])


def spoil(codes: Tensor, settings: ScorerTraining, draws: torch.Generator) -> Tensor:
    """Return codes (n, grid, grid) of which a share, another one for each row, are those of some other row."""
    others = codes[torch.randperm(len(codes), generator=draws)]
    shares = torch.rand(len(codes), 1, 1, generator=draws) * settings.most_spoiled
    return torch.where(torch.rand(codes.shape, generator=draws) < shares, others, codes)


def _loss(scorer: Scorer, tokens: Tensor, pictures: Tensor, spoiled: Tensor, temperature: float) -> Tensor:
    """Return InfoNCE.

    It seeks each caption's picture among all pictures, spoiled ones too, and each picture's caption among
    all.
    """
    captions = functional.normalize(scorer.text(tokens), dim=1)
    seen = functional.normalize(scorer.image(torch.cat([pictures, spoiled]).float() / 255), dim=1)
    logits = captions @ seen.t() / temperature
    own = torch.arange(len(tokens))
    return (
        functional.cross_entropy(logits, own) + functional.cross_entropy(logits[:, : len(tokens)].t(), own)
    ) / 2


def _rate(progress: float, warmup: float) -> float:
    """Return the share of the peak learning rate."""
    return min(progress / warmup, 1.0) * (1 + math.cos(math.pi * progress)) / 2


def _batches(captions: tuple[str, ...], batch: int, draws: torch.Generator) -> Iterator[Tensor]:
    """Yield rows for an epoch, each of them twice.

    Half of a batch is in families, whose members only details tell apart.
    """
    grammar = SceneGrammar.load()
    families: dict[str, list[int]] = {}
    for row, caption in enumerate(captions):
        families.setdefault(combination_of(caption, grammar).thing, []).append(row)
    members = list(families.values())
    order = torch.randperm(len(members), generator=draws).tolist()
    in_families = torch.tensor([row for family in order for row in members[family]])
    at_random = torch.randperm(len(captions), generator=draws)
    for half, other in zip(in_families.split(batch // 2), at_random.split(batch // 2), strict=True):
        yield torch.cat([half, other]).unique()


if __name__ == "__main__":
    main()
