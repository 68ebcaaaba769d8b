"""Runs the smoke test (`client.environment.smoke`) in a new environment, and judges it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from client.api.errors import SetupError
from client.environment.places import python_of
from client.environment.programs import ProgramEnd, ProgramRunner
from core.excerpt import excerpt

_SCRIPT = Path(__file__).with_name("smoke.py")
_SECONDS = 600.0
"""Seconds for the test: modules of a few GB are read for the first time, and compiled."""
_STEPS = {
    "imports": "the packages cannot be loaded",
    "product": "a product on {device} failed",
    "p2pd": "the peer-to-peer daemon does not start",
}


class SmokeFailure(SetupError):
    """The smoke test failed."""

    on_gpu = False
    """True if it failed on the GPU, so that the packages for the processor may do."""


@dataclass(frozen=True)
class SmokeTest:
    """The test of environments."""

    programs: ProgramRunner
    seconds: float = _SECONDS

    def run(self, environment: Path, device: str, modules: Sequence[str]) -> None:
        """Test an environment.

        Args:
            environment: Folder of the environment.
            device: PyTorch's name of the device that trains.
            modules: Modules that must be importable.

        Raises SmokeFailure if it does not pass.
        """
        command = [str(python_of(environment)), "-I", str(_SCRIPT), device, *modules]
        try:
            finished = self.programs.run(command, self.seconds)
        except OSError as error:
            raise _failure("", device, f"its Python cannot be started: {error.strerror or error}") from error
        report = _read(finished)
        if not (report.has_passed and finished.status == 0):
            raise _failure(report.step, device, report.why or _end_of(finished, report))


@dataclass
class _SmokeReport:
    """Lines of the script, summed up."""

    step: str = ""
    """The last step that began."""
    why: str = ""
    """Reason of the failure; empty: the script did not come to give one."""
    has_passed: bool = False
    beside: str = ""
    """The last line that a library printed."""


def _read(finished: ProgramEnd) -> _SmokeReport:
    report = _SmokeReport()
    for line in finished.output.splitlines():
        try:
            said = json.loads(line)["smoke"]
        except (ValueError, KeyError, TypeError):
            report.beside = line.strip() or report.beside
            continue
        report.step = str(said.get("begun", report.step))
        report.why = str(said.get("why", report.why))
        report.has_passed = said.get("passed", False) is True
    return report


def _end_of(finished: ProgramEnd, report: _SmokeReport) -> str:
    if finished.status is None:
        return "it takes too long"
    if finished.status < 0:
        return f"the process was ended by signal {-finished.status}"
    return excerpt(report.beside) or f"exit status {finished.status}"


def _failure(step: str, device: str, why: str) -> SmokeFailure:
    name = "the processor" if device == "cpu" else "the GPU"
    what = _STEPS.get(step, "it does not start").format(device=name)
    sentence = f"The new environment does not work on this computer: {what} ({why})."
    if "out of memory" in why.lower():  # the packages may be fine
        return SmokeFailure(sentence, "Close programs that use much memory, and try again.")
    failure = SmokeFailure(
        sentence,
        "The environment that was in use, if any, is still in use. Report this with the file setup.log.",
    )
    failure.on_gpu = step == "product" and device != "cpu"
    return failure
