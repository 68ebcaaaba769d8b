"""Error, bytes and speed of every encoding, on a drift and a gradient of the embedded run.

The drift is that of 4 inner steps of 16 samples, after 8 others; the gradient is that of the next samples. Speed is
that of a million values of the drift on one thread, all encodings in turns; time as a share of `blockwise8`'s is
meaningful on a busy machine as well. The error is relative, over all values; *error of sent* counts only the values
that a sparse encoding sends.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.simulation import InnerPeer, case_named
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.measuring.timing import Duration, interleave, typical
from core.run.encodings import Encoding, TopK, WireFormat, wire_bytes
from core.swarm.wire.encoding import decode, encode

_TIMED_VALUES = 2**20
_REPEATS = 15
_EARLIER_STEPS, _STEPS, _SAMPLES = 8, 4, 16
_BASELINE = Encoding.BLOCKWISE8
FORMS: tuple[WireFormat, ...] = (
    *Encoding,
    *(TopK(kept=kept, bits=bits) for kept in (64, 128, 512) for bits in (2, 3, 4)),
)


def subjects() -> tuple[Tensor, Tensor]:
    """Return a drift and a gradient, all tensors of the model one after the other."""
    peer = InnerPeer(case_named(f"k1-h{_STEPS}-float32-b{_SAMPLES}"), 0)
    for step in range(_EARLIER_STEPS):
        peer.step(step)
    before = _flat(peer.parameters)
    for step in range(_EARLIER_STEPS, _EARLIER_STEPS + _STEPS):
        peer.step(step)
    return _flat(peer.parameters) - before, peer.gradient()


def _flat(tensors: list[Tensor]) -> Tensor:
    return torch.cat([item.reshape(-1) for item in tensors])


def relative_error(values: Tensor, form: WireFormat, *, sent: bool = False) -> float:
    """Return the relative error of ``values``, or of those of them that are ``sent``, after encoding in ``form``."""
    pairs = []
    for piece in values.split(_TIMED_VALUES):
        decoded = decode(encode(piece, form), form, len(piece))
        chosen = decoded != 0 if sent else torch.ones_like(piece, dtype=torch.bool)
        pairs.append((decoded[chosen].double(), piece[chosen].double()))
    found, exact = (torch.cat(column) for column in zip(*pairs, strict=True))
    return float((found - exact).norm() / exact.norm())


def speeds(values: Tensor) -> tuple[dict[str, Duration], dict[str, Duration]]:
    """Return how long encoding and decoding take in each form, by its name."""
    messages = {str(form): encode(values, form) for form in FORMS}
    encoding = interleave({str(form): partial(encode, values, form) for form in FORMS}, _REPEATS)
    decoding = interleave(
        {str(form): partial(decode, messages[str(form)], form, len(values)) for form in FORMS}, _REPEATS
    )
    return tuple({name: typical(found) for name, found in item.items()} for item in (encoding, decoding))  # type: ignore[return-value]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    torch.set_num_threads(1)
    report = BenchmarkReport("encodings", __doc__ or "")
    drift, gradient = subjects()
    timed = drift[:_TIMED_VALUES].clone()
    encoding, decoding = speeds(timed)
    megabytes, base = 4 * len(timed) / 1e6, str(_BASELINE)
    rows: list[dict[str, Any]] = [
        {
            "encoding": str(form),
            "bits_a_value": rounded(8 * wire_bytes(form, len(timed)) / len(timed)),
            "drift_error": rounded(relative_error(drift, form)),
            "gradient_error": rounded(relative_error(gradient, form)),
            "drift_error_of_sent": rounded(relative_error(drift, form, sent=True)),
            "encode_mb_per_cpu_second": rounded(megabytes / encoding[str(form)].cpu, 3),
            "decode_mb_per_cpu_second": rounded(megabytes / decoding[str(form)].cpu, 3),
            "encode_time_ratio": rounded(encoding[str(form)].cpu / encoding[base].cpu, 3),
            "decode_time_ratio": rounded(decoding[str(form)].cpu / decoding[base].cpu, 3),
        }
        for form in FORMS
    ]
    report.write(rows, folder=out, threads=1, timed_values=len(timed), values=len(drift), repeats=_REPEATS)


if __name__ == "__main__":
    main()
