"""The table of machines."""

from io import StringIO

import pytest
from rich.console import Console

from client.console.plan_report import comparison
from core.trainer.machines import MachineSpeed, ModelSpeed

HERE = MachineSpeed("a laptop", 4, 123.4, 512_000_000, {"all emoji": ModelSpeed(12.345, 987.6)})
SERVER = MachineSpeed("a server", 2, 1000.0, 613_000_000, {"another model": ModelSpeed(1.0, 2.0)})


def lines(*others: MachineSpeed) -> list[str]:
    console = Console(width=80, file=StringIO())
    console.print(comparison(HERE, others))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("figure", "values"),
    [
        ("threads", ["4", "2"]),
        ("matrix products", ["123", "1,000"]),
        ("all emoji, samples/s", ["12.35", "–"]),
        ("all emoji, tokens/s", ["988", "–"]),
        ("RAM", ["512.0 MB", "613.0 MB"]),
    ],
)
def test_each_figure_stands_beside_the_others(figure: str, values: list[str]) -> None:
    row = next(line for line in lines(SERVER) if figure in line)
    assert [cell.strip() for cell in row.strip("│").split("│")][1:] == values


def test_the_machines_are_named() -> None:
    assert "this machine: a laptop" in "\n".join(lines(SERVER))
    assert "a server" in "\n".join(lines(SERVER))
