"""What predicts codes gives the same numbers on every machine: tables far from ties, sums of whole numbers alone."""

import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np

from core.data.packed.block import unpack
from core.data.packed.mixing import LOGITS, PROBABILITIES

GOLDEN = Path(__file__).with_name("block-1.bin")
HEADER_BYTES = 14
GRID, VOCAB, BITS, LANES = 6, 61, 6, 144
"""Of the golden block; it has 200 images, of which so many make the first wave."""
CONTEXTS, NOTHING = 6, 1 << BITS
LARGEST = 2047


def exact_logit(n: int) -> Decimal:
    return 256 * ((Decimal(n) + Decimal("0.5")) / (Decimal("4095.5") - n)).ln()


def exact_probability(logit: int) -> Decimal:
    return 65_536 / (1 + (Decimal(-logit) / 256).exp())


def test_the_tables_are_what_exact_arithmetic_rounds_to_and_nowhere_near_a_tie() -> None:
    with localcontext(prec=30):
        for table, exact in (
            (LOGITS, [exact_logit(n) for n in range(4096)]),
            (PROBABILITIES, [exact_probability(logit) for logit in range(-LARGEST, LARGEST + 1)]),
        ):
            clipped = [max(-LARGEST, min(LARGEST, round(value))) for value in exact]
            assert table.tolist() == (clipped if table is LOGITS else [round(value) for value in exact])
            # Logarithms and exponentials of two C libraries differ by 1e-12 of these at the very most.
            assert min(abs(abs(value % 1) - Decimal("0.5")) for value in exact) > Decimal("1e-5")


def of_bits(data: bytes, count: int) -> list[int]:
    """Numbers of ``BITS`` bits, the highest first."""
    whole, size = int.from_bytes(data), 8 * len(data)
    return [whole >> (size - BITS * (index + 1)) & (1 << BITS) - 1 for index in range(count)]


class WholeNumbers:
    """Decodes the first wave of the golden block as the layout says, lane by lane, by Python's whole numbers.

    Only a count's share is a quotient of two floating-point numbers, which IEEE 754 rounds alike everywhere.
    """

    def __init__(self, stream: bytes) -> None:
        self.states = [int.from_bytes(stream[4 * lane : 4 * lane + 4], "little") for lane in range(LANES)]
        words = stream[4 * LANES :]
        self.words = [int.from_bytes(words[at : at + 2], "little") for at in range(0, len(words), 2)][::-1]
        self.seen: Counter[tuple[int, int]] = Counter()
        self.ones: Counter[tuple[int, int]] = Counter()
        self.weights = [[round(0.3 * 65_536)] * CONTEXTS for _ in range(BITS)]

    def codes(self) -> list[list[int]]:
        """Of each lane, row by row."""
        around = [[[NOTHING] * (GRID + 3) for _ in range(GRID + 2)] for _ in range(LANES)]
        for row in range(GRID):
            for column in range(GRID):
                near = [[line[column : column + 4] for line in lane[row : row + 3]] for lane in around]
                for lane, code in enumerate(self._code([self._contexts(lane) for lane in near])):
                    around[lane][row + 2][column + 2] = code
        return [[code for line in lane[2:] for code in line[2 : 2 + GRID]] for lane in around]

    @staticmethod
    def _contexts(near: list[list[int]]) -> list[int]:
        left, above, shift = near[2][1], near[1][2], BITS - 5
        firsts = left, 0, left, left >> shift, above, near[2][0]
        seconds = 0, above, above, above >> shift, near[1][3], near[0][2]
        return [first << 16 | second for first, second in zip(firsts, seconds, strict=True)]

    def _code(self, contexts: list[list[int]]) -> list[int]:
        nodes = [1] * LANES
        for first in range(0, BITS, 2):
            slots, within = [self._slots(*lane) for lane in zip(contexts, nodes, strict=True)], [1] * LANES
            for number in (first, first + 1):
                places = [
                    [(context, slot + inner) for context, slot in enumerate(lane)]
                    for lane, inner in zip(slots, within, strict=True)
                ]
                bits = self._bits(places, self.weights[number])
                within = [2 * inner + bit for inner, bit in zip(within, bits, strict=True)]
                nodes = [2 * node + bit for node, bit in zip(nodes, bits, strict=True)]
        return [node - (1 << BITS) for node in nodes]

    @staticmethod
    def _slots(contexts: list[int], node: int) -> list[int]:
        hashed = [(context << 16 | node) * 0x9E3779B97F4A7C15 % (1 << 64) for context in contexts]
        return [number >> 64 - 19 << 2 for number in hashed]

    def _bits(self, places: list[list[tuple[int, int]]], weights: list[int]) -> list[int]:
        """The next bit of each lane; what is learned of it comes after all."""
        logits = [[self._logit(place) for place in lane] for lane in places]
        probabilities = [self._probability(of_lane, weights) for of_lane in logits]
        bits = [self._take(lane, probability) for lane, probability in enumerate(probabilities)]
        for lane, state in enumerate(self.states):
            self.states[lane] = state << 16 | self.words.pop() if state < 1 << 16 else state
        errors = [bit * 65_536 - one for bit, one in zip(bits, probabilities, strict=True)]
        for context in range(CONTEXTS):
            gradient = sum(lane[context] * error for lane, error in zip(logits, errors, strict=True))
            weights[context] += round(Fraction(gradient, 65_536))
        for touched, bit in zip(places, bits, strict=True):
            self.seen.update(touched)
            self.ones.update(touched * bit)
        return bits

    def _logit(self, place: tuple[int, int]) -> int:
        return int(LOGITS[int((self.ones[place] + 0.4) / (self.seen[place] + 0.8) * 4096)])

    @staticmethod
    def _probability(logits: list[int], weights: list[int]) -> int:
        mixed = math.trunc(Fraction(sum(map(int.__mul__, logits, weights)), 65_536))
        return int(PROBABILITIES[max(-LARGEST, min(LARGEST, mixed)) + LARGEST])

    def _take(self, lane: int, probability: int) -> int:
        upper, rest = divmod(self.states[lane], 65_536)
        bit = rest < probability
        share = probability if bit else 65_536 - probability
        self.states[lane] = upper * share + rest - (0 if bit else probability)
        return int(bit)


def test_whole_numbers_alone_decode_what_arrays_of_floating_point_encoded() -> None:
    block = GOLDEN.read_bytes()
    order_bytes = -(-VOCAB * BITS // 8)
    order = of_bits(block[HEADER_BYTES : HEADER_BYTES + order_bytes], VOCAB)
    decoder = WholeNumbers(block[HEADER_BYTES + order_bytes :])
    found = [[order[place] for place in lane] for lane in decoder.codes()]
    assert np.array_equal(found, unpack(block, "the golden block")[:LANES])
