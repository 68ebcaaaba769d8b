"""Speed and memory of training: our model against dalle-pytorch 1.6.6, the paper's own stack, in one run.

Both have the same weights and batches, run in turns with one thread each, and must compute the same loss and
gradients, or nothing is measured. Tokens are those of the sequence, forward and backward, per second of processor
time; ratios are of medians, at equal float32 matmul precision: torch's default "highest", as both come, and "medium",
at which dalle-pytorch's products, too, go to the faster library that ours use by themselves (core/model/products.py).
Memory is the peak of tensors beyond parameters and their gradients (`tensor_memory` of
`benchmarks.measuring`), and beside it the most that each process held in RAM, all included. The roofline (`roofline`
there) is the ratio that matrix products alone would reach at this machine's GEMM, measured in the same run; its share
is how near ours comes.
"""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from benchmarks.contests.cases import CASES, DEFAULT, TrainingCase
from benchmarks.contests.contest import REFERENCE, TOLERANCES, Contest, hold
from benchmarks.contests.options import chosen_cases, chosen_precisions, race_parser_of
from benchmarks.measuring.report import BenchmarkReport, reporting_errors, rounded
from benchmarks.measuring.roofline import flops

_MIB = 2**20
_NEAR_ENOUGH = 0.85
"""Share of the roofline that suffices if a goal lies above it."""


def rows(contest: Contest, precisions: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield a row for each of our techniques and each precision."""
    for name in contest.case.techniques:
        for precision in precisions:
            yield _row(contest, name, precision)


def _row(contest: Contest, techniques: str, precision: str) -> dict[str, Any]:
    case, ours, theirs = contest.case, contest.sides[techniques], contest.sides[REFERENCE]
    our_time, their_time = ours.typical(precision), theirs.typical(precision)
    least = contest.least_seconds(techniques, precision)
    speed, memory = their_time.cpu / our_time.cpu, theirs.peak_bytes / ours.peak_bytes
    return {
        "model": case.name,
        "ours": techniques,
        "float32": precision,
        "tokens_/_s": rounded(case.tokens / our_time.cpu),
        "theirs": rounded(case.tokens / their_time.cpu),
        "ratio": rounded(speed, 3),
        "wall_ratio": rounded(their_time.wall / our_time.wall, 3),
        "roof_ratio": rounded(their_time.cpu / least, 3),
        "roof_share": rounded(least / our_time.cpu, 3),
        "goal": reached(speed, case.speed_goal, least / our_time.cpu),
        "peak_MiB": rounded(ours.peak_bytes / _MIB),
        "their_peak": rounded(theirs.peak_bytes / _MIB),
        "memory_ratio": rounded(memory, 3),
        "memory_goal": reached(memory, case.memory_goal),
        "RSS_MiB": rounded(ours.peak_rss / _MIB),
        "their_RSS": rounded(theirs.peak_rss / _MIB),
        "RSS_ratio": rounded(theirs.peak_rss / ours.peak_rss, 3) if ours.peak_rss else 0.0,
    }


def reached(ratio: float, goal: float | None, share_of_roofline: float = 0.0) -> str:
    """Report whether a ratio reaches its goal, or comes near enough to the roofline instead."""
    if goal is None:
        return "-"
    if ratio >= goal:
        return f"{goal:g} reached"
    return f"{goal:g} missed" + (", at roofline" if share_of_roofline >= _NEAR_ENOUGH else "")


def _checks(contest: Contest) -> dict[str, Any]:
    """Return the case's entries of the results file besides its rows."""
    case = contest.case
    return {
        "config": case.config.model_dump(mode="json"),
        "batch": case.batch,
        "deviations": [
            {"ours": name, "precision": precision, **asdict(deviation)}
            for (name, precision), deviation in contest.deviations.items()
        ],
        "techniques": {name: asdict(way) for name, way in case.techniques.items()},
        "gflop": {name: rounded(flops(contest.products(name)) / 1e9) for name in case.techniques},
        "gemm_gflop_per_second": {
            precision: rounded(flops(contest.products(name)) / 1e9 / contest.least_seconds(name, precision))
            for name, precision in contest.deviations
        },
        "seconds": {
            name: {precision: list(map(asdict, taken)) for precision, taken in side.durations.items()}
            for name, side in contest.sides.items()
        },
    }


def _measure(case: TrainingCase, precisions: tuple[str, ...], repeats: int | None, python: Path) -> Contest:
    contest = hold(case, precisions, repeats or case.repeats, python)
    for (name, precision), deviation in contest.deviations.items():
        print(
            f"{case.name}, {name}, {precision}: the same as dalle-pytorch's to {deviation.loss:.1e} (loss) and "
            f"{deviation.gradient:.1e} (gradients; farthest: {deviation.parameter})",
            flush=True,
        )
    return contest


def main() -> None:
    parser = race_parser_of(__doc__, CASES, DEFAULT)
    parser.add_argument("--repeats", type=int, help="timed micro-steps of each side; without, by the model")
    arguments = parser.parse_args()
    chosen = chosen_cases(parser, arguments, CASES)
    if arguments.repeats is not None and arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    with reporting_errors():
        run([CASES[name] for name in chosen], arguments)


def run(cases: list[TrainingCase], arguments: argparse.Namespace) -> None:
    """Measure the cases one after the other, and write the results."""
    torch.set_num_threads(1)
    report, precisions = BenchmarkReport("training", __doc__ or ""), chosen_precisions(arguments)
    contests = [_measure(case, precisions, arguments.repeats, arguments.reference) for case in cases]
    report.write(
        [row for contest in contests for row in rows(contest, precisions)],
        folder=arguments.out,
        threads=1,
        dtype="float32",
        tolerances=TOLERANCES,
        cases={contest.case.name: _checks(contest) for contest in contests},
    )


if __name__ == "__main__":
    main()
