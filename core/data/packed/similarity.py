"""Puts the codes of a codebook in an order in which those that are used alike have similar numbers.

A codebook's own numbers mean nothing. Where the first bits of a number tell a class of alike codes, a code that was
never seen beside another one is still predicted from others of its class. As Brown et al., "Class-based n-gram models
of natural language" (1992), but by halving along principal axes.
"""

import numpy as np
from numpy.typing import NDArray

_GROUPS = 128
"""Groups of codes, whose company describes a code."""
_ROUNDS = 2
"""The groups are codes of similar frequency ranks at first, then of similar use."""
_DIMENSIONS = 16
_FEWEST = 3

Codes = NDArray[np.int64]
Features = NDArray[np.float64]


def similar_order(codes: Codes, vocab: int) -> Codes:
    """All codes of the codebook; their use is that in images of shape (images, grid, grid)."""
    frequency = np.bincount(codes.ravel(), minlength=vocab)
    group = np.argsort(np.argsort(-frequency, kind="stable")) % _GROUPS
    for _ in range(_ROUNDS):
        order = _halved(_features(codes, group), np.arange(vocab))
        group = np.argsort(order) * _GROUPS // vocab
    return order


def _features(codes: Codes, group: Codes) -> Features:
    """Of shape (vocab, dimensions): which groups lie left, right, above and below, reduced to principal axes."""
    beside = (codes[:, :, :-1], codes[:, :, 1:]), (codes[:, :-1], codes[:, 1:])
    company = [
        _count(code, group[neighbour], len(group))
        for first, second in beside
        for code, neighbour in ((first, second), (second, first))
    ]
    found = np.log1p(np.concatenate(company, axis=1))
    found /= np.maximum(1, np.linalg.norm(found, axis=1, keepdims=True))
    axes = np.linalg.eigh(found.T @ found)[1][:, -_DIMENSIONS:]
    return np.asarray(found @ axes, np.float64)


def _count(code: Codes, group: Codes, vocab: int) -> NDArray[np.float32]:
    pairs = code.ravel() * _GROUPS + group.ravel()
    counts = np.bincount(pairs, minlength=vocab * _GROUPS)
    return counts.reshape(vocab, _GROUPS).astype(np.float32)


def _halved(features: Features, codes: Codes) -> Codes:
    """The codes, cut along the axis on which they differ most, each part ordered by itself.

    The first part is a power of two, so that numbers of a part have their first bits in common.
    """
    if len(codes) < _FEWEST:
        return codes
    about = features[codes] - features[codes].mean(axis=0)
    axis = np.linalg.eigh(about.T @ about)[1][:, -1]
    ordered = codes[np.argsort(about @ axis, kind="stable")]
    half = 1 << (len(codes) - 1).bit_length() - 1
    return np.concatenate([_halved(features, ordered[:half]), _halved(features, ordered[half:])])
