"""Sorts prompts of the model that comes with Idlebrush, as `idlebrush evaluate` does, and counts the kinds.

Prompts are the run's sample prompts and twelve captions that it holds out. Those that are *known* are captions of the
training data, and should be realistic or failing; those that are *held out* should be generalising or failing. The
*trial* sorts all held-out pictures as if they were drawings: all of them should be generalising. *own* is the share
of training captions' own pictures that a threshold accepts, *others* the share of other pictures that it refuses.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors
from client.generation.evaluating import EvaluationChoices, run_evaluation
from client.joining.embedded import embedded_run
from client.paths import Paths
from core.evaluation.document import Evaluation, PromptResult
from core.evaluation.separation import Separation
from core.evaluation.sorting import ResultKind

DRAWINGS, PICTURES = 8, 20_000


def rows_of(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the numbers of prompts of each kind, the trial, and the shares of the thresholds."""
    known = [result for result in evaluation.results if result.measured.in_captions]
    held_out = [result for result in evaluation.results if result.is_held_out]
    rows = [_kinds("known", known), _kinds("held out", held_out)]
    if (trial := evaluation.held_out) is not None:
        failing = 1 - trial.generalising - trial.realistic
        shares = {"realistic": trial.realistic, "generalising": trial.generalising, "failing": failing}
        rows.append({"of": "trial", "prompts": trial.captions, **shares})
    thresholds = evaluation.thresholds
    return [
        *rows,
        _shares("margin", thresholds.matching),
        _shares("score", thresholds.related),
        _shares("colours", thresholds.colours),
    ]


def _kinds(of: str, results: list[PromptResult]) -> dict[str, Any]:
    counts = Counter(result.judgement.kind for result in results)
    return {"of": of, "prompts": len(results), **{str(kind): counts[kind] for kind in ResultKind}}


def _shares(of: str, found: Separation) -> dict[str, Any]:
    return {"of": of, "threshold": found.threshold, "own": found.accepted, "others": found.refused}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--drawings", type=int, default=DRAWINGS, help="of each prompt")
    parser.add_argument("--pictures", type=int, default=PICTURES, help="most training pictures")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    with reporting_errors(), tempfile.TemporaryDirectory() as home:
        measure(arguments, Path(home))


def measure(arguments: argparse.Namespace, home: Path) -> None:
    report = BenchmarkReport("sorted_prompts", __doc__ or "")
    choices = EvaluationChoices(
        embedded_run() / "run.toml", None, None, home / "out", arguments.drawings, arguments.pictures, seed=0
    )
    found = run_evaluation(
        choices, Paths.of_user({"IDLEBRUSH_HOME": str(home / "kept")}), Console(stderr=True)
    )
    report.write(
        rows_of(found),
        folder=arguments.out,
        model=found.model.model_dump(mode="json"),
        data=found.data.model_dump(mode="json"),
        prompts={result.prompt: str(result.judgement.kind) for result in found.results},
    )


if __name__ == "__main__":
    main()
