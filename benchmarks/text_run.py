"""How soon two trainers of the embedded text run fall under the unigram loss of its text, on this machine.

The unigram loss is the cross-entropy of a model that knows how often each token occurs and nothing else: the entropy
of the tokens' frequencies. The demo is the one that users start, as a process of its own; seconds count from its
start.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from core.families.causal_lm.machinery import text_rows
from core.families.causal_lm.rules import CausalRules
from core.run.manifest import RunManifest

_LOOK_SECONDS = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--epochs", type=int, default=8, help="epochs of the demo")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the result is written")
    arguments = parser.parse_args()
    report = BenchmarkReport("text_run", __doc__ or "")
    bound = unigram_loss()
    with tempfile.TemporaryDirectory() as folder:
        rows = epochs_of_demo(Path(folder) / "demo", arguments.epochs, bound)
    report.write(rows, folder=arguments.out, unigram_loss=rounded(bound, 5), trainers=2)


def unigram_loss() -> float:
    """Return the entropy of the frequencies of the tokens of the embedded text, in nats a token."""
    manifest = embedded_run() / MANIFESTS[EmbeddedSet.TEXT]
    training = RunManifest.load(manifest).training
    assert isinstance(training, CausalRules)
    counts = Counter[int]()
    for _, sample in text_rows(training, manifest.parent).read(0, 0):
        counts.update(sample[1:].tolist())
    return math.log(counts.total()) - sum(n * math.log(n) for n in counts.values()) / counts.total()


def epochs_of_demo(folder: Path, epochs: int, bound: float) -> list[dict[str, Any]]:
    """Run a demo of that many epochs in ``folder``, and return a row for each: its loss, and the seconds by then."""
    command = [sys.executable, "-m", "client.cli", "demo", "--run", "text", "--headless"]
    command += ["--epochs", str(epochs), "--out", str(folder)]
    began, metrics, rows = time.monotonic(), folder / "metrics.jsonl", list[dict[str, Any]]()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as demo:
        while demo.poll() is None or len(rows) < _lines(metrics):
            time.sleep(_LOOK_SECONDS)
            known = metrics.read_text().splitlines() if metrics.exists() else []
            for line in known[len(rows) :]:
                epoch, seconds = json.loads(line), time.monotonic() - began
                row = {name: epoch[name] for name in ("epoch", "loss", "samples", "peers")}
                rows.append({**row, "under_unigram": epoch["loss"] < bound, "seconds": rounded(seconds, 4)})
    return rows


def _lines(file: Path) -> int:
    return len(file.read_text().splitlines()) if file.exists() else 0


if __name__ == "__main__":
    main()
