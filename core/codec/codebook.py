"""Learning of the codebook: a k-means start, moving averages, and the revival of dead codes."""

from dataclasses import dataclass

import torch
from torch import Tensor

from core.codec.autoencoder import nearest_rows

_SMOOTHING = 1e-5


@dataclass(frozen=True)
class CodebookSettings:
    """Settings of the codebook's learning.

    van den Oord et al., Neural Discrete Representation Learning, 2017, appendix A.1.
    """

    decay: float = 0.99
    """Share of the averages that each step keeps."""
    revival_share: float = 0.05
    """A code used less than this share of the even use of all codes starts again at a latent of the batch."""
    kmeans_rows: int = 1 << 16
    """Number of latents to which the first codebook is fitted."""
    kmeans_iterations: int = 12
    """Number of Lloyd's iterations of that fit."""


def kmeans(rows: Tensor, clusters: int, iterations: int, generator: torch.Generator) -> Tensor:
    """Return centres (clusters, d) of ``rows`` (n, d), with no cluster left empty.

    k-means++ seeding (Arthur and Vassilvitskii, 2007), then Lloyd's iterations. An empty cluster moves to one
    of the rows farthest from their centres.

    Args:
        rows: Vectors to cluster, (n, d).
        clusters: Number of clusters.
        iterations: Number of Lloyd's iterations.
        generator: Source of the random seeding.

    Raises:
        ValueError: there are fewer rows than clusters.
    """
    if len(rows) < clusters:
        raise ValueError(f"{len(rows)} rows cannot have {clusters} clusters")
    centres = _spread_seeds(rows, clusters, generator)
    for _ in range(iterations):
        centres = _lloyd(rows, centres)
    return centres


def _spread_seeds(rows: Tensor, clusters: int, generator: torch.Generator) -> Tensor:
    first = torch.randint(len(rows), (1,), generator=generator)
    chosen = [rows[first[0]]]
    distances = (rows - chosen[0]).square().sum(dim=1)
    while len(chosen) < clusters:
        # Where all rows are centres already, any row will do.
        weights = distances if bool(distances.any()) else torch.ones_like(distances)
        centre = rows[torch.multinomial(weights, 1, generator=generator)[0]]
        chosen.append(centre)
        distances = torch.minimum(distances, (rows - centre).square().sum(dim=1))
    return torch.stack(chosen)


def _lloyd(rows: Tensor, centres: Tensor) -> Tensor:
    nearest = nearest_rows(rows, centres)
    counts, sums = _occupancy(rows, nearest, len(centres))
    moved = sums / counts.clamp(min=1).unsqueeze(1)
    empty = (counts == 0).nonzero().flatten()
    if len(empty):
        distances = (rows - centres[nearest]).square().sum(dim=1)
        moved[empty] = rows[distances.topk(len(empty)).indices]
    return moved


def _occupancy(rows: Tensor, nearest: Tensor, clusters: int) -> tuple[Tensor, Tensor]:
    """Return the number of rows of each cluster, (clusters,), and their sums, (clusters, d)."""
    counts = torch.bincount(nearest, minlength=clusters).to(rows)
    sums = torch.zeros(clusters, rows.shape[1]).index_add_(0, nearest, rows)
    return counts, sums


class MovingCodebook:
    """Moves a codebook (k, d), in place, to the moving average of the latents that chose each code."""

    def __init__(self, codebook: Tensor, settings: CodebookSettings, generator: torch.Generator) -> None:
        """Begin with averages that give the codebook as it is.

        Args:
            codebook: Codebook of the model, float32 (k, d) on the CPU, which is changed in place.
            settings: Decay of the averages, threshold of revival, and settings of the k-means start.
            generator: Source of the random seeds of k-means, and of the latents at which dead codes start again.
        """
        self._codebook = codebook
        self._settings = settings
        self._generator = generator
        self._counts = torch.ones(len(codebook))
        self._sums = codebook.detach().clone()

    @torch.no_grad()
    def start(self, rows: Tensor) -> None:
        """Start all codes at the k-means centres of ``rows``, latents (n, d)."""
        centres = kmeans(rows, len(self._codebook), self._settings.kmeans_iterations, self._generator)
        self._codebook.copy_(centres)
        self._counts.fill_(1.0)
        self._sums.copy_(centres)

    @torch.no_grad()
    def update(self, rows: Tensor, nearest: Tensor) -> int:
        """Take in the latents of a batch, move the codebook, and return the number of revived codes.

        Args:
            rows: Latents, (n, d).
            nearest: Code that each latent chose, int64 of shape (n,).
        """
        rows = rows.detach()
        counts, sums = _occupancy(rows, nearest, len(self._codebook))
        per_code = len(rows) / len(self._codebook)
        self._counts.lerp_(counts / per_code, 1 - self._settings.decay)
        self._sums.lerp_(sums / per_code, 1 - self._settings.decay)
        revived = self._revive(rows)
        self._codebook.copy_(self._sums / self._counts.clamp(min=_SMOOTHING).unsqueeze(1))
        return revived

    def _revive(self, rows: Tensor) -> int:
        dead = (self._counts < self._settings.revival_share).nonzero().flatten()[: len(rows)]
        if len(dead):
            picks = torch.randperm(len(rows), generator=self._generator)[: len(dead)]
            self._counts[dead] = 1.0
            self._sums[dead] = rows[picks]
        return len(dead)

    def state_dict(self) -> dict[str, Tensor]:
        """Return copies of the averages, ``counts`` of shape (k,) and ``sums`` (k, d).

        The codebook itself belongs to the model.
        """
        return {"counts": self._counts.clone(), "sums": self._sums.clone()}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Restore the averages from ``state``, the result of ``state_dict()``, in the same shapes."""
        self._counts.copy_(state["counts"])
        self._sums.copy_(state["sums"])
