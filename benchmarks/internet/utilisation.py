"""The share of the time that homes compute, while they exchange as many parameters as the paper's model has.

Homes behind routers, which nobody can connect to, and a rented server with the coordinator's bootstrap peer, which
reduces for them. All of the exchange is the product's: matchmaking, encodings, all-reduce, commits, the update and
its landing, each home in processes of its own. Micro-steps are timed, at the rate of an RTX 3090 that takes 40 % of
its 71 TFLOPS, unless another is given; the model's weights wander.

`computing` is the share of the wall time in which that GPU would have worked: the time that the micro-steps nominally
take, from the mark after `skip` epochs to the last landed epoch, so in whole rounds. Whatever keeps the loop from its
next micro-step lowers it, also a wait for one of this machine's cores, which all homes share and a real home has for
itself. `stalled` are the seconds a round between micro-steps. `stalled_cpu` is the processor's part of them, which
a core of one's own would not spare. `waiting` are those in which the procedure allows no micro-step. `exchange_cpu`
are seconds a round of the processor in all processes of a home, less the stand-in's. Rates are those of a home's
interface, with all headers and the DHT; `busiest` are the largest of any ten seconds since the home began. `told_of`
are the shares of these bytes that the client counts, and `beside` the bytes a second that are none of the exchange's.
`included_parts` are, for each landed epoch, the parts of the aggregate that have values of the home; samples count
only if the last part does. `lines` are what was measured of each line just before.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import psutil

from benchmarks.internet.emulation import EmulatedInternet, EmulationError
from benchmarks.internet.home_marks import HomeMark, landed, row_of, summary_of
from benchmarks.internet.line_options import add_line_options, line_of
from benchmarks.internet.measured_lines import measured_lines
from benchmarks.internet.paced_home import FROM_HOME, EndHome, HomeNotice, StartHome
from benchmarks.internet.stand_in import SAMPLES_PER_SECOND, shapes_of, write_parameters
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors
from coordinator.messages import FROM_BOOTSTRAP
from core.children.processes import family
from core.messages.children import BootstrapReady, StartBootstrap
from core.model.config import ModelConfig, preset
from core.run.manifest import RunManifest
from core.run.optimizer_rules import LambRules
from core.run.rules import LocalStepRules, Overlap, ScheduleRules, SwarmRules
from core.signing import SigningKey
from tests.swarms.home_program import HomeProgram
from tests.swarms.tiny_run import write_tiny_run

_SERVER = "server"
_PORT = 31330
_POOR = SiteLine(down=2, up=0.5, delay=0.3, loss=0.01)
_LEAST_FREE = 1_000_000_000
"""Bytes of RAM and swap space that must stay available on this machine: less, and the run ends."""
_FIRST_TO_KILL = "1000"
_LOOK_SECONDS = 2.0
_JOIN_SECONDS = 300.0
_PAPER_BATCH = 4096


def swarm_rules(given: argparse.Namespace) -> SwarmRules:
    """Return the rules of the procedure: the paper's, but for what was ``given``."""
    patience = {
        "allreduce_seconds": given.allreduce_seconds,
        "averaging_seconds": given.allreduce_seconds + 120.0,
    }
    if given.procedure == "gradients":
        return SwarmRules(target_batch_size=given.batch, **patience)
    local = LocalStepRules(round_seconds=given.round_seconds)
    return SwarmRules(target_batch_size=given.batch, overlap=Overlap.FULL, local_steps=local, **patience)


def write_run(folder: Path, model: ModelConfig, swarm: SwarmRules) -> Path:
    """Write the manifest of a run of ``model`` under the rules ``swarm``, and return its path.

    The files beside it are a tiny run's, which the homes do not read.
    """
    tiny = RunManifest.load(write_tiny_run(folder)).training
    training = tiny.model_copy(
        update={
            "model": model,
            "text": tiny.text.model_copy(update={"length": model.text_length, "vocab": model.text_vocab}),
            "optimizer": LambRules(),
            "schedule": ScheduleRules(),
            "swarm": swarm,
        }
    )
    contact = RunManifest.load(folder / "run.toml").contact
    path = folder / "paced.toml"
    RunManifest.create(training, contact, SigningKey.generate()).save(path)
    return path


def topology_of(given: argparse.Namespace) -> Topology:
    """Return the homes, of which the last ones may have a poor line, and the server."""
    lines = [line_of(given)] * (given.homes - given.poor) + [_POOR] * given.poor
    behind = (EmulatedSite(name=f"home{number}", line=line) for number, line in enumerate(lines, 1))
    return Topology(sites=(EmulatedSite(name=_SERVER, router=Router.NONE), *behind))


class PacedSwarm:
    """The bootstrap peer on the server, and a paced peer in each home."""

    def __init__(
        self, internet: EmulatedInternet, folder: Path, given: argparse.Namespace, processes: "_Processes"
    ) -> None:
        """Start the bootstrap peer of a run as ``given``, and the homes once it answers; note all ``processes``."""
        self._processes = processes
        model = preset(given.model)
        manifest = write_run(folder / "run", model, swarm_rules(given))
        parameters = folder / "parameters"
        write_parameters(parameters, model)
        server = internet.computer(_SERVER)
        start = StartBootstrap(
            manifest=manifest,
            listen=(f"/ip4/{server.address}/tcp/{_PORT}",),
            identity=folder / "bootstrap.identity",
            auxiliary=True,
        )
        self.bootstrap = HomeProgram(
            server, "coordinator.bootstrap", start, FROM_BOOTSTRAP, folder / "bootstrap.log"
        )
        entry = self.bootstrap.wait_for(BootstrapReady).addresses
        self.homes: dict[str, HomeProgram] = {}
        for number in range(1, given.homes + 1):
            name = f"home{number}"
            (folder / name).mkdir()
            order = StartHome(
                manifest=manifest,
                folder=folder / name,
                initial_peers=entry,
                parameters=parameters,
                seed=number,
                samples_per_second=given.samples_per_second,
                micro_batch=given.micro_batch,
                upload=given.cap_up and round(1000 * given.cap_up),
                download=given.cap_down and round(1000 * given.cap_down),
            )
            computer, log = internet.computer(name), folder / f"{name}.log"
            self.homes[name] = HomeProgram(computer, "benchmarks.internet.paced_home", order, FROM_HOME, log)

    def marks(self) -> dict[str, list[HomeMark]]:
        """Return the marks of each home so far."""
        return {name: home.of(HomeMark) for name, home in self.homes.items()}

    def notices(self) -> dict[str, int]:
        """Return how often each sentence was said to volunteers so far."""
        found: dict[str, int] = {}
        for home in self.homes.values():
            for notice in home.of(HomeNotice):
                found[notice.text] = found.get(notice.text, 0) + 1
        return found

    def watch(self, epochs: int, minutes: float) -> None:
        """Wait until every home has landed that many ``epochs``, or those ``minutes`` are over, and end the homes.

        Raises EmulationError if homes do not join, or if this machine's memory ends.
        """
        self._until(bool, _JOIN_SECONDS, "homes do not join", must=True)
        self._until(lambda marks: len(landed(marks)) >= epochs, 60 * minutes, "")
        for home in self.homes.values():
            home.send(EndHome())
        self._until(lambda marks: marks[-1].cause == "ended", _JOIN_SECONDS, "homes do not end", must=True)

    def _until(
        self, holds: Callable[[list[HomeMark]], bool], limit: float, otherwise: str, must: bool = False
    ) -> None:
        deadline = time.monotonic() + limit
        while not all(holds(marks) for marks in self.marks().values()):
            self._processes.look()
            if psutil.virtual_memory().available + psutil.swap_memory().free < _LEAST_FREE:
                raise EmulationError("This machine's memory is used up.", "Take fewer homes.")
            if time.monotonic() > deadline:
                if must:
                    raise EmulationError(f"After {limit:.0f} s {otherwise}.", "Keep the logs with --keep.")
                return
            time.sleep(_LOOK_SECONDS)


class _Processes:
    """All processes that were started here: the first to end where memory ends, with nothing left of theirs."""

    def __init__(self) -> None:
        """Have the kernel end this process, and those that it starts, before others."""
        Path(f"/proc/{os.getpid()}/oom_score_adj").write_text(_FIRST_TO_KILL)
        self._seen: set[int] = set()

    def look(self) -> None:
        """Note the processes that run now."""
        self._seen.update(family(os.getpid()))

    def remove_shared_memory(self) -> None:
        """Remove the tensors that they shared: with a namespace's processes torch's own cleaner is killed."""
        for pid in self._seen:
            for segment in Path("/dev/shm").glob(f"torch_{pid}_*"):
                segment.unlink(missing_ok=True)


def _exit(*_: object) -> None:
    """Leave in order, once: a second signal would break off the removal."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def _parsed(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.internet.utilisation", description=__doc__)
    parser.add_argument("--homes", type=int, default=8)
    parser.add_argument("--poor", type=int, default=0, help="homes at 2/0.5 Mbit/s, 300 ms and 1 %% loss")
    add_line_options(parser)
    parser.add_argument("--procedure", choices=("local_steps", "gradients"), default="local_steps")
    parser.add_argument("--model", default="dalle", help="preset whose parameters are exchanged")
    parser.add_argument("--samples-per-second", type=float, default=SAMPLES_PER_SECOND, help="of a home")
    parser.add_argument("--micro-batch", type=int, default=4)
    parser.add_argument("--batch", type=int, default=_PAPER_BATCH, help="samples of an epoch")
    parser.add_argument("--round-seconds", type=float, default=240.0, help="seconds between local rounds")
    parser.add_argument("--allreduce-seconds", type=float, default=60.0, help="the paper's limit is 60")
    parser.add_argument(
        "--cap-down", type=float, help="a home's cap of what it receives, in kB/s; default: none"
    )
    parser.add_argument("--cap-up", type=float, help="of what it sends")
    parser.add_argument("--epochs", type=int, default=4, help="epochs that every home lands")
    parser.add_argument("--skip", type=int, default=1, help="epochs that are not measured: homes begin apart")
    parser.add_argument("--minutes", type=float, default=20.0, help="minutes after which it ends anyhow")
    parser.add_argument("--name", help="name of the results; default: that of the procedure and the model")
    parser.add_argument("--keep", type=Path, help="an empty folder that keeps everything, logs included")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Run the homes, print what they did, and save it as ``utilisation_NAME.json``."""
    given = _parsed(words)
    signal.signal(signal.SIGTERM, _exit)
    name = given.name or f"{given.procedure}_{given.model}"
    report = BenchmarkReport(f"utilisation_{name}", __doc__ or "")
    with reporting_errors(), ExitStack() as stack:
        processes = _Processes()
        stack.callback(processes.remove_shared_memory)
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ib")))
        internet = stack.enter_context(EmulatedInternet(topology_of(given)))
        lines = measured_lines(internet)
        swarm = PacedSwarm(internet, folder, given, processes)
        swarm.watch(given.epochs, given.minutes)
        marks, notices = swarm.marks(), swarm.notices()
    summary = {
        "parameters": sum(shape.numel() for shape in shapes_of(preset(given.model)).values()),
        **summary_of(marks),
    }
    report.show([summary])
    options = {key: value for key, value in vars(given).items() if key not in ("out", "keep")}
    rows = [row_of(home, seen, given.skip) for home, seen in marks.items()]
    report.write(rows, folder=given.out, swarm=summary, notices=notices, lines=lines, options=options)


if __name__ == "__main__":
    main()
