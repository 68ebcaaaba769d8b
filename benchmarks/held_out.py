"""Measures what a trained model of the embedded run memorised, and how it generalises to unseen combinations.

*loss* is the mean cross-entropy of pictures' codes, given captions, in nats per code, and *over own* by how much it
exceeds that of the same pictures under their own captions: zero if the model ignored captions. Errors are standard
errors over rows. The shares tell of drawings, by the picture that each is nearest to (distance of pixels) among those
of all rows, held-out ones included: *picture* is the very one asked for, *thing* the right gesture or shape,
*attribute* the right skin tone or colour. A remembered variant has the right thing: only *picture* shows that thing
and attribute were newly combined.
"""

import argparse
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor

from assets.embedded.recipe.combination import Combination
from benchmarks.measuring.reference_gallery import EvaluationRows, ReferenceGallery
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors, rounded
from client.demo.folder import DemoFolder
from core.codec.vqgan import ImageCodec, load_codec
from core.data.shard_file import iterate_codes
from core.digest import digest
from core.errors import CheckpointError, DataError
from core.generation.drawing import draw_codes
from core.generation.evaluate import image_losses
from core.generation.sheet import save_sheet
from core.messages.sampling import Sampling
from core.model.transformer import Transformer
from core.run.filters import drop_reason
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.storage import checkpoint
from core.storage.files import resolve_file
from core.text import CaptionTokenizer

_ROOT = Path(__file__).parent.parent
SETS = _ROOT / "assets" / "embedded" / "recipe" / "sets.toml"
SHEET = _ROOT / "docs" / "pictures" / "held-out.png"
DRAWINGS = 2
"""Drawings of each caption."""


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

    @classmethod
    def load(cls, folder: DemoFolder) -> Self:
        """Load the run; raise CoreError if a file is missing, damaged, or of another run."""
        manifest, base = RunManifest.load(folder.manifest), folder.manifest.parent
        rules = manifest.training
        saved = checkpoint.load(folder.peer(0) / "checkpoint")
        if saved.training_digest != manifest.training_digest:
            raise CheckpointError(
                f"The checkpoint in {folder.root} is of another run than {folder.manifest}.",
                "Give the folder of a demo as the demo left it.",
            )
        model = Transformer(rules.model)
        model.load_state_dict(dict(saved.parameters))
        codec = load_codec(resolve_file(rules.codec.config, base), resolve_file(rules.codec.weights, base))
        rows, tokenizer = read_rows(rules, base), _tokenizer(rules, base)
        return cls(model, codec, tokenizer, rows, saved.epoch, digest(saved.parameters), saved.run)


def _tokenizer(rules: TrainingRules, base: Path) -> CaptionTokenizer:
    text = rules.text
    return CaptionTokenizer.load(
        resolve_file(text.tokenizer, base), length=text.length, eos_id=text.eos_id, pad_id=text.pad_id
    )


def read_rows(rules: TrainingRules, base: Path) -> EvaluationRows:
    """Return the rows that the run trains on, then those it holds out."""
    if rules.data.heldout is None or not rules.data.shards:
        raise DataError(f"The run {rules.name} holds nothing out.", "Measure a run of `idlebrush demo`.")
    seen = [row for ref in rules.data.shards for row in _kept(resolve_file(ref, base), rules)]
    heldout = _kept(resolve_file(rules.data.heldout, base), rules)
    captions = tuple(caption for caption, _ in seen + heldout)
    shapes = tomllib.loads(SETS.read_text())["shapes"]
    combinations = tuple(Combination.parse(caption, shapes) for caption in captions)
    return EvaluationRows(
        captions, torch.stack([codes for _, codes in seen + heldout]), combinations, len(heldout)
    )


def _kept(shard: Path, rules: TrainingRules) -> list[tuple[str, Tensor]]:
    return [
        (row.caption, torch.from_numpy(codes))
        for row, codes in iterate_codes(shard, rules.model.grid, rules.model.image_vocab)
        if drop_reason(row.caption, row.nsfw, row.original_width, row.original_height, rules.data.filters)
        is None
    ]


class DrawingComparison:
    """Draws the captions once, and compares the drawings with the pictures of any rows."""

    def __init__(self, trained: Trained, drawings: int, seed: int) -> None:
        self._trained, self._drawings, self._seed = trained, drawings, seed
        self.rows = trained.rows
        self.gallery = ReferenceGallery(trained.rows, trained.codec)

    def draw(self, captions: Sequence[int]) -> Tensor:
        """Return codes (rows * drawings, grid * grid): all drawings of one row's caption, then the next's."""
        sampling = Sampling(seed=self._seed)
        return draw_codes(self._trained.model, self._text(captions), sampling, self._drawings).flatten(1)

    def line(
        self, asked: str, captions: Sequence[int], targets: Sequence[int], nearest: Tensor | None
    ) -> dict[str, Any]:
        """Return one line of the table: the targets' pictures, and drawings, if any, under rows' captions."""
        losses = self._losses(captions, targets)
        over_own = losses - (losses if captions == targets else self._losses(targets, targets))
        return {
            "asked": asked,
            "rows": len(targets),
            "loss": rounded(float(losses.mean())),
            "error": rounded(_standard_error(losses), 2),
            "over_own": rounded(float(over_own.mean()), 3),
            "over_own_error": rounded(_standard_error(over_own), 2),
            **self.shares(targets, nearest),
        }

    def shares(self, targets: Sequence[int], nearest: Tensor | None) -> dict[str, Any]:
        if nearest is None:
            return dict.fromkeys(("picture", "thing", "attribute"), "")
        each = [row for row in targets for _ in range(self._drawings)]
        return {
            name: rounded(share, 3) for name, share in asdict(self.gallery.likeness(nearest, each)).items()
        }

    def blind_line(self, targets: Sequence[int]) -> dict[str, Any]:
        """Return the line of a model that knows nothing: all codes, and all pictures, are equally likely."""
        nearest = self.gallery.anywhere(len(targets) * self._drawings)
        return {
            "asked": "chance",
            "rows": len(targets),
            "loss": rounded(log(self._trained.model.config.image_vocab)),
            **dict.fromkeys(("error", "over_own", "over_own_error"), 0.0),
            **self.shares(targets, nearest),
        }

    def _losses(self, captions: Sequence[int], targets: Sequence[int]) -> Tensor:
        codes = self.rows.codes[list(targets)]
        return image_losses(self._trained.model, self._text(captions), codes)

    def _text(self, captions: Sequence[int]) -> Tensor:
        return self._trained.tokenizer.encode([self.rows.captions[row] for row in captions])


def _standard_error(values: Tensor) -> float:
    return float(values.std() / len(values) ** 0.5)


def measure(examination: DrawingComparison, of_heldout: Tensor) -> list[dict[str, Any]]:
    """Return the table; ``of_heldout`` are the rows nearest to the held-out captions' drawings."""
    rows, line = examination.rows, examination.line
    heldout, seen, variants, strangers = rows.heldout_rows, rows.seen_rows, rows.variants(), rows.strangers()
    of_variants = examination.gallery.nearest(examination.draw(variants))
    places = [heldout.index(row) for row in strangers]
    of_strangers = of_heldout.view(len(heldout), -1, len(rows.captions))[places].flatten(0, 1)
    strange_variants = [variants[place] for place in places]
    return [
        line("seen, all", seen, seen, None),
        line("seen variants of the held-out", variants, variants, of_variants),
        line("seen variants, caption of a stranger", strange_variants, variants, None),
        line("held-out", heldout, heldout, of_heldout),
        line("held-out, caption of a seen variant", variants, heldout, of_variants),
        line("held-out, caption of a stranger", strangers, heldout, of_strangers),
        examination.blind_line(heldout),
    ]


def save_held_out(trained: Trained, drawn: Tensor, nearest: Tensor, path: Path) -> None:
    """Save pairs: a held-out caption's picture, as the codec decodes it, and its first drawing."""
    rows, grid = trained.rows, trained.model.config.grid
    drawings = len(drawn) // rows.heldout
    shown = torch.stack([rows.codes[rows.heldout_rows], drawn[::drawings]], dim=1).view(-1, grid, grid)
    labels = []
    for row, like in zip(rows.heldout_rows, nearest[::drawings].argmax(dim=1).tolist(), strict=True):
        labels += [rows.captions[row], "drawn" if like == row else f"drawn, like {rows.captions[like]}"]
    save_sheet(trained.codec.decode(shown), labels, path, columns=8)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--run", type=Path, required=True, help="folder of a demo: idlebrush demo --out FOLDER"
    )
    parser.add_argument("--drawings", type=int, default=DRAWINGS, help="of each caption")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--sheet", type=Path, default=SHEET, help="where the pictures go")
    arguments = parser.parse_args()
    if arguments.drawings < 1:
        parser.error("--drawings must be at least 1")
    with reporting_errors():
        examine(arguments)


def examine(arguments: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    report = BenchmarkReport("held_out", __doc__ or "")
    trained = Trained.load(DemoFolder(arguments.run))
    examination = DrawingComparison(trained, arguments.drawings, arguments.seed)
    drawn = examination.draw(trained.rows.heldout_rows)
    nearest = examination.gallery.nearest(drawn)
    report.write(
        measure(examination, nearest),
        folder=arguments.out,
        run=trained.run,
        epoch=trained.epoch,
        parameter_digest=trained.digest,
        drawings_of_each_caption=arguments.drawings,
        sampling=Sampling(seed=arguments.seed).model_dump(),
    )
    save_held_out(trained, drawn, nearest, arguments.sheet)
    print(f"{trained.run}, epoch {trained.epoch}; pictures: {arguments.sheet}")


if __name__ == "__main__":
    main()
