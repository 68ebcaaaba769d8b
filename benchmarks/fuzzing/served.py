"""Sends mutated requests to all that a peer serves, and to a coordinator's gate, and measures that neither is harmed.

``peers``: a real averager and DHT node on loopback, which an honest peer makes epochs with. Callers that are no
peers of the run send mutated requests to every method over libp2p, four at a time, each with a key of its own. A
method may be called so often by one key, so that others take their places after each tenth. ``members``: the same in
a gated run, by callers whom the gate has admitted, so that requests reach the handlers behind admission. ``gate``:
the process of a coordinator's website, to which a volunteer joins and renews before and after each tenth.

After each tenth all processes must live and the honest must be served. ``answered`` counts calls with an answer,
``closed`` those whose stream ended without any, ``refused`` those with an error, ``not_admitted`` those without a
good token, ``too_often`` those beyond the rate, ``babbled`` streams of bytes that are no messages, ``cut_off`` lost
connections, and ``silent`` calls that were given up after some seconds. Memory, files and threads are of all
processes of the peer or website.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.fuzzing.served_gate import attack_gate
from benchmarks.fuzzing.served_peers import ServedReading, attack_as_members, attack_peers
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded

OUTCOMES = ("answered", "closed", "refused", "not_admitted", "too_often", "babbled", "cut_off", "silent")
_ATTACKS: Mapping[str, Callable[[Path, int, int], Iterator[ServedReading]]] = {
    "peers": attack_peers,
    "members": attack_as_members,
    "gate": attack_gate,
}


def _row(attacked: str, reading: ServedReading, seconds: float) -> dict[str, Any]:
    return {
        "attacked": attacked,
        "messages": reading.messages,
        **{kind: reading.outcomes[kind] for kind in OUTCOMES},
        "rss_mib": reading.holdings.rss_mib,
        "open_files": reading.holdings.files,
        "threads": reading.holdings.threads,
        "seconds": rounded(seconds),
    }


def _rows(attacked: str, messages: int, seed: int) -> Iterator[dict[str, Any]]:
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="served-") as folder:
        for reading in _ATTACKS[attacked](Path(folder), messages, seed):
            row = _row(attacked, reading, time.monotonic() - start)
            print(row, flush=True)
            yield row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument(
        "--messages", type=int, default=1_000_000, help="to the peers, and as many to each of the others"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=list(_ATTACKS), help="attack these alone")
    arguments = parser.parse_args()
    name = f"fuzzing_served_{arguments.only}" if arguments.only else "fuzzing_served"
    report = BenchmarkReport(name, __doc__ or "")
    rows = [
        row
        for attacked in ([arguments.only] if arguments.only else _ATTACKS)
        for row in _rows(attacked, arguments.messages, arguments.seed)
    ]
    report.write(rows, folder=arguments.out, seed=arguments.seed)


if __name__ == "__main__":
    main()
