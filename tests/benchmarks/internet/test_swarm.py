"""The benchmark of a run of homes tells branches and gaps from what people and the recorder saw."""

from pathlib import Path

import pytest

from benchmarks.internet.emulation import EmulatedComputer
from benchmarks.internet.organised_run import LineTraffic, SeenEpoch, VolunteerHome
from benchmarks.internet.swarm import gaps_of, has_one_head

FIRST, SECOND, OTHER = SeenEpoch(2.5, 10), SeenEpoch(2.25, 10), SeenEpoch(2.125, 30)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([], True),
        ([{1: FIRST, 2: SECOND}, {2: SeenEpoch(2.25, 0), 3: OTHER}], True),
        ([{1: FIRST, 2: SECOND}, {1: FIRST, 2: OTHER}], False),
    ],
)
def test_two_losses_of_one_epoch_are_two_heads(seen: list[dict[int, SeenEpoch]], expected: bool) -> None:
    assert has_one_head(seen) is expected


def test_gaps_are_between_commits() -> None:
    times = ["2026-11-24T17:00:00Z", "2026-11-24T17:00:04Z", "2026-11-24T17:00:29.500000Z"]
    assert gaps_of([{"time": time} for time in times]) == [4.0, 25.5]
    assert gaps_of([]) == []


def test_traffic_is_what_passed_since() -> None:
    assert LineTraffic(900, 300) - LineTraffic(400, 100) == LineTraffic(500, 200)


class TypedCommands(EmulatedComputer):
    """A computer that notes the commands that are typed at it, and runs none."""

    def __init__(self) -> None:
        """Have noted nothing yet."""
        super().__init__("", "", "")
        self.typed: list[str] = []

    def run(self, *command: str, seconds: float = 60.0) -> str:
        """Note the ``command``, which ends at once."""
        self.typed.append(" ".join(command[command.index("client.cli") + 1 :]))
        return ""


@pytest.mark.parametrize(("port", "expected"), [(None, []), (31330, ["prefs set listening-port 31330"])])
def test_a_home_listens_at_the_port_that_its_router_forwards(
    tmp_path: Path, port: int | None, expected: list[str]
) -> None:
    computer = TypedCommands()
    VolunteerHome(computer, tmp_path, port).join("LINK", 0.25)
    assert [text for text in computer.typed if "port" in text] == expected
    assert computer.typed[-1].startswith("join LINK"), "what is set before the run begins holds for it"
