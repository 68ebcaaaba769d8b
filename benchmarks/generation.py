"""Speed of drawing images: our decoder against dalle-pytorch 1.6.6 with its cache repaired, in one run.

Both have the same weights, prompts and codes. The codes are given, and for each of them both must find the same
logits, or nothing is measured; what each draws from those, of the likeliest 256, is in its time all the same. They
decode in turns, a row of the image at a time, with one thread each. Speeds are codes of all images per second of
processor time (on a GPU, which the processor waits for, of time), without the reading of the text.

At 32 x 32 codes dalle-pytorch takes seconds for a code, so of it only the first rows are timed, where its caches are
shortest: later codes cost it more, and ours are timed to the last, so the ratio is a lower bound. Seconds for whole
images count its missing rows as fast as those.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from benchmarks.contestants.worker import Worker, WorkerError
from benchmarks.contests.cases import MID16, MID32, TINY, dalle_pytorch_options
from benchmarks.contests.contest import REFERENCE
from benchmarks.contests.options import chosen_cases, chosen_precisions, race_parser_of
from benchmarks.measuring.report import BenchmarkReport, reporting_errors, rounded
from benchmarks.measuring.timing import Duration
from benchmarks.training import reached
from core.model.config import ModelConfig

OURS = "idlebrush"
TOLERANCE = {"highest": 1e-4, "medium": 5e-2}
"""Largest difference of logits; at "medium" some processors multiply in bfloat16."""


@dataclass(frozen=True)
class DrawingCase:
    """A model, and the images that it draws."""

    name: str
    config: ModelConfig
    prompts: int
    images: int
    """Images of each prompt."""
    their_rows: int
    """Rows of the images that dalle-pytorch draws."""
    goals: Mapping[str, float] = field(default_factory=dict)
    """Factor over dalle-pytorch's codes per second, by device."""


CASES = {
    case.name: case
    for case in (
        DrawingCase("mid16", MID16, prompts=1, images=16, their_rows=16, goals={"cpu": 18.0, "cuda": 15.0}),
        DrawingCase("mid16 x 16 prompts", MID16, prompts=16, images=1, their_rows=2),
        DrawingCase("mid16 x 1 image", MID16, prompts=1, images=1, their_rows=4),
        DrawingCase("mid32", MID32, prompts=1, images=16, their_rows=1, goals={"cpu": 60.0, "cuda": 15.0}),
        # Is not measured unless asked for: it shows in seconds that all works.
        DrawingCase("tiny", TINY, prompts=2, images=2, their_rows=4),
    )
}
DEFAULT = ("mid16", "mid16 x 16 prompts", "mid16 x 1 image", "mid32")


@dataclass
class DrawingSide:
    """Measurements of one contestant."""

    text: Duration
    """Duration of reading the prompts."""
    rows: list[Duration] = field(default_factory=list)
    codes: int = 0
    """Codes of each image in all of the rows."""

    @property
    def of_code(self) -> Duration:
        """Return the mean time for the next code of all images."""
        return Duration(
            sum(row.wall for row in self.rows) / self.codes, sum(row.cpu for row in self.rows) / self.codes
        )


@dataclass
class DrawingContest:
    """Measurements of a case at one precision."""

    case: DrawingCase
    precision: str
    sides: dict[str, DrawingSide]
    deviation: float = 0.0
    """Largest difference of any logit."""
    device: str = "cpu"

    @property
    def codes(self) -> int:
        """Number of codes of each image that are decoded; no code is computed from the last one."""
        return self.case.config.image_length - 1


def hold(case: DrawingCase, precision: str, reference: Path, device: str) -> DrawingContest:
    """Decode in turns; raise WorkerError as soon as logits differ."""
    with TemporaryDirectory() as name, _workers(case, reference, device, Path(name)) as started:
        folder = Path(name)
        _write_given(case, folder / "given.safetensors")
        asked = {"path": str(folder / "given.safetensors"), "precision": precision}
        sides = {
            side: DrawingSide(Duration(**worker.ask("begin", **asked))) for side, worker in started.items()
        }
        contest = DrawingContest(case, precision, sides, device=device)
        for row in range(case.config.grid):
            _decode_row(contest, row, started, folder)
    return contest


def _decode_row(contest: DrawingContest, row: int, started: dict[str, Worker], folder: Path) -> None:
    grid, both = contest.case.config.grid, row < contest.case.their_rows
    count = min(grid, contest.codes - row * grid)
    for name, worker in started.items():
        if both or name == OURS:
            path = str(folder / f"{name}.safetensors") if both else None
            side = contest.sides[name]
            side.rows.append(Duration(**worker.ask("decode", count=count, path=path)))
            side.codes += count
    if both:
        found = [load_file(folder / f"{name}.safetensors")["logits"] for name in started]
        farthest = (found[0] - found[1]).abs().max()
        # unlike Python's, torch's maximum keeps what is not a number
        contest.deviation = float(farthest.maximum(torch.tensor(contest.deviation)))
        insist(contest)


def insist(contest: DrawingContest) -> None:
    """Raise WorkerError if logits differ by more than the tolerance, or are NaN."""
    if contest.deviation <= TOLERANCE[contest.precision]:
        return
    raise WorkerError(
        f"At {contest.case.name}, {contest.precision}, logits differ from dalle-pytorch's by "
        f"{contest.deviation:.1e}.",
        "A comparison of speed would mean nothing: find out what differs.",
    )


@contextmanager
def _workers(case: DrawingCase, reference: Path, device: str, folder: Path) -> Iterator[dict[str, Worker]]:
    """Start dalle-pytorch, which makes the weights, then ours."""
    weights = folder / "weights.safetensors"
    with ExitStack() as stack:
        started = {}
        for name, python, module, options in (
            (REFERENCE, reference, "dalle_pytorch_decoding", dalle_pytorch_options(case.config)),
            (
                OURS,
                Path(sys.executable),
                "idlebrush_decoding",
                {"config": case.config.model_dump(mode="json")},
            ),
        ):
            file = folder / f"{name}.json"
            file.write_text(json.dumps({**options, "device": device}))
            worker = stack.enter_context(Worker(python, f"benchmarks.contestants.{module}", file, weights))
            worker.ask("ready")  # answered once its model is there: the weights are, then
            started[name] = worker
        yield started


def _write_given(case: DrawingCase, path: Path) -> None:
    """Write random prompts and codes, the same each time."""
    generator, config = torch.Generator().manual_seed(0), case.config
    text = torch.randint(1, config.text_vocab, (case.prompts, config.text_length), generator=generator)
    shape = (case.prompts * case.images, config.image_length)
    codes = torch.randint(config.image_vocab, shape, generator=generator)
    save_file({"text": text, "codes": codes}, path)


def row_of(contest: DrawingContest) -> dict[str, Any]:
    """Return a row of the table."""
    case, ours, theirs = contest.case, contest.sides[OURS], contest.sides[REFERENCE]
    images = case.prompts * case.images

    def seconds(taken: Duration) -> float:
        return taken.cpu if contest.device == "cpu" else taken.wall

    code, their_code = seconds(ours.of_code), seconds(theirs.of_code)
    return {
        "model": case.name,
        "float32": contest.precision,
        "prompts": case.prompts,
        "images": images,
        "codes_/_s": rounded(images / code),
        "theirs": rounded(images / their_code),
        "ratio": rounded(their_code / code, 3),
        "wall_ratio": rounded(theirs.of_code.wall / ours.of_code.wall, 3),
        "goal": reached(their_code / code, case.goals.get(contest.device)),
        "text_s": rounded(seconds(ours.text), 3),
        "their_text_s": rounded(seconds(theirs.text), 3),
        "images_s": rounded(seconds(ours.text) + contest.codes * code, 3),
        "their_images_s": rounded(seconds(theirs.text) + contest.codes * their_code, 3),
        "deviation": rounded(contest.deviation, 2),
    }


def main() -> None:
    parser = race_parser_of(__doc__, CASES, DEFAULT)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda was not tried yet")
    arguments = parser.parse_args()
    chosen = chosen_cases(parser, arguments, CASES)
    with reporting_errors():
        run([CASES[name] for name in chosen], arguments)


def run(cases: list[DrawingCase], arguments: argparse.Namespace) -> None:
    """Measure the cases one after the other, and write the results."""
    name = "generation" if arguments.device == "cpu" else f"generation_{arguments.device}"
    report = BenchmarkReport(name, __doc__ or "")
    contests = [
        hold(case, precision, arguments.reference, arguments.device)
        for case in cases
        for precision in chosen_precisions(arguments)
    ]
    report.write(
        [row_of(contest) for contest in contests],
        folder=arguments.out,
        threads=1,
        dtype="float32",
        tolerance=TOLERANCE,
        their_rows={case.name: case.their_rows for case in cases},
        cases={case.name: case.config.model_dump(mode="json") for case in cases},
    )


if __name__ == "__main__":
    main()
