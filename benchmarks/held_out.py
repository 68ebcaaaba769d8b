"""Measures how a trained model of the starter run combines: what it draws for captions that it never saw.

A classifier reads each drawing (`benchmarks.measuring.scene_classifier`): *thing* and *attribute* are the shares
whose thing, and all else that the caption says, are right; *both* those without any fault. The classifier learned
from pictures of all scenes that the recipe can compose, but for those that are asked for here: it knows a blue panda
on red, and was never shown the blue panda alone. The lines of real pictures tell how far it can be believed. *loss*
is the mean cross-entropy of the pictures' codes, given their captions, in nats per code. *chance* is what a picture
of the training set, drawn by lot, would have right. Errors are standard errors over drawings.
"""

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from assets.embedded.recipe.combination import combination_of
from assets.embedded.recipe.compose import Composer
from assets.embedded.recipe.scenes import ComposedScene, SceneGrammar, SceneKind
from benchmarks.measuring.reference_gallery import EvaluationRows
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from benchmarks.measuring.scene_classifier import SceneParts, decode, train_classifier
from client.demo.folder import DemoFolder
from core.codec.vqgan import ImageCodec, load_codec
from core.data.shard_file import iterate_codes
from core.digest import digest
from core.errors import CheckpointError, DataError
from core.families.text_to_image.rules import TextToImageRules
from core.generation.drawing import draw_codes, guided_text
from core.generation.evaluate import image_losses
from core.generation.sheet import save_sheet
from core.messages.sampling import Sampling
from core.model.transformer import Transformer
from core.run.filters import drop_reason
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage import checkpoint
from core.storage.files import resolve_file
from core.text import CaptionTokenizer

SHEET = Path(__file__).parent.parent / "docs" / "pictures" / "held-out.png"
DRAWINGS = 2
"""Drawings of each caption."""
SEEN = 200
"""Captions of the training set that are drawn as well."""
_DRAWN_TOGETHER = 64
_PAIRS = 2_500
"""Pairs from which the classifier learns."""
_PASSES = 4
"""Passes of the classifier over its pictures."""


@dataclass(frozen=True)
class Trained:
    """A run as a demo left it."""

    model: Transformer
    codec: ImageCodec
    tokenizer: CaptionTokenizer
    rows: EvaluationRows
    epoch: int
    digest: str
    run: str
    guidance: float
    """Guidance of the run's sample prompts."""

    @classmethod
    def load(cls, folder: DemoFolder) -> Self:
        """Load the run; raise CoreError if a file is missing, damaged, or of another run."""
        manifest, base = RunManifest.load(folder.manifest), folder.manifest.parent
        rules = picture_rules(manifest.training)
        saved = checkpoint.load(folder.peer(0) / "checkpoint")
        if saved.training_digest != manifest.training_digest:
            raise CheckpointError(
                f"The checkpoint in {folder.root} is of another run than {folder.manifest}.",
                "Give the folder of a demo as the demo left it.",
            )
        model = Transformer(rules.model)
        model.load_state_dict(dict(saved.parameters))
        codec = load_codec(resolve_file(rules.codec.config, base), resolve_file(rules.codec.weights, base))
        rows, tokenizer = read_rows(rules, base), CaptionTokenizer.of_run(rules.text, base)
        guidance = rules.data.usual_guidance
        return cls(model, codec, tokenizer, rows, saved.epoch, digest(saved.parameters), saved.run, guidance)


def read_rows(rules: TextToImageRules, base: Path) -> EvaluationRows:
    """Return the rows that the run trains on, then those it holds out."""
    if rules.data.heldout is None or not rules.data.shards:
        raise DataError(f"The run {rules.name} holds nothing out.", "Measure a run of `idlebrush demo`.")
    seen = [row for ref in rules.data.shards for row in _kept(resolve_file(ref, base), rules)]
    heldout = _kept(resolve_file(rules.data.heldout, base), rules)
    captions = tuple(caption for caption, _ in seen + heldout)
    grammar = SceneGrammar.load()
    combinations = tuple(combination_of(caption, grammar) for caption in captions)
    return EvaluationRows(
        captions, torch.stack([codes for _, codes in seen + heldout]), combinations, len(heldout)
    )


def _kept(shard: Path, rules: TextToImageRules) -> list[tuple[str, Tensor]]:
    return [
        (row.caption, torch.from_numpy(codes))
        for row, codes in iterate_codes(shard, rules.model.grid, rules.model.image_vocab)
        if drop_reason(row.caption, row.nsfw, row.original_width, row.original_height, rules.data.filters)
        is None
    ]


@dataclass(frozen=True)
class Lessons:
    """Scenes from which the classifier learns, with their codes, int64 (scenes, grid, grid)."""

    scenes: Sequence[ComposedScene]
    codes: Tensor

    @classmethod
    def of(cls, emoji: Path, asked: Sequence[ComposedScene], codec: ImageCodec, seed: int) -> Self:
        """Compose scenes that are not ``asked`` for, out of the folder ``emoji`` that the recipe's fetch_emoji made.

        Of the pairs, which are half of all scenes, only some are taken.
        """
        grammar = SceneGrammar.load()
        captions = {scene.captions[0] for scene in asked}
        others = [scene for scene in grammar.scenes() if scene.captions[0] not in captions]
        pairs = [scene for scene in others if scene.kind is SceneKind.PAIRS]
        chosen = [scene for scene in others if scene.kind is not SceneKind.PAIRS]
        chosen += random.Random(seed).sample(pairs, _PAIRS)
        composer = Composer(grammar, emoji)
        pictures = (torch.from_numpy(np.array(composer.draw(scene))) for scene in chosen)
        encoded = [codec.encode(torch.stack(part).permute(0, 3, 1, 2) / 255) for part in _batches(pictures)]
        return cls(chosen, torch.cat(encoded))


def _batches(pictures: Iterable[Tensor]) -> Iterator[list[Tensor]]:
    remaining = iter(pictures)
    while part := list(islice(remaining, _DRAWN_TOGETHER)):
        yield part


class DrawingExamination:
    """Draws captions of rows, and has a classifier say what the drawings show."""

    def __init__(
        self,
        trained: Trained,
        scenes: Sequence[ComposedScene],
        lessons: "Lessons",
        sampling: Sampling,
        drawings: int,
    ) -> None:
        """Train the classifier.

        Args:
            trained: The run.
            scenes: What the picture of each row shows.
            lessons: Pictures from which the classifier learns.
            sampling: How codes are drawn.
            drawings: Drawings of each caption.
        """
        self._trained, self._scenes, self._sampling, self.drawings = trained, scenes, sampling, drawings
        self._judge = train_classifier(lessons.scenes, lessons.codes, trained.codec, passes=_PASSES)

    def draw(self, rows: Sequence[int]) -> Tensor:
        """Return codes (rows * drawings, grid, grid): all drawings of one row's caption, then the next's."""
        text, empty = self._text(rows), self._trained.tokenizer.encode([""])
        return torch.cat(
            [
                draw_codes(
                    self._trained.model,
                    guided_text(part, empty, self._sampling),
                    self._sampling,
                    self.drawings,
                )
                for part in text.split(_DRAWN_TOGETHER)
            ]
        )

    def read(self, codes: Tensor) -> list[SceneParts]:
        """Return what pictures of those codes (n, grid, grid) show, by the classifier."""
        return self._judge.read(decode(self._trained.codec, codes))

    def line_of_pictures(self, asked: str, rows: Sequence[int]) -> dict[str, Any]:
        """Return the line of the rows' own pictures."""
        losses = image_losses(self._trained.model, self._text(rows), self._trained.rows.codes[list(rows)])
        shares = self._shares(rows, self.read(self._codes(rows)))
        return {"asked": asked, "rows": len(rows), "loss": rounded(float(losses.mean())), **shares}

    def line_of_drawings(
        self, asked: str, rows: Sequence[int], shown: Sequence[SceneParts]
    ) -> dict[str, Any]:
        """Return the line of drawings of the rows' captions, which show ``shown``."""
        each = [row for row in rows for _ in range(self.drawings)]
        return {"asked": asked, "rows": len(rows), "loss": "", **self._shares(each, shown)}

    def line_of_chance(self, rows: Sequence[int], seed: int) -> dict[str, Any]:
        """Return the line of pictures of the training set that are drawn by lot."""
        lots = random.Random(seed).choices(self._trained.rows.seen_rows, k=len(rows) * 50)
        shown = [SceneParts.of(self._scenes[row]) for row in lots]
        each = [row for row in rows for _ in range(50)]
        return {"asked": "chance", "rows": len(rows), "loss": "", **self._shares(each, shown)}

    def _shares(self, rows: Sequence[int], shown: Sequence[SceneParts]) -> dict[str, Any]:
        wanted = [SceneParts.of(self._scenes[row]) for row in rows]
        thing = [one.thing == other.thing for one, other in zip(wanted, shown, strict=True)]
        attribute = [one.attribute == other.attribute for one, other in zip(wanted, shown, strict=True)]
        both = [one and other for one, other in zip(thing, attribute, strict=True)]
        found = {"thing": thing, "attribute": attribute, "both": both}
        shares = {name: rounded(sum(right) / len(right), 3) for name, right in found.items()}
        return shares | {"error": rounded((0.25 / len(both)) ** 0.5, 2)}

    def _codes(self, rows: Sequence[int]) -> Tensor:
        grid = self._trained.model.config.grid
        return self._trained.rows.codes[list(rows)].view(-1, grid, grid)

    def _text(self, rows: Sequence[int]) -> Tensor:
        return self._trained.tokenizer.encode([self._trained.rows.captions[row] for row in rows])


def scenes_of(rows: EvaluationRows) -> list[ComposedScene]:
    """Return what the picture of each row shows; raise DataError for rows of another run than the starter run."""
    known = SceneGrammar.load().by_caption
    if missing := [caption for caption in rows.captions if caption not in known]:
        raise DataError(
            f'"{missing[0]}" is no scene of the starter run.', "Measure a run of `idlebrush demo`."
        )
    return [known[caption] for caption in rows.captions]


def measure(
    examination: DrawingExamination,
    rows: EvaluationRows,
    scenes: Sequence[ComposedScene],
    shown: list[SceneParts],
    seed: int,
) -> list[dict[str, Any]]:
    """Return the table; ``shown`` is what the drawings of the held-out captions show."""
    heldout, each = rows.heldout_rows, examination.drawings
    seen = random.Random(seed).sample(rows.seen_rows, min(SEEN, len(rows.seen_rows)))
    lines = [
        examination.line_of_pictures("real pictures, seen", seen),
        examination.line_of_pictures("real pictures, held-out", heldout),
        examination.line_of_drawings("seen", seen, examination.read(examination.draw(seen))),
        examination.line_of_drawings("held-out", heldout, shown),
    ]
    for kind in SceneKind:
        places = [place for place, row in enumerate(heldout) if scenes[row].kind is kind]
        if places:
            theirs = [one for place in places for one in shown[place * each : (place + 1) * each]]
            chosen = [heldout[place] for place in places]
            lines.append(examination.line_of_drawings(f"held-out, {kind}", chosen, theirs))
    return [*lines, examination.line_of_chance(heldout, seed)]


def save_held_out(trained: Trained, drawn: Tensor, path: Path) -> None:
    """Save pairs: a held-out caption's picture, as the codec decodes it, and its first drawing."""
    rows, grid = trained.rows, trained.model.config.grid
    drawings = len(drawn) // rows.heldout
    own = rows.codes[rows.heldout_rows].view(-1, grid, grid)
    shown = torch.stack([own, drawn[::drawings]], dim=1).view(-1, grid, grid)
    labels = [label for row in rows.heldout_rows for label in (rows.captions[row], "drawn")]
    save_sheet(decode(trained.codec, shown), labels, path, columns=12)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--run", type=Path, required=True, help="folder of a demo: idlebrush demo --out FOLDER"
    )
    parser.add_argument(
        "--emoji",
        type=Path,
        required=True,
        help="folder of emoji: python -m assets.embedded.recipe.fetch_emoji --out FOLDER",
    )
    parser.add_argument("--drawings", type=int, default=DRAWINGS, help="of each caption")
    parser.add_argument("--guidance", type=float, help="instead of that of the run's sample prompts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--sheet", type=Path, default=SHEET, help="where the pictures go")
    arguments = parser.parse_args()
    if arguments.drawings < 1:
        parser.error("--drawings must be at least 1")
    with reporting_errors():
        examine(arguments)


def examine(arguments: argparse.Namespace) -> None:
    report = BenchmarkReport("held_out", __doc__ or "")
    trained = Trained.load(DemoFolder(arguments.run))
    guidance = trained.guidance if arguments.guidance is None else arguments.guidance
    usual = Sampling.of_prompts(trained.model.config.image_vocab, guidance)
    sampling = usual.model_copy(update={"seed": arguments.seed})
    scenes = scenes_of(trained.rows)
    asked = [scenes[row] for row in trained.rows.heldout_rows]
    lessons = Lessons.of(arguments.emoji, asked, trained.codec, arguments.seed)
    examination = DrawingExamination(trained, scenes, lessons, sampling, arguments.drawings)
    drawn = examination.draw(trained.rows.heldout_rows)
    report.write(
        measure(examination, trained.rows, scenes, examination.read(drawn), arguments.seed),
        folder=arguments.out,
        run=trained.run,
        epoch=trained.epoch,
        parameter_digest=trained.digest,
        drawings_of_each_caption=arguments.drawings,
        sampling=sampling.model_dump(),
    )
    save_held_out(trained, drawn, arguments.sheet)
    print(f"{trained.run}, epoch {trained.epoch}; pictures: {arguments.sheet}")


if __name__ == "__main__":
    main()
