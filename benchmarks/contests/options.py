"""Command-line options of the comparisons with dalle-pytorch."""

import argparse
from collections.abc import Collection
from pathlib import Path

from benchmarks.contests.contest import REFERENCE_PYTHON, TOLERANCES
from benchmarks.measuring.report import RESULTS


def parser_of(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of any comparison."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--reference", type=Path, default=REFERENCE_PYTHON, help="Python that has dalle-pytorch"
    )
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser


def race_parser_of(
    description: str | None, cases: Collection[str], default: Collection[str]
) -> argparse.ArgumentParser:
    """Return a parser for a comparison of speed: some of the cases, at some float32 matmul precisions."""
    parser = parser_of(description)
    parser.add_argument("--only", default=",".join(default), help=f"of {', '.join(cases)}; by commas")
    parser.add_argument("--float32-precision", choices=(*TOLERANCES, "both"), default="both")
    return parser


def chosen_cases(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, cases: Collection[str]
) -> list[str]:
    """Return the names that ``--only`` gives; an unknown one is an error of usage."""
    chosen: list[str] = arguments.only.split(",")
    if unknown := set(chosen) - set(cases):
        parser.error(f"--only knows no {', '.join(sorted(unknown))}; choose of {', '.join(cases)}")
    return chosen


def chosen_precisions(arguments: argparse.Namespace) -> tuple[str, ...]:
    chosen = arguments.float32_precision
    return tuple(TOLERANCES) if chosen == "both" else (chosen,)
