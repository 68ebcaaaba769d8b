"""The share of the time that homes compute, while they exchange as many parameters as the paper's model has.

Homes behind routers, which nobody can connect to, and a rented server with the coordinator's bootstrap peer, which
reduces for them. Homes with another reach reduce for each other, and give their state to a late one. All of the
exchange is the product's: matchmaking, encodings, all-reduce, commits, the update and its landing, each home in
processes of its own. Micro-steps are timed, at the rate of an RTX 3090 that takes 40 % of its 71 TFLOPS, unless
another is given; the model's weights wander.

`computing` is the share of the wall time in which that GPU would have worked: the time that the micro-steps nominally
take, from the mark after `skip` epochs to the last landed epoch, so in whole rounds. Whatever keeps the loop from its
next micro-step lowers it, also a wait for one of this machine's cores, which all homes share and a real home has for
itself. `stalled` are the seconds a round between micro-steps. `stalled_cpu` is the processor's part of them, which
a core of one's own would not spare. `waiting` are those in which the procedure allows no micro-step. `exchange_cpu`
are seconds a round of the processor in all processes of a home, less the stand-in's. Rates are those of a home's
interface, with all headers and the DHT; `busiest` are the largest of any ten seconds since the home began. `told_of`
are the shares of these bytes that the client counts, and `beside` the bytes a second that are none of the exchange's.
`included_parts` are, for each landed epoch, the parts of the aggregate that have values of the home; samples count
only if the last part does. `tcp_down` and so on are the bytes that the interface passed by each transport; QUIC uses
UDP.

A late home takes the swarm's state from others: `downloads` have what passed its interface meanwhile, from its first
question to when it had the state. `of_cap_down` is the mean rate as a share of its cap, `busiest_of_cap_down` that of
the busiest ten seconds until then. `lines` are what was measured of each line just before.
"""

import argparse
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.internet.emulation import EmulatedInternet
from benchmarks.internet.line_options import add_line_options
from benchmarks.internet.measured_lines import measured_lines
from benchmarks.internet.paced.marks import download_of, of_caps, row_of, summary_of
from benchmarks.internet.paced.run import topology_of
from benchmarks.internet.paced.stand_in import SAMPLES_PER_SECOND, shapes_of
from benchmarks.internet.paced.swarm import LISTEN, PacedSwarm, StartedProcesses
from benchmarks.measuring.report import RESULTS, BenchmarkReport, reporting_errors
from core.messages.reach import Reach
from core.model.config import preset
from core.run.aggregation import Aggregation

_PAPER_BATCH = 4096


def _exit(*_: object) -> None:
    """Leave in order, once: a second signal would break off the removal."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the swarm in ``words``; None: those of the command line."""
    parser = argparse.ArgumentParser("python -m benchmarks.internet.utilisation", description=__doc__)
    parser.add_argument("--homes", type=int, default=8)
    parser.add_argument("--poor", type=int, default=0, help="homes at 2/0.5 Mbit/s, 300 ms and 1 %% loss")
    add_line_options(parser)
    parser.add_argument("--procedure", choices=("local_steps", "gradients"), default="local_steps")
    parser.add_argument("--kept", type=int, default=128, help="values of 4,096 that a drift sends, in 2 bits")
    parser.add_argument("--aggregation", choices=list(Aggregation), default=Aggregation.MEAN)
    parser.add_argument(
        "--reach",
        choices=list(LISTEN),
        default=Reach.OUTGOING,
        help="how homes are reached: not at all, so that the server reduces; by a forwarded port (TCP); "
        "by opened routers (QUIC)",
    )
    parser.add_argument("--late", action="store_true", help="have the last home join once the others train")
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
    given = parsed(words)
    signal.signal(signal.SIGTERM, _exit)
    name = given.name or f"{given.procedure}_{given.model}"
    report = BenchmarkReport(f"utilisation_{name}", __doc__ or "")
    with reporting_errors(), ExitStack() as stack:
        processes = StartedProcesses()
        stack.callback(processes.remove_shared_memory)
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ib")))
        internet = stack.enter_context(EmulatedInternet(topology_of(given)))
        lines = measured_lines(internet)
        swarm = PacedSwarm(internet, folder, given, processes)
        swarm.watch(given.epochs, given.minutes)
        marks, notices, ways = swarm.marks(), swarm.notices(), swarm.ways()
    summary = {
        "parameters": sum(shape.numel() for shape in shapes_of(preset(given.model)).values()),
        **summary_of(marks),
    }
    report.show([summary])
    options = {key: value for key, value in vars(given).items() if key not in ("out", "keep")}
    rows = [
        {**row_of(home, seen, given.skip), **of_caps(seen, given.cap_down, given.cap_up), **ways[home]}
        for home, seen in marks.items()
    ]
    found = {home: download_of(seen, given.cap_down) for home, seen in marks.items()}
    downloads = [{"home": home, **row} for home, row in found.items() if row]
    if downloads:
        report.show(downloads)
    seen_of_swarm = {"swarm": summary, "downloads": downloads, "notices": notices}
    report.write(rows, folder=given.out, **seen_of_swarm, lines=lines, options=options)


if __name__ == "__main__":
    main()
