"""Lists of the handbook name all that there is: verbs, requests of the control channel, folders of the client."""

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import get_args

import pytest
import typer
from typer.core import TyperGroup

from client.api.requests import AnyRequest
from client.cli import app
from tests.docs.documented_commands import ROOT

SPAN = re.compile(r"`([^`]+)`")
LINES = (ROOT / "docs" / "command-line.md").read_text().splitlines()
CELLS = [line.split(" | ")[0] for line in LINES if line.startswith("| `idlebrush")]
CLIENT = (ROOT / "docs" / "client.md").read_text()


def verbs(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of each verb, such as those of `coordinator news add`."""
    if not isinstance(command, TyperGroup):
        yield path
        return
    for name, inner in command.commands.items():
        yield from verbs(inner, (*path, name))


def is_named(verb: tuple[str, ...], cell: str) -> bool:
    """Return true if a cell has the verb whole, or its last word behind a verb of the same group."""
    first, *others = (span.split() for span in SPAN.findall(cell))
    whole = tuple(takewhile(str.islower, first[1:]))
    return whole == verb or (whole[:-1] == verb[:-1] and verb[-1] in [words[0] for words in others])


@pytest.mark.parametrize(
    ("cell", "verb", "named"),
    [
        ("| `idlebrush news add TEXT`, `list`", ("news", "list"), True),
        ("| `idlebrush news add TEXT`, `list`", ("news", "remove"), False),
        ("| `idlebrush news add TEXT`, `list`", ("list",), False),
        ("| `idlebrush pause`, `resume`", ("resume",), True),
    ],
)
def test_a_row_may_name_several_verbs_of_a_group(cell: str, verb: tuple[str, ...], named: bool) -> None:
    assert is_named(verb, cell) == named


def test_each_verb_has_a_row() -> None:
    known = list(verbs(typer.main.get_command(app)))
    assert len(known) > 80
    missing = [" ".join(verb) for verb in known if not any(is_named(verb, cell) for cell in CELLS)]
    assert missing == []


def test_the_requests_are_those_of_the_control_channel() -> None:
    table = CLIENT.partition("| subject | requests |")[2].partition("\n\n")[0]
    requests = [request.model_fields["type"].default for request in get_args(AnyRequest)]
    assert sorted(SPAN.findall(table)) == sorted(requests)


def test_each_folder_and_module_of_the_client_is_named() -> None:
    section = CLIENT.partition("## Where things are")[2].partition("\n## ")[0]
    client = ROOT / "client"
    folders = [
        folder for folder in (*client.iterdir(), *(client / "service").iterdir()) if any(folder.glob("*.py"))
    ]
    modules = [file.stem for file in client.glob("*.py") if file.stem != "__init__"]
    wanted = {*modules, *(f"{folder.name}/" for folder in folders)}
    assert wanted - set(SPAN.findall(section)) == set()
