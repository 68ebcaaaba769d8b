"""Tells what a picture of the starter run shows: the judge of drawings, itself judged on pictures that it never saw.

A small convolutional network reads off each part of a scene by a head of its own: the thing, its colour or tone,
where things stand, the backdrop, and the second thing of a pair. It learns from the pictures of the training set as
the codec shows them, and from spoiled ones, which have codes of another picture at some places: where more than half
of a picture is spoiled, it is to say that it recognises nothing, so that a failed drawing is no lucky guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assets.embedded.recipe.scenes import ComposedScene, SceneKind
from core.codec.vqgan import ImageCodec

NOTHING = "nothing"
"""Label of the thing in a picture that is mostly spoiled."""
_DECODED_TOGETHER = 64
_CHANNELS = (24, 48, 64, 96)
_BATCH = 32
_PASSES = 5
_PEAK_RATE = 3e-3
_SPOILED = 0.5
"""Share of spoiled places from which on nothing is to be recognised."""
_MOST_STAINS = 0.1
"""Share of spoiled places in pictures that are to be recognised, at most: drawings have some wrong codes."""
_NOISE = 0.03
"""Standard deviation of the noise on pixels from 0 to 1."""


@dataclass(frozen=True)
class SceneParts:
    """Content of a scene, part by part, in words."""

    thing: str
    colour: str
    """Name of its colour or tone; empty: its own."""
    layout: str
    """Widths and places of the things."""
    backdrop: str
    second: str
    """The second thing of a pair; empty: there is none."""
    second_colour: str

    @classmethod
    def of(cls, scene: ComposedScene) -> "SceneParts":
        """Return the parts of a scene."""
        first, last = scene.parts[0], scene.parts[-1]
        layout = " ".join(f"{part.width}:{part.left},{part.top}" for part in scene.parts)
        colour = scene.attribute if scene.kind is SceneKind.TONES else first.colour
        if scene.kind is not SceneKind.PAIRS:
            return cls(scene.thing, colour, layout, scene.backdrop, "", "")
        return cls(scene.thing, colour, layout, "", last.emoji, last.colour)

    @property
    def attribute(self) -> tuple[str, ...]:
        """All but the thing."""
        return (self.colour, self.layout, self.backdrop, self.second, self.second_colour)


HEADS = tuple(SceneParts.__dataclass_fields__)


class SceneClassifier(nn.Module):
    """Reads the parts of a scene off its picture."""

    def __init__(self, labels: dict[str, tuple[str, ...]]) -> None:
        """Prepare untrained weights for the words that each part can have."""
        super().__init__()
        self.labels = labels
        layers: list[nn.Module] = []
        for before, after in zip((3, *_CHANNELS), _CHANNELS, strict=False):
            layers += [
                nn.Conv2d(before, after, 3, padding=1),
                nn.BatchNorm2d(after),
                nn.ReLU(),
                nn.MaxPool2d(2),
            ]
        self.body = nn.Sequential(*layers, nn.Flatten(), nn.LazyLinear(256), nn.ReLU(), nn.Dropout(0.2))
        self.heads = nn.ModuleDict({name: nn.Linear(256, len(words)) for name, words in labels.items()})

    def forward(self, pictures: Tensor) -> dict[str, Tensor]:
        """Return the logits of each part.

        Args:
            pictures: Pixels from 0 to 1, float (n, 3, height, width).
        """
        seen = self.body(pictures)
        return {name: head(seen) for name, head in self.heads.items()}

    @torch.no_grad()
    def read(self, pictures: Tensor) -> list[SceneParts]:
        """Return what each picture shows.

        Args:
            pictures: Pixels from 0 to 1, float (n, 3, height, width).
        """
        self.eval()
        found = [self(part) for part in pictures.split(_DECODED_TOGETHER)]
        places = {name: torch.cat([logits[name] for logits in found]).argmax(dim=1) for name in HEADS}
        return [
            SceneParts(**{name: self.labels[name][places[name][row]] for name in HEADS})
            for row in range(len(pictures))
        ]


def train_classifier(
    scenes: Sequence[ComposedScene],
    codes: Tensor,
    codec: ImageCodec,
    *,
    seed: int = 0,
    passes: int = _PASSES,
    batch: int = _BATCH,
) -> SceneClassifier:
    """Train a classifier; the same arguments give the same one on the same machine.

    Args:
        scenes: Scenes of the training set.
        codes: Their codes, int64 (scenes, grid, grid).
        codec: Codec of the codes.
        seed: Seed of the first weights and of all draws.
        passes: Number of passes over the scenes.
        batch: Number of scenes in one step.
    """
    draws = torch.Generator().manual_seed(seed)
    parts = [SceneParts.of(scene) for scene in scenes]
    labels = {name: tuple(sorted({getattr(one, name) for one in parts})) for name in HEADS}
    labels["thing"] += (NOTHING,)
    targets = {
        name: torch.tensor([labels[name].index(getattr(one, name)) for one in parts]) for name in HEADS
    }
    clean, stained = codes, _spoiled(codes, 0.0, _MOST_STAINS, draws)
    pictures = torch.stack(
        [decode(codec, some) for some in (clean, stained, _spoiled(codes, _SPOILED, 1.0, draws))]
    )
    torch.manual_seed(seed)
    classifier = SceneClassifier(labels)
    classifier(pictures[0, :2])
    optimizer = torch.optim.AdamW(classifier.parameters(), _PEAK_RATE, weight_decay=0.02)
    steps = passes * -(-len(codes) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _PEAK_RATE, steps)
    for _ in range(passes):
        for rows in torch.randperm(len(codes), generator=draws).split(batch):
            optimizer.zero_grad()
            wanted = {name: every[rows] for name, every in targets.items()}
            _loss(classifier, pictures[:, rows], wanted, draws).backward()
            optimizer.step()
            schedule.step()
    return classifier


def _loss(
    classifier: SceneClassifier, shown: Tensor, targets: dict[str, Tensor], draws: torch.Generator
) -> Tensor:
    """Return the cross-entropy of all heads; of pictures that are mostly spoiled, that of the thing alone.

    ``shown`` are pictures of the same scenes (3, n, 3, height, width): clean, stained, and mostly spoiled. They share
    a batch, whose statistics the network normalises by.
    """
    classifier.train()
    noisy = shown + _NOISE * torch.randn(shown.shape, generator=draws)
    logits = {
        name: part.unflatten(0, shown.shape[:2]) for name, part in classifier(noisy.flatten(0, 1)).items()
    }
    nothing = torch.full_like(targets["thing"], len(classifier.labels["thing"]) - 1)
    losses = [F.cross_entropy(logits[name][kind], targets[name]) for name in HEADS for kind in range(2)]
    return torch.stack([*losses, F.cross_entropy(logits["thing"][2], nothing)]).sum()


def decode(codec: ImageCodec, codes: Tensor) -> Tensor:
    """Return the pictures of codes (n, grid, grid), float (n, 3, height, width) from 0 to 1."""
    return torch.cat([codec.decode(part) for part in codes.split(_DECODED_TOGETHER)])


def _spoiled(codes: Tensor, least: float, most: float, draws: torch.Generator) -> Tensor:
    """Return codes that have those of another picture at a share of the places, another share in each."""
    others = codes[torch.randperm(len(codes), generator=draws)]
    shares = least + (most - least) * torch.rand(len(codes), 1, 1, generator=draws)
    return torch.where(torch.rand(codes.shape, generator=draws) < shares, others, codes)
