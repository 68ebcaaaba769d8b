"""Mutates the seeds of a target without a fuzzer, the same for the same seed: what tests can afford."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.fuzzing.target import FuzzTarget
from benchmarks.subjects.mutations import mutated

DICTIONARY = (
    b"\0", b"\xff", b"\x7f\xff\xff\xff", b"\x80", b"\xff" * 8, b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff",
    b"\xc7\x08\x40",
    b"\xd6\xff\0\0\0\0", b"\xca\x7f\xc0\0\0", b"\xcb\x7f\xf0\0\0\0\0\0\0", b"\x91" * 600, b"\x81\x90\xc0",
    b'"', b"\\ud800", b"{", b"[" * 600, b"null", b"NaN", b"1e999", b"9" * 5000, b"-1", b"..", b"%", b"\n",
)  # fmt: skip
"""Inputs that parsers of msgpack, protocol buffers and JSON often mishandle."""


def mutations(target: FuzzTarget, count: int, seed: int) -> Iterator[bytes]:
    """Yield ``count`` inputs made of the seeds of ``target``, drawn by ``seed``; some were mutated several times."""
    chance, dictionary = random.Random(f"{target.name} {seed}"), (*DICTIONARY, *target.dictionary)
    for _ in range(count):
        data = chance.choice(target.seeds)
        for _ in range(chance.choice((1, 1, 2, 3))):
            data = mutated(data, chance, dictionary)
        yield data


@dataclass(frozen=True)
class NoiseFault:
    """An input to which a parser answered with an error that it does not document."""

    data: bytes
    error: Exception


def faults(target: FuzzTarget, count: int, seed: int) -> list[NoiseFault]:
    """Let ``target`` parse as many `mutations`, and return its faults."""
    found = []
    for data in mutations(target, count, seed):
        try:
            target.accepts(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault
            found.append(NoiseFault(data, error))
    return found
