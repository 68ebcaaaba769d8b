"""Weights published by dalle-hivemind's program, imported: our logits beside those of dalle-pytorch 1.6.6 itself.

dalle-pytorch builds the model with the paper's options, as it is trained and as it is optimised for inference, gives
it random weights of which every layer counts, and saves them as dalle-hivemind does. Our import reads that file, and
both compute the logits of one padded caption and one image in float32. Differences are the largest of any logit;
beyond the tolerance nothing is written. Spread is the standard deviation of dalle-pytorch's logits.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

from benchmarks.contestants.worker import ROOT, WorkerError
from benchmarks.contests.options import parser_of
from benchmarks.measuring.report import BenchmarkReport, reporting_errors, rounded
from core.model.config import ModelConfig, preset
from core.published.importing import import_model
from core.published.model_folder import open_model
from core.run.describe import parameter_count

TOLERANCE = 1e-4
"""Largest difference of a logit."""
MODELS = {
    "small": ModelConfig(
        dim=64, depth=9, heads=4, dim_head=16, text_length=16, text_vocab=100, grid=8, image_vocab=64
    ),
    "paper": preset("dalle"),
}


def rows(name: str, config: ModelConfig, python: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each build; both builds must give the same parameters after import."""
    digests = set()
    for build in ("training", "inference"):
        with TemporaryDirectory() as folder:
            _publish(config, build, python, Path(folder))
            expected = load_file(Path(folder) / "logits.safetensors")
            # The paper's own is told by its shapes; nothing is said of it.
            like = None if config == preset("dalle") else config
            document = import_model(Path(folder) / "model_state.pt", Path(folder) / "model", like=like)
            if document.model != config:
                raise WorkerError(f"{name} was taken for {document.model}.", "See core.published.")
            digests.add(document.parameter_digest)
            yield row(name, build, config, expected, _logits(Path(folder) / "model", expected))
    if len(digests) != 1:
        raise WorkerError(f"The builds of {name} were read as different parameters.", "See core.published.")


def _publish(config: ModelConfig, build: str, python: Path, folder: Path) -> None:
    if not python.exists():
        raise WorkerError(
            f"There is no Python at {python}.", "Run `make bench`, which makes what is missing."
        )
    sizes = {
        "dim": config.dim,
        "depth": config.depth,
        "heads": config.heads,
        "dim_head": config.dim_head,
        "text_seq_len": config.text_length,
        "num_text_tokens": config.text_vocab,
        "grid": config.grid,
        "image_vocab": config.image_vocab,
    }
    options = folder / "options.json"
    options.write_text(json.dumps({"sizes": sizes, "for_inference": build == "inference"}))
    subprocess.run(
        [python, "-m", "benchmarks.contestants.dalle_hivemind", options, folder],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
        check=True,
    )


@torch.no_grad()
def _logits(folder: Path, given: dict[str, Tensor]) -> dict[str, Tensor]:
    text, image = open_model(folder).transformer().logits(given["text"], given["codes"])
    return {"text_logits": text, "image_logits": image}


def row(
    name: str, build: str, config: ModelConfig, theirs: dict[str, Tensor], ours: dict[str, Tensor]
) -> dict[str, Any]:
    """Return the differences of the logits of the same input; raise WorkerError beyond the tolerance."""
    differences = {part: float((ours[part] - theirs[part]).abs().max()) for part in ours}
    if not all(difference <= TOLERANCE for difference in differences.values()):  # what is no number is not
        raise WorkerError(f"{name}, {build}: logits differ by {differences}.", "See core.published.")
    return {
        "model": name,
        "build": build,
        "parameters": parameter_count(config),
        "logits": sum(ours[part].numel() for part in ours),
        "difference_of_text": rounded(differences["text_logits"], 2),
        "difference_of_image": rounded(differences["image_logits"], 2),
        "tolerance": TOLERANCE,
        "spread_of_text": rounded(float(theirs["text_logits"].std()), 3),
        "spread_of_image": rounded(float(theirs["image_logits"].std()), 3),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--only", choices=MODELS, help="one of the models")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    chosen = {arguments.only: MODELS[arguments.only]} if arguments.only else MODELS
    report = BenchmarkReport("published", __doc__ or "")
    with reporting_errors():
        found = [one for name, config in chosen.items() for one in rows(name, config, arguments.reference)]
    configs = {name: config.model_dump(mode="json") for name, config in chosen.items()}
    report.write(found, folder=arguments.out, dtype="float32", configs=configs)


if __name__ == "__main__":
    main()
