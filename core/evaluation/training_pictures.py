"""The training pictures of a run, in an order of their own, and the parts by which they are embedded and compared."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from core.codec.vqgan import ImageCodec
from core.data.streaming.rows import ShardRows
from core.data.streaming.stream import code_rows, coded_sample
from core.data.streaming.walk import Position, WalkStep, shard_order, walk
from core.data.streaming.windows import CodedSample
from core.errors import DataError, RankingError
from core.generation.parts import DrawingParts
from core.network.pause_token import PauseToken
from core.ranking.ranker import Embedder
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules

FORMAT = 2
"""Version of how pictures are ordered, embedded and kept; another one makes another digest."""
_PIXELS = 256**2
"""Pixels that are decoded at a time: a picture of the paper's, or several smaller ones."""
_ORDER = "evaluation"
"""Seed of the order in which the pictures are looked at: a part of them is drawn from all shards' rows."""


@dataclass(frozen=True)
class PictureEncoder:
    """Makes embeddings of codes: the codec decodes them, and the run's ranker embeds the pictures."""

    codec: ImageCodec
    embedder: Embedder
    grid: int
    """Codes along one side of a picture."""

    @classmethod
    def of(cls, parts: DrawingParts) -> "PictureEncoder":
        """Return the encoder of a model's ``parts``; RankingError if they have no ranker with embeddings."""
        ranker: object = parts.ranker
        if not isinstance(ranker, Embedder):
            raise RankingError(
                f"An evaluation compares pictures and texts by the run's ranker. {parts.unranked}",
                "Evaluate a run whose manifest names a ranker; the command `idlebrush generate` draws without one.",
            )
        return cls(parts.codec, ranker, parts.model.config.grid)

    def pictures(self, codes: Tensor) -> Tensor:
        """Return the pictures of ``codes``, int64 (n, grid * grid): floats (n, 3, height, width) on the CPU.

        A few are decoded at a time, as a codec takes much memory for each.
        """
        each = codes.view(-1, self.grid, self.grid)
        side = self.grid * self.codec.downsampling
        with torch.inference_mode():
            return torch.cat([self.codec.decode(few).cpu() for few in each.split(max(1, _PIXELS // side**2))])


@dataclass(frozen=True)
class TrainingPictures:
    """Captions and codes of the training pictures of a run."""

    rows: ShardRows
    prepare: Callable[..., CodedSample | None]
    digest: str
    """Digest of the data and of all that what is kept of them depends on."""
    left: Callable[[str, DataError], None]
    """Called with the name of each shard that cannot be used, and the error."""

    @classmethod
    def of_run(cls, manifest: RunManifest, base: Path, notify: Callable[[str], None]) -> "TrainingPictures":
        """Return the pictures of a run; none is read yet.

        Args:
            manifest: Manifest of the run.
            base: Folder of the manifest's files.
            notify: Called with sentences for the user about data that cannot be had.

        Raises:
            ManifestError: a shard beside the manifest is missing or differs, or the run makes no pictures.
        """
        training, token = picture_rules(manifest.training), PauseToken()
        rows = code_rows(training, base, token, notify)
        filters, model, ranking = training.data.filters, training.model, manifest.contact.ranking
        prepare = partial(
            coded_sample, pause_token=token, grid=model.grid, vocab=model.image_vocab, filters=filters
        )
        identity = {
            "format": FORMAT,
            "rows": rows.identity,
            "filters": filters.model_dump(mode="json"),
            "codec": training.codec.weights.sha256,
            "text": training.text.model_dump(mode="json"),
            "ranking": None if ranking is None else ranking.model_dump(mode="json"),
        }
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()

        def left(name: str, error: DataError) -> None:
            notify(f"The evaluation continues without the shard {name}. {error.what}")

        return cls(rows, prepare, digest, left)

    def place_of(self, name: str) -> int:
        """Return the number of shards that the walk takes before the one with this ``name``."""
        order, shards = shard_order(len(self.rows.shards), _ORDER), self.rows.shards
        return next(place for place, shard in enumerate(order) if shards[shard].name == name)

    def following(self, start: Position) -> Iterator[WalkStep[CodedSample]]:
        """Yield the pictures after ``start``, in the order of shards and row groups that the evaluation draws.

        Rows that the run's filters leave out have no sample.

        Raises:
            RefusedError: the data set as a whole is not handed out.
        """
        return walk(self.rows, _ORDER, start, self.prepare, self.left)
