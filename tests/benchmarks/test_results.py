"""Results can be measured again: each names the commit whose code made it."""

from pathlib import Path

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
MARKED = {
    "control_fuzz_training.json": "needs a run that trains beside a million messages",
    "generation.json": "needs the environment of dalle-pytorch (`make bench`) and an idle machine",
    "ranking_drawings.json": "needs the weights of the demo run that `demo.jsonl` lists",
    "ranking_pictures.json": "needs the weights of the demo run that `demo.jsonl` lists",
}
"""Results of code that differed from the commit they name, each with the reason why it was not measured again."""


def test_results_are_those_of_committed_code() -> None:
    marked = {file.name for file in RESULTS.iterdir() if b"-dirty" in file.read_bytes()}
    assert marked == set(MARKED)
