"""Loads the ranker that a run's manifest, or a published model, names."""

from pathlib import Path

import torch

from core.contact import ClipRanking, Ranking, ScorerRanking
from core.files import resolve_file
from core.ranking.ranker import Arrived, Ranker, within_memory
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
    """The ranker of that description; None without one.

    Whoever generates goes on without one after an error, and says that the pictures are not ranked and why.

    Args:
        base_dir: the folder that the ranker's file is named from.
        tokenizer: the model's own.
        arrived: is told of a download, as it goes; what it raises breaks the download off, to be resumed.
        cache: where models of the Hub are kept; huggingface_hub's own folder if not given.

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
