"""Loads the ranker that a run's manifest, or a published model, names."""

from pathlib import Path

import torch

from core.ranking.arrival import Arrived
from core.ranking.ranker import Ranker, within_memory
from core.run.contact import ClipRanking, Ranking, ScorerRanking
from core.storage.files import resolve_file
from core.text import CaptionTokenizer


@within_memory()
def load_ranker(
    ranking: Ranking | None,
    base_dir: Path,
    tokenizer: CaptionTokenizer,
    *,
    device: torch.device | str = "cpu",
    arrived: Arrived = lambda done, total: None,
    cache: Path | None = None,
) -> Ranker | None:
    """Return the ranker that ``ranking`` describes; None without a description.

    After an error the caller goes on without a ranker, and tells people that the pictures are not ranked and
    why.

    Args:
        ranking: Description in a run's manifest or a published model.
        base_dir: Folder that the ranker's file is named from.
        tokenizer: The model's own.
        device: Device that the ranker computes on.
        arrived: Called with the bytes of a download that have arrived and their total; an error that it
            raises breaks the download off, to be resumed later.
        cache: Folder for models of the Hub; None: huggingface_hub's own folder.

    Raises:
        RankingError: the model cannot be had or cannot be used.
        ManifestError: the ranker's file is missing or another.
    """
    match ranking:
        case None:
            return None
        case ClipRanking(repo=repo, revision=revision):
            # Imported here because its library takes seconds, and most runs of volunteers never rank.
            from core.ranking.clip import ClipRanker
            from core.ranking.hub import ModelFiles

            return ClipRanker.load(ModelFiles(repo, revision, cache).bring(arrived), device)
        case ScorerRanking(weights=weights):
            from core.ranking.scorer import ScorerRanker

            return ScorerRanker.load(resolve_file(weights, base_dir), tokenizer, device)
