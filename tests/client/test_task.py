"""The process of a task reads the kinds of its own part of the client alone, and has a part for each kind of task."""

import subprocess
import sys
from typing import get_args

import pytest

from client.account.tasks import OpenKeyring
from client.task import PARTS, TaskReader
from client.task_kinds import TASKS, AnyTask
from core.messages.lines import LineError, decode, encode

LOADED = """
import sys
from client.task import TaskReader
from core.messages.lines import decode
print(type(decode(sys.stdin.buffer.readline(), TaskReader())).__name__)
print(*(name for name in sys.modules if name.startswith("client.") and name.endswith(".tasks")))
"""


def types() -> set[str]:
    return {str(kind.model_fields["type"].default) for kind in get_args(AnyTask)}


def test_each_task_is_of_a_part() -> None:
    assert set(PARTS) == types()


def test_the_kinds_of_a_part_are_those_of_its_tasks() -> None:
    """A reader of another part would refuse them."""
    for name, part in PARTS.items():
        choices = part.kinds().json_schema()["discriminator"]["mapping"]
        assert name in choices
        assert choices.keys() <= types()


def test_a_process_makes_the_models_of_its_own_part_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], input=encode(OpenKeyring()), capture_output=True, check=True
    )
    assert done.stdout.decode().split() == ["OpenKeyring", "client.account.tasks"]


@pytest.mark.parametrize("line", [b"{}", b"[]", b"{", b'{"type": "dance"}', b'{"type": ["enter"]}'])
def test_what_is_no_task_is_refused_as_by_all_kinds(line: bytes) -> None:
    said = []
    for kinds in (TaskReader(), TASKS):
        with pytest.raises(LineError) as caught:
            decode(line + b"\n", kinds)
        said.append(str(caught.value))
    assert said[0] == said[1]
