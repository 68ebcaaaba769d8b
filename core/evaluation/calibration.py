"""Derives the thresholds of an evaluation from the run's own captions and pictures.

Some captions of the training data are asked for as if they were prompts. Their own pictures show what they say. The
best pictures of *other* captions do not, however near they are: a red panda for "blue panda". So the data tell
where the line is between them, and how often it errs.
"""

from dataclasses import dataclass

import numpy as np

from core.data.streaming.walk import permutation
from core.errors import DataError
from core.evaluation.cell_colours import colour_likenesses
from core.evaluation.index import PictureIndex
from core.evaluation.index_part import IndexPart
from core.evaluation.nearest import NOWHERE, Nearest
from core.evaluation.searches import OwnRows, fits, pictures_by_texts
from core.evaluation.separation import Separation, beyond, separate
from core.evaluation.sorting import Thresholds

COMPARED = 512
"""Captions that are asked for."""
_FEWEST = 8
"""Fewest pictures of an index from which thresholds are derived."""
_RANDOM = 0.95
"""Share of random pictures of which nothing may be right for a caption."""
NEIGHBOURS = 8
"""Pictures nearest to a caption whose colours are compared with another picture's."""


@dataclass(frozen=True)
class Calibration:
    """The thresholds, and the number of captions that they were derived from."""

    thresholds: Thresholds
    compared: int
    """Number of captions that the thresholds were derived from."""


def calibrate(index: PictureIndex, compared: int = COMPARED) -> Calibration:
    """Return the thresholds for a run whose training pictures are in ``index``.

    Args:
        index: The training pictures.
        compared: Most captions that are asked for; they are chosen at random, always the same ones.

    Raises:
        DataError: there are too few different pictures.
    """
    if index.pictures < _FEWEST:
        raise DataError(
            f"The run has {index.pictures} training pictures, which are too few to derive thresholds from.",
            "Evaluate a run with more pictures.",
        )
    asked = index.fetch(permutation(index.pictures, "captions that are asked for")[:compared])
    own = OwnRows.of(asked)
    others = pictures_by_texts(index, asked.texts, NEIGHBOURS, own)
    thresholds = Thresholds(
        matching=_matching(index, asked, own, others),
        related=_related(asked),
        colours=_colours(index, asked, others),
    )
    return Calibration(thresholds, len(asked.captions))


def _matching(index: PictureIndex, asked: IndexPart, own: OwnRows, others: Nearest) -> Separation:
    """Separate margins of captions' own pictures from those of the best pictures of other captions."""
    there = np.flatnonzero(others.places[:, 0] != NOWHERE)
    if not len(there):
        raise _all_alike()
    best = index.fetch(others.places[there, 0].tolist())
    true = fits(index, asked.images, asked.texts, own.captions)
    near = fits(index, best.images, asked.texts[there], own.captions[there])
    return separate([fit.margin for fit in true], [fit.margin for fit in near])


def _related(asked: IndexPart) -> Separation:
    """Return the score that few captions reach with the next caption's picture."""
    true = (asked.texts * asked.images).sum(axis=1)
    random = (asked.texts * np.roll(asked.images, 1, axis=0)).sum(axis=1)
    return beyond(true, random, _RANDOM)


def _colours(index: PictureIndex, asked: IndexPart, others: Nearest) -> Separation:
    """Separate likenesses of colours to a caption's neighbours: of its own picture, and of the next caption's."""
    wanted = sorted(set(others.places.ravel().tolist()) - {NOWHERE})
    if not wanted:
        raise _all_alike()
    found, where = index.fetch(wanted), {place: row for row, place in enumerate(wanted)}
    true, random = [], []
    for number, places in enumerate(others.places.tolist()):
        rows = [where[place] for place in places if place != NOWHERE]
        if rows:
            true.append(float(colour_likenesses(asked.cells[number], found.cells[rows]).max()))
            random.append(float(colour_likenesses(asked.cells[number - 1], found.cells[rows]).max()))
    return separate(true, random)


def _all_alike() -> DataError:
    return DataError(
        "All captions of the training data, or all pictures, are the same.",
        "Evaluate a run of several pictures.",
    )
