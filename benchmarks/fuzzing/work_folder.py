"""The folders of targets that are fuzzed: orders, seeds, libFuzzer's logs, and the inputs that did harm."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

_ORDER = "order.json"
_GROWTH_MIB = 256
"""Mebibytes by which a process may grow: libFuzzer keeps what it found, and parsers' caches fill."""
_LONGEST_INPUT = 65_536
_COVERED, _RESIDENT = re.compile(r" cov: (\d+)"), re.compile(r" rss: (\d+)Mb")
_STATISTIC = r"stat::{}:\s+(\d+)"
_RAISED = re.compile(r"=== Uncaught Python exception: ===\n(.+)")


@dataclass(frozen=True)
class FuzzingLimits:
    """The time for which each target is fuzzed, and the bounds beyond which it counts as harmed."""

    seconds: int
    """Seconds for which each target is fuzzed."""
    input_seconds: int
    """Seconds that one input may take."""
    mebibytes: int
    """Address space that a parser may take in addition, in MiB."""


@dataclass(frozen=True)
class RoomOrder:
    """The order to fuzz targets of one room."""

    room: str
    names: tuple[str, ...]
    """Names of the targets; empty for all of the room."""
    limits: FuzzingLimits

    def write(self, folder: Path) -> None:
        """Write the order into ``folder``."""
        (folder / _ORDER).write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the order in ``folder``."""
        fields = json.loads((folder / _ORDER).read_text())
        return cls(fields["room"], tuple(fields["names"]), FuzzingLimits(**fields["limits"]))

    def outcomes(self, folder: Path) -> Iterator["FuzzingOutcome"]:
        """Yield the outcome of each target that was fuzzed in ``folder``, in order."""
        folders = (path for path in folder.iterdir() if path.is_dir())
        for path in sorted(folders, key=lambda path: path.stat().st_ctime_ns):
            yield TargetOrder(path, path.name, self.limits).outcome()


@dataclass(frozen=True)
class TargetOrder:
    """The order to fuzz one target, and the place of all that belongs to it."""

    folder: Path
    name: str
    limits: FuzzingLimits

    @property
    def log(self) -> Path:
        """File of what libFuzzer writes."""
        return self.folder / "log.txt"

    @property
    def found(self) -> Path:
        """Folder of the inputs that did harm."""
        return self.folder / "found"

    @property
    def _words(self) -> Path:
        return self.folder / "words.txt"

    def write(self, seeds: Sequence[bytes], dictionary: Sequence[bytes]) -> None:
        """Make the folder, with ``seeds`` as the first corpus, and the ``dictionary`` in libFuzzer's notation."""
        self.found.mkdir(parents=True)
        corpus = self.folder / "corpus"
        corpus.mkdir()
        for number, seed in enumerate(seeds):
            (corpus / f"seed-{number}").write_bytes(seed)
        if dictionary:  # libFuzzer refuses an empty one
            words = ("".join(f"\\x{byte:02x}" for byte in word) for word in dictionary)
            self._words.write_text("".join(f'"{word}"\n' for word in words))

    def options(self) -> list[str]:
        """Return libFuzzer's arguments."""
        return [
            f"-max_total_time={self.limits.seconds}",
            f"-timeout={self.limits.input_seconds}",
            f"-max_len={_LONGEST_INPUT}",
            "-rss_limit_mb=0",
            "-print_final_stats=1",
            f"-artifact_prefix={self.found}/",
            *([f"-dict={self._words}"] if self._words.exists() else []),
            str(self.folder / "corpus"),
        ]

    def outcome(self) -> "FuzzingOutcome":
        """Return what libFuzzer's log says, and what it found."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        resident = [int(item) for item in _RESIDENT.findall(text)]
        inputs = sorted(self.found.iterdir())
        raised = _RAISED.search(text)
        grown = resident[-1] - resident[0] if resident else 0
        return FuzzingOutcome(
            self.name,
            executions=_statistic(text, "number_of_executed_units"),
            edges=max(map(int, _COVERED.findall(text)), default=0),
            peak_mib=_statistic(text, "peak_rss_mb"),
            grown_mib=grown,
            fault=_fault(text, raised.group(1) if raised else "", inputs, grown),
            inputs=tuple(inputs),
        )


@dataclass(frozen=True)
class FuzzingOutcome:
    """The outcome of fuzzing one target."""

    name: str
    executions: int
    """Number of inputs that were parsed."""
    edges: int
    """Number of branches that were taken, as atheris counts them."""
    peak_mib: int
    """Largest resident set of the process, in MiB."""
    grown_mib: int
    """Resident set at the end less that at the beginning, in MiB."""
    fault: str
    """The fault that was found, in words; empty if there was none."""
    inputs: tuple[Path, ...]
    """Files of the inputs that showed it."""


def _statistic(text: str, name: str) -> int:
    found = re.search(_STATISTIC.format(name), text)
    return int(found.group(1)) if found else 0


def _fault(text: str, raised: str, inputs: Sequence[Path], grown_mib: int) -> str:
    if raised:
        return raised
    if any(path.name.startswith("timeout") for path in inputs):
        return "An input took too long."
    if inputs or "stat::" not in text:
        return f"The process ended: {text.strip().splitlines()[-1] if text.strip() else 'without a word'}"
    return f"The process grew by {grown_mib} MiB." if grown_mib > _GROWTH_MIB else ""
