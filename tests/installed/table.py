"""Writes the results of trials as one table: a row for each step, a column for each system."""

from collections.abc import Sequence

from tests.installed.steps import StepResult, TrialResult

_NOT_REACHED = "not reached"
_UNITS = {"bytes": "MB"}


def table_of(results: Sequence[TrialResult]) -> str:
    """Return the ``results`` in Markdown: seconds of each step, then the numbers that steps noted."""
    names = list(dict.fromkeys(name for result in results for name in _step_names(result)))
    rows = [_row("", *(result.system for result in results)), _row(*["---"] * (len(results) + 1))]
    rows += [_row(name, *(_seconds(result, name) for result in results)) for name in names]
    noted = list(dict.fromkeys(name for result in results for name in result.numbers))
    rows += [_row(_unit(name), *(_number(result, name) for result in results)) for name in noted]
    return "\n".join(rows) + "\n"


def sentences_of(results: Sequence[TrialResult]) -> str:
    """Return what came of each step of each trial, a line for each."""
    lines = []
    for result in results:
        lines += [f"{result.system}: {step.name}: {_verdict(step)}{step.words}" for step in result.steps]
        lines += [f"{result.system}: {name}: {_NOT_REACHED}" for name in result.not_reached]
    return "\n".join(lines) + "\n"


def _step_names(result: TrialResult) -> list[str]:
    return [*(step.name for step in result.steps), *result.not_reached]


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _verdict(step: StepResult) -> str:
    return "" if step.passed else "FAILED: "


def _seconds(result: TrialResult, name: str) -> str:
    for step in result.steps:
        if step.name == name:
            return f"{step.seconds:.0f} s" if step.passed else "failed"
    return _NOT_REACHED


def _unit(name: str) -> str:
    what, _, unit = name.rpartition(" ")
    return f"{what}, {_UNITS[unit]}" if unit in _UNITS else name


def _number(result: TrialResult, name: str) -> str:
    value = result.numbers.get(name)
    if value is None:
        return ""
    return f"{value / 1e6:.1f}" if name.endswith("bytes") else f"{value:.0f}"
