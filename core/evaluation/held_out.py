"""Tries the sorting of an evaluation on captions and pictures that the run keeps from training.

The thresholds come from training captions, on which the run's ranker may have been trained. Held-out ones were used
for neither, so they tell how often the sorting errs: their own pictures show what they say, and no training picture
does.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.data.shard_file import iterate_codes
from core.evaluation.calibration import NEIGHBOURS
from core.evaluation.caption_keys import Keys, caption_keys
from core.evaluation.document import HeldOutTrial
from core.evaluation.index import PictureIndex
from core.evaluation.nearest import NOWHERE, Embeddings
from core.evaluation.searches import fits, known_captions, pictures_by_texts
from core.evaluation.sorting import TextFit, Thresholds, is_as_good, matches
from core.evaluation.training_pictures import PictureEncoder
from core.run.filters import drop_reason
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.files import resolve_file

TRIED = 256
"""Most held-out pictures that are tried."""
_LOOKED_AT = 10_000
"""First rows of the held-out shard that are read."""

HeldOutPair = tuple[str, NDArray[np.int64]]
"""A caption, and the codes of its picture, (grid * grid,)."""


def held_out_pairs(manifest: RunManifest, base: Path) -> list[HeldOutPair]:
    """Return the first held-out pairs of a run that pass its filters; none if it holds nothing out.

    Args:
        manifest: Manifest of the run.
        base: Folder of the manifest's files.

    Raises:
        DataError: the held-out shard cannot be read.
        ManifestError: the held-out shard is missing or differs, or the run makes no pictures.
    """
    training = picture_rules(manifest.training)
    if training.data.heldout is None:
        return []
    shard, model = resolve_file(training.data.heldout, base), training.model
    rows = islice(iterate_codes(shard, model.grid, model.image_vocab), _LOOKED_AT)
    return [
        (row.caption, codes)
        for row, codes in rows
        if drop_reason(row.caption, row.nsfw, row.original_width, row.original_height, training.data.filters)
        is None
    ]


def tried(
    pairs: Sequence[HeldOutPair], index: PictureIndex, encoder: PictureEncoder, thresholds: Thresholds
) -> HeldOutTrial | None:
    """Return how held-out ``pairs`` would be sorted; None if there is none whose caption is not in the data.

    Args:
        pairs: Held-out captions and codes.
        index: The training pictures.
        encoder: Codec and embeddings.
        thresholds: Thresholds to try.
    """
    known = known_captions(index, [caption for caption, _ in pairs]) if pairs else []
    new = [pair for pair, is_known in zip(pairs, known, strict=True) if not is_known][:TRIED]
    if not new:
        return None
    captions = [caption for caption, _ in new]
    texts, keys = encoder.embedder.embed_texts(captions).numpy(), caption_keys(captions)
    pictures = encoder.pictures(torch.from_numpy(np.stack([codes for _, codes in new])))
    own = fits(index, encoder.embedder.embed_images(pictures).numpy(), texts, keys)
    matching = {row for row, fit in enumerate(own) if matches(fit, thresholds)}
    shown = matching & _shown_as_well(index, texts, keys, own)
    return HeldOutTrial(
        captions=len(new),
        generalising=len(matching - shown) / len(new),
        realistic=len(shown) / len(new),
    )


def _shown_as_well(index: PictureIndex, texts: Embeddings, keys: Keys, own: Sequence[TextFit]) -> set[int]:
    """Return which texts a training picture shows as well as their own pictures do."""
    near = pictures_by_texts(index, texts, NEIGHBOURS)
    rows, columns = np.nonzero(near.places != NOWHERE)
    images = index.fetch(near.places[rows, columns].tolist()).images
    others = fits(index, images, texts[rows], keys[rows])
    return {row for row, fit in zip(rows.tolist(), others, strict=True) if is_as_good(fit, own[row])}
