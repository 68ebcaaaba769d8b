"""Error, bytes and speed of every encoding, on a drift and a gradient of the embedded run.

The drift is that of 4 inner steps of 16 samples, after 8 others; the gradient is that of the next samples. Speed is
that of a million values of the drift on one thread, all encodings in turns; time as a share of `blockwise8`'s is
meaningful on a busy machine as well. The error is relative, over all values; *error of sent* counts only the values
that a sparse encoding sends.

Gradients of low rank are of the same 12 steps, each encoded in the bases that the ones before have left; the error is
that of the last gradient, alone and together with what the ones before have left out. Speed is that of the last
gradient's large matrices.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.simulation import InnerPeer, case_named
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.measuring.timing import Duration, interleave, typical
from core.run.encodings import Encoding, LowRank, TopK, WireFormat, wire_bytes
from core.run.rules import SwarmRules
from core.swarm.rounds.partition import round_parts
from core.swarm.state.low_rank import Bases, Basis
from core.swarm.wire.encoding import decode, encode

_TIMED_VALUES = 2**20
_REPEATS = 15
_EARLIER_STEPS, _STEPS, _SAMPLES = 8, 4, 16
_BASELINE = Encoding.BLOCKWISE8
_RANKS = (1, 4, 16)
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


def low_rank_rows(ranks: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield a row of the report for each of ``ranks``, with the times in seconds of the processor."""
    for rank in ranks:
        form = LowRank(rank=rank)
        peer = InnerPeer(case_named(f"k1-h{_STEPS}-float32-b{_SAMPLES}"), 0)
        rules = SwarmRules(gradient_encoding=form)
        bases = Bases(peer.model.named_parameters(), rules)
        left = {index: torch.zeros(peer.parameters[index].shape) for index, _ in bases.items()}
        for step in range(_EARLIER_STEPS + _STEPS):
            peer.add_gradients()
            exact = [item.clone() for item in peer.gradients]
            alone, fed = _errors(bases, left, exact)
            peer.apply_gradients(step)
        matrices = [(basis, exact[index]) for index, basis in bases.items()]
        factors = [basis.factors_of(item) for basis, item in matrices]
        yield {
            "encoding": str(form),
            "bits_a_value": rounded(8 * _bytes(rules, exact) / sum(item.numel() for item in exact)),
            "drift_error": None,
            "gradient_error": rounded(alone),
            "gradient_error_with_feedback": rounded(fed),
            "drift_error_of_sent": None,
            **_low_rank_speeds([basis for basis, _ in matrices], [item for _, item in matrices], factors),
        }


def _errors(bases: Bases, left: dict[int, Tensor], exact: Sequence[Tensor]) -> tuple[float, float]:
    """Return the relative errors of ``exact`` gradients, alone and with what is ``left``; the bases advance."""
    factors, alone, fed = list(exact), list(exact), list(exact)
    for index, basis in bases.items():
        alone[index] = basis.matrix_of(basis.factors_of(exact[index]).half().float())
        left[index] += exact[index]
        factors[index] = basis.factors_of(left[index]).half().float()
        fed[index] = basis.matrix_of(factors[index])
        left[index] -= fed[index]
    bases.advance(factors)
    whole = _flat(list(exact))
    first, second = (float((_flat(item) - whole).norm() / whole.norm()) for item in (alone, fed))
    return first, second


def _bytes(rules: SwarmRules, gradients: Sequence[Tensor]) -> int:
    return sum(part.wire_bytes for part in round_parts([item.shape for item in gradients], rules))


def _low_rank_speeds(
    bases: Sequence[Basis], matrices: Sequence[Tensor], factors: Sequence[Tensor]
) -> dict[str, float]:
    def each(work: Callable[[Basis, Tensor], object], given: Sequence[Tensor]) -> Callable[[], object]:
        return lambda: [work(basis, item) for basis, item in zip(bases, given, strict=True)]

    values = torch.cat([item.reshape(-1) for item in matrices])[:_TIMED_VALUES]
    megabytes, share = 4 * sum(item.numel() for item in matrices) / 1e6, len(values)
    message = encode(values, _BASELINE)
    taken = interleave(
        {
            "encode": each(Basis.factors_of, matrices),
            "decode": each(Basis.matrix_of, factors),
            "base encode": lambda: encode(values, _BASELINE),
            "base decode": lambda: decode(message, _BASELINE, share),
        },
        _REPEATS,
    )
    cpu = {name: typical(found).cpu for name, found in taken.items()}
    larger = megabytes / (4 * share / 1e6)
    return {
        "encode_mb_per_cpu_second": rounded(megabytes / cpu["encode"], 3),
        "decode_mb_per_cpu_second": rounded(megabytes / cpu["decode"], 3),
        "encode_time_ratio": rounded(cpu["encode"] / larger / cpu["base encode"], 3),
        "decode_time_ratio": rounded(cpu["decode"] / larger / cpu["base decode"], 3),
    }


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
            "gradient_error_with_feedback": None,
            "drift_error_of_sent": rounded(relative_error(drift, form, sent=True)),
            "encode_mb_per_cpu_second": rounded(megabytes / encoding[str(form)].cpu, 3),
            "decode_mb_per_cpu_second": rounded(megabytes / decoding[str(form)].cpu, 3),
            "encode_time_ratio": rounded(encoding[str(form)].cpu / encoding[base].cpu, 3),
            "decode_time_ratio": rounded(decoding[str(form)].cpu / decoding[base].cpu, 3),
        }
        for form in FORMS
    ]
    rows += low_rank_rows(_RANKS)
    report.write(rows, folder=out, threads=1, timed_values=len(timed), values=len(drift), repeats=_REPEATS)


if __name__ == "__main__":
    main()
