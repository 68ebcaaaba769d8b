"""Tests whether the embedded run's scorer finds the right picture, and if its preferred drawings are better.

*pictures* are those of the run's rows as the codec shows them: how often a caption's own is scored highest *among* so
many, the others drawn from *any* rows, or from those *alike*, which share its thing or its attribute (the gesture in
another skin tone, another shape in the colour). Shares are exact over all draws of the others; errors are standard
errors over captions. *drawings* are what a trained model makes of a caption, by the picture of all rows that each is
nearest to in pixels, which the scorer has no part in: how often that is the *right* one, and the *distance* of the
drawing from the right one (root mean square of pixels in [0, 1]); of all drawings, of those that rank best, and of
the best that there are. The scorer was trained on pictures of captions that were seen, and on no held-out one.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.held_out import Trained
from benchmarks.measuring.reference_gallery import EvaluationRows, ReferenceGallery
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from client.demo.folder import DemoFolder
from core.errors import RankingError
from core.generation.drawing import draw_codes, guided_text
from core.messages.sampling import Sampling
from core.ranking.choose import load_ranker
from core.ranking.ranker import Ranker, best
from core.run.manifest import RunManifest

AMONG = (4, 16)
DRAWINGS, KEPT = 128, 4
"""Drawings of each caption, and those that are kept, as in the paper (section 3.1)."""
CHOICES = (f"all {DRAWINGS}", f"best {KEPT} by rank", f"best {KEPT} there are")
CAPTIONS = 40
"""Captions of each set that are drawn."""
_DECODED_TOGETHER = 64


@dataclass(frozen=True)
class Examined:
    """A trained run, the pictures of its rows (rows, 3, height, width), and the scorer that ranks them."""

    trained: Trained
    pictures: Tensor
    ranker: Ranker

    @classmethod
    def load(cls, folder: DemoFolder) -> "Examined":
        trained, manifest = Trained.load(folder), RunManifest.load(folder.manifest)
        ranker = load_ranker(manifest.contact.ranking, folder.manifest.parent, trained.tokenizer)
        if ranker is None:
            raise RankingError(f"The run in {folder.root} names no ranker.", "Make a new demo.")
        return cls(trained, _decode(trained, trained.rows.codes), ranker)

    @property
    def rows(self) -> EvaluationRows:
        return self.trained.rows


def _decode(trained: Trained, codes: Tensor) -> Tensor:
    grid = trained.model.config.grid
    return torch.cat(
        [trained.codec.decode(part) for part in codes.view(-1, grid, grid).split(_DECODED_TOGETHER)]
    )


def found(examined: Examined, captions: Sequence[int]) -> list[dict[str, Any]]:
    """Return how often captions' pictures rank first: a line for each kind and number of others."""
    rows, pictures = examined.rows, examined.pictures
    scores = {row: examined.ranker.scores(rows.captions[row], pictures) for row in captions}
    lines = []
    for alike in (False, True):
        for among in AMONG:
            shares = [first_share(scores[row], row, _others(rows, row, alike), among) for row in captions]
            if known := [share for share in shares if share is not None]:
                kinds = {"captions": _kind(rows, captions), "others": "alike" if alike else "any"}
                lines.append(
                    {**kinds, "among": among, "chance": rounded(1 / among, 3), **_mean("right_first", known)}
                )
    return lines


def first_share(scores: Tensor, row: int, others: Sequence[int], among: int) -> float | None:
    """Return the share of draws in which a row's score beats ``among - 1`` others; None with too few."""
    if len(others) < among - 1:
        return None
    worse = int((scores[list(others)] < scores[row]).sum())
    return comb(worse, among - 1) / comb(len(others), among - 1)


def _others(rows: EvaluationRows, row: int, alike: bool) -> list[int]:
    """Return the rows with another picture; if ``alike``, only those with the same thing or attribute."""
    wanted, different = rows.combinations[row], (rows.codes != rows.codes[row]).any(dim=1)
    return [
        other
        for other, combination in enumerate(rows.combinations)
        if different[other]
        and (
            not alike
            or combination.thing == wanted.thing
            or (wanted.attribute != "" and combination.attribute == wanted.attribute)
        )
    ]


def drawn(examined: Examined, captions: Sequence[int], sampling: Sampling) -> list[dict[str, Any]]:
    """Return the quality of drawings of the captions: all, those that rank best, and the best of all."""
    gallery = ReferenceGallery(examined.rows, examined.trained.codec)
    goods = [_goods(examined, gallery, row, sampling) for row in captions]
    return [
        {
            "captions": _kind(examined.rows, captions),
            "drawings": choice,
            **_mean("right", [right[choice] for right, _ in goods]),
            **_mean("distance", [distance[choice] for _, distance in goods]),
        }
        for choice in CHOICES
    ]


def _goods(
    examined: Examined, gallery: ReferenceGallery, row: int, sampling: Sampling
) -> tuple[dict[str, float], dict[str, float]]:
    """Return a caption's share of drawings nearest to its picture, and their distance from it, by choice."""
    trained, rows = examined.trained, examined.rows
    text = trained.tokenizer.encode([rows.captions[row]])
    asked = guided_text(text, trained.tokenizer.encode([""]), sampling)
    codes = draw_codes(trained.model, asked, sampling, images_per_prompt=DRAWINGS).flatten(1)
    images = _decode(trained, codes)
    right = gallery.nearest(codes)[:, (rows.codes == rows.codes[row]).all(dim=1)].sum(dim=1)
    distance = (images - examined.pictures[row]).square().mean(dim=(1, 2, 3)).sqrt()
    levels = (images * 255).round()
    ranked = best(examined.ranker.scores(rows.captions[row], images), KEPT, list(levels))

    def by_choice(values: Tensor, ideal: Tensor) -> dict[str, float]:
        chosen = (values, values[ranked], ideal)
        return {choice: float(some.mean()) for choice, some in zip(CHOICES, chosen, strict=True)}

    return (
        by_choice(right, right.topk(KEPT).values),
        by_choice(distance, distance.topk(KEPT, largest=False).values),
    )


def _kind(rows: EvaluationRows, captions: Sequence[int]) -> str:
    return "held-out" if set(captions) <= set(rows.heldout_rows) else "seen"


def _mean(name: str, values: Sequence[float]) -> dict[str, Any]:
    each = torch.tensor(values)
    error = float(each.std() / len(each) ** 0.5)
    return {"rows": len(each), name: rounded(float(each.mean()), 3), f"{name}_error": rounded(error, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--run", type=Path, required=True, help="folder of a demo: idlebrush demo --out FOLDER"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    with reporting_errors():
        examine(arguments)


def examine(arguments: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    pictures, drawings = (
        BenchmarkReport("ranking_pictures", __doc__ or ""),
        BenchmarkReport("ranking_drawings", __doc__ or ""),
    )
    examined = Examined.load(DemoFolder(arguments.run))
    rows, trained = examined.rows, examined.trained
    sampling = Sampling(seed=arguments.seed, guidance=trained.guidance)
    chance = random.Random(arguments.seed)
    seen = chance.sample(rows.seen_rows, CAPTIONS)
    heldout = chance.sample(rows.heldout_rows, min(CAPTIONS, rows.heldout))
    about = {
        "run": trained.run,
        "epoch": trained.epoch,
        "parameter_digest": trained.digest,
        "seed": arguments.seed,
    }
    pictures.write(
        [line for captions in (seen, heldout) for line in found(examined, captions)],
        folder=arguments.out,
        **about,
    )
    drawings.write(
        [line for captions in (seen, heldout) for line in drawn(examined, captions, sampling)],
        folder=arguments.out,
        sampling=sampling.model_dump(),
        **about,
    )


if __name__ == "__main__":
    main()
