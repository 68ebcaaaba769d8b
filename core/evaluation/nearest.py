"""Keeps the nearest of many embeddings to each of some queries, while they pass by part by part."""

import numpy as np
from numpy.typing import NDArray

Embeddings = NDArray[np.float32]
NOWHERE = -1
"""Place of a neighbour that there is not."""


class Nearest:
    """The nearest embeddings to each query so far, best first; of equal ones, the earlier."""

    def __init__(self, queries: Embeddings, count: int) -> None:
        """Begin without any.

        Args:
            queries: Embeddings of length 1, (queries, d).
            count: Neighbours that are kept of each query.
        """
        self._queries, self._count = queries, count
        self._seen = 0
        self.scores: NDArray[np.float32] = np.full((len(queries), count), -np.inf, np.float32)
        """Cosines of each query's neighbours, (queries, count); minus infinity where there is none."""
        self.places: NDArray[np.int64] = np.full((len(queries), count), NOWHERE, np.int64)
        """Numbers of the neighbours in the order in which they passed, (queries, count); `NOWHERE`: none."""

    def add(self, embeddings: Embeddings, excluded: NDArray[np.bool_] | None = None) -> None:
        """Let the next embeddings pass by.

        Args:
            embeddings: Embeddings of length 1, (n, d).
            excluded: True where an embedding is no neighbour of a query, (queries, n); None: nowhere.
        """
        scores = self._queries @ embeddings.T
        if excluded is not None:
            scores = np.where(excluded, np.float32(-np.inf), scores)
        numbers = np.arange(self._seen, self._seen + len(embeddings))
        self._seen += len(embeddings)
        all_scores = np.concatenate([self.scores, scores], axis=1)
        all_places = np.concatenate([self.places, np.broadcast_to(numbers, scores.shape)], axis=1)
        order = np.argsort(-all_scores, axis=1, kind="stable")[:, : self._count]
        self.scores = np.take_along_axis(all_scores, order, axis=1)
        places = np.take_along_axis(all_places, order, axis=1)
        self.places = np.where(np.isneginf(self.scores), NOWHERE, places)
