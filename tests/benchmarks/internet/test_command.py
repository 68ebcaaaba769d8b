"""The command of the emulated Internet runs a swarm by the words that people type, and measures the lines first."""

import signal
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, Self

import pytest

from benchmarks.internet import __main__ as command
from benchmarks.internet import entrance_gone, moving, swarm, utilisation
from benchmarks.internet.emulation import EmulationError
from benchmarks.internet.swarm import suitable_share
from benchmarks.internet.topology import Router, SiteLine, Topology, homes
from benchmarks.internet.topology_options import topology_of

WORDS = "--homes 8 --down 20 --up 5 --delay 50ms --nat"
FILE = """
[[sites]]
name = "server"
router = "none"

[[sites]]
name = "house"
computers = 2
line = { down = 20, up = 5, delay = "50ms" }

[[sites]]
name = "other"
"""


class UnusedInternet:
    """An Internet that is up, and in which nothing can be done."""

    def __init__(self, topology: Topology) -> None:
        """Have that ``topology``."""
        self.topology = topology

    def __enter__(self) -> Self:
        """Build nothing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove nothing."""


@pytest.fixture
def termination() -> Iterator[None]:
    """Give the signal that ends programs its meaning back."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def refuse_lines(patch: pytest.MonkeyPatch, module: ModuleType) -> list[Topology]:
    """Have no line be as described in an Internet that a benchmark builds; the topologies are noted."""
    seen: list[Topology] = []

    def measured_lines(internet: UnusedInternet) -> list[dict[str, Any]]:
        seen.append(internet.topology)
        raise EmulationError("The emulated lines are not as described.", "Let nothing else run.")

    patch.setattr(module, "EmulatedInternet", UnusedInternet)
    patch.setattr(module, "measured_lines", measured_lines)
    return seen


def test_eight_homes_behind_routers_make_local_steps_by_few_words() -> None:
    given = command.parsed(WORDS.split())
    expected = homes(8, SiteLine(down=20, up=5, delay=0.05), router=Router.NAT)
    assert topology_of(given) == expected
    assert (given.local_steps, given.share, given.lines_only) == (True, None, False)


@pytest.mark.usefixtures("termination")
def test_the_swarm_of_these_words_is_run_on_measured_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = refuse_lines(monkeypatch, swarm)
    with pytest.raises(SystemExit, match="not as described"):
        command.main([*WORDS.split(), "--out", str(tmp_path)])
    assert [len(topology.sites) for topology in seen] == [9]


@pytest.mark.usefixtures("termination")
@pytest.mark.parametrize("module", [swarm, moving, entrance_gone, utilisation])
def test_no_benchmark_runs_on_lines_that_are_not_as_described(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any
) -> None:
    """Anything else that it did with its Internet first would fail in another way."""
    seen = refuse_lines(monkeypatch, module)
    monkeypatch.setattr(utilisation, "StartedProcesses", NoProcesses)
    with pytest.raises(SystemExit, match="not as described"):
        module.main(["--out", str(tmp_path)])
    assert len(seen) == 1


class NoProcesses:
    """Processes of a benchmark, of which there are none."""

    def remove_shared_memory(self) -> None:
        """Remove nothing."""


@pytest.mark.parametrize(
    ("homes", "cores", "share"), [(8, 2, 0.12), (3, 2, 0.33), (1, 2, 1.0), (8, 64, 1.0), (200, 1, 0.01)]
)
def test_homes_leave_half_of_the_cores_to_the_rest(homes: int, cores: int, share: float) -> None:
    assert suitable_share(homes, cores) == share


@pytest.mark.usefixtures("termination")
def test_a_file_describes_the_homes_of_a_swarm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.toml").write_text(FILE)
    seen = refuse_lines(monkeypatch, swarm)
    with pytest.raises(SystemExit, match="not as described"):
        command.main(["--topology", str(tmp_path / "house.toml"), "--out", str(tmp_path)])
    (topology,) = seen
    names = [site.computer(number + 1) for site in topology.sites for number in range(site.computers)]
    assert names == ["server", "house-1", "house-2", "other"]
