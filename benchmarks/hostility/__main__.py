"""Attacks real gated swarms on loopback, each in one way, and compares honest peers with those of a clean swarm.

Every user has a token of its own by a real gate. Honest peers are the product's, unchanged; hostile ones are the
product's with one part replaced (`benchmarks.hostility.attackers`). Each row has a swarm of its own: the hostile
peers come once the honest ones have made three epochs. The loss is that of honest peers' parameters on the same
samples of the data, by the samples that all honest peers had computed.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from benchmarks.hostility.course import HonestLossCurve, apart, divergent
from benchmarks.hostility.evaluation import LossOnSameSamples
from benchmarks.hostility.outcome import RowOutcome, shown
from benchmarks.hostility.rows import CLEAN, ROWS, AttackRow
from benchmarks.hostility.run_files import write_run
from benchmarks.hostility.swarm import HostileSwarm, SwarmSize, UnreadySwarmError
from benchmarks.measuring.report import RESULTS, BenchmarkReport
from core.children.priority import waiting_threads
from core.run.manifest import RunManifest
from core.run.rules import SwarmRules

_HOSTILE_SHARE = 0.3
_NOTES = """Epochs: the fewest and the most that an honest peer made under attack; seconds of one, and the bytes that
an honest peer sends in one, on average. Longest wait: the longest seconds without an epoch of any honest peer;
halted if that is more than the run's averaging_seconds. Loss: of an honest peer's parameters on the same
samples, where all honest peers had computed as many samples as in the clean row. Over clean: by how much it
is above that row's, relatively. Hostile share: mean share of the committed samples that no honest peer
computed; epochs until out: epochs of the attack until none are any more (null: they still are). Ended,
divergent, apart: honest peers whose process ended, whose parameters are not those of most, and that are
several epochs from the others at the end. Hostile ended: attackers that ended, and attacked no more.
Entrance: memory of the organiser's bootstrap peer when the attack began, and at the end."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    made = argparse.ArgumentParser(prog="python -m benchmarks.hostility", description=__doc__)
    made.add_argument(
        "--only", nargs="+", choices=sorted(ROWS), metavar="ROW", help=f"rows: {', '.join(ROWS)}"
    )
    made.add_argument("--peers", type=int, default=8, help="peers of a swarm, hostile ones included")
    made.add_argument("--hostile", type=int, help="hostile ones among them; 30 %% without this option")
    made.add_argument("--model", choices=("tiny", "embedded"), default="tiny", help="run that is trained")
    made.add_argument("--minutes", type=float, default=2.0, help="minutes of a row's attack, at most")
    made.add_argument(
        "--epochs", type=int, help="epochs of every honest peer after which a row's attack ends"
    )
    made.add_argument(
        "--share", type=float, default=0.3, help="share of the time in which a trainer computes"
    )
    made.add_argument(
        "--rules",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="swarm rules of the manifest in TOML, as 'aggregation=\"mean\"'; those of a draft without this option",
    )
    made.add_argument(
        "--slowness", type=float, default=1.0, help="factor of rounds' time limits, for a busy machine"
    )
    made.add_argument("--out", type=Path, default=RESULTS, help="folder of the results")
    made.add_argument("--name", default="hostility", help="name of the file of results")
    made.add_argument("--keep", type=Path, help="folder in which all that the peers wrote is kept")
    return made


def measure(row: AttackRow, options: argparse.Namespace, folder: Path) -> RowOutcome:
    """Run the swarm of one ``row`` as the ``options`` say, with its files in ``folder``."""
    rules = {**row.rules, **swarm_rules(options.rules)}
    run = write_run(options.model, folder / "run", slowness=options.slowness, **rules)
    hostile = hostile_peers(options)
    size = SwarmSize(options.peers - hostile, hostile if row.attacker else 0, options.share)
    with HostileSwarm(folder, run, row, size) as attacked:
        attacked.await_training()
        before = attacked.entrance_bytes()
        begin = attacked.attack()
        late = attacked.join_late() if row.late else None
        attacked.await_epochs(begin, options.epochs, 60 * options.minutes)
        end, courses = time.monotonic(), attacked.courses()
        honest_ended, hostile_ended = attacked.ended(attacked.honest), attacked.ended(attacked.hostile)
        newcomer = attacked.course_of(late) if late is not None else None
        memory = before, attacked.entrance_bytes()
        why = attacked.why_ended(attacked.hostile)
    strayed = [*apart(courses), *divergent(courses)]
    return RowOutcome(
        row.name,
        courses,
        begin,
        end,
        RunManifest.load(run.manifest).training.swarm.averaging_seconds,
        LossOnSameSamples(run.manifest).curve(courses, strayed),
        honest_ended,
        size.hostile,
        hostile_ended,
        memory,
        newcomer,
        why,
    )


def swarm_rules(words: Sequence[str]) -> dict[str, Any]:
    """Return the swarm rules that ``words`` name, each as ``name=value`` in TOML.

    Raises:
        tomllib.TOMLDecodeError: they are no TOML.
        pydantic.ValidationError: there are no such rules, or they contradict each other.
    """
    rules = SwarmRules.model_validate_json(json.dumps(tomllib.loads("\n".join(words))))
    return {name: getattr(rules, name) for name in rules.model_fields_set}


def hostile_peers(options: argparse.Namespace) -> int:
    """Return the number of hostile peers in each row but the clean one; the honest are as many in all."""
    wanted: int | None = options.hostile
    return wanted or max(1, round(_HOSTILE_SHARE * options.peers))


def chosen(options: argparse.Namespace) -> list[str]:
    """Return the names of the rows that the ``options`` choose, the clean one first."""
    names = options.only or list(ROWS)
    return [CLEAN, *(name for name in ROWS if name in names and name != CLEAN)]


def main(words: Sequence[str] | None = None) -> None:
    """Run the chosen rows one after the other, and report after each."""
    options = parser().parse_args(sys.argv[1:] if words is None else words)
    os.environ.update(waiting_threads(1))  # as the client does
    signal.signal(signal.SIGTERM, exit_on_signal)  # which ends the swarm
    report = BenchmarkReport(options.name, _NOTES)
    clean, lines, details = HonestLossCurve(()), list[dict[str, Any]](), dict[str, Mapping[str, Any]]()
    with tempfile.TemporaryDirectory(prefix="hostility-") as temporary:
        for name in chosen(options):
            folder = (options.keep or Path(temporary)) / name
            try:
                outcome = measure(ROWS[name], options, folder)
            except UnreadySwarmError as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            clean = outcome.curve if name == CLEAN else clean
            lines.append(outcome.line(clean))
            details[name] = outcome.details()
            report.show([shown(lines[-1])])
            report.save(lines, folder=options.out, **_settings(options), details=details)
    if lines:
        report.show([shown(line) for line in lines])


def exit_on_signal(number: int, frame: FrameType | None) -> NoReturn:
    """Leave the program in order, as a handler of the signal with that ``number``."""
    raise SystemExit(128 + number)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    names = ("peers", "hostile", "model", "minutes", "epochs", "share", "slowness", "rules")
    return {name: getattr(options, name) for name in names}


if __name__ == "__main__":
    main()
