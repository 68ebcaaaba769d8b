"""Loss at equal samples under each rule of aggregation and each forgery, and what the rules cost.

Ten contributors in one process, three of them hostile in all rows but the clean ones, train the least model of the
embedded run without any network: gradients in 8 bits, or drifts of local steps in 4 bits with what a rule leaves out
kept by its contributor. Parts are cut, encoded, aggregated and decoded by the product's own functions, and weights
are capped as its reducers do. Hostile contributors know all honest contributions. The loss is that of the same held
back captions and codes. Costs are processor time of a rule relative to that of the weighted mean in the same process.
"""

import argparse
import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.drifts.simulation import InnerPeer, SimulationCase, over_the_wire
from benchmarks.hostility.forgeries import FORGERIES, Forgery, HostileView
from benchmarks.measuring.report import RESULTS, BenchmarkReport, measure_missing, rounded
from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import Encoding, TopK, WireFormat
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from core.swarm.aggregation.contributions import PartValues
from core.swarm.aggregation.rule import AggregationRule, RobustRule, aggregate, rule_of, weighted_mean
from core.swarm.aggregation.weight_caps import capped_weights
from core.swarm.rounds.partition import Part, round_parts
from core.swarm.state.local_training import kept_of_clipped
from core.swarm.wire.encoding import decode_received, encode

_NAME, _COSTS = "hostility_rules", "hostility_rules_cost"
_CONTRIBUTORS, _HOSTILE = 10, 3
_SAMPLES = 8
"""Samples of a contributor in a step."""
_BATCH = 96
"""Samples of an update of the embedded run, by whose number its schedule has the learning rate."""
_ROUNDS: Mapping[str, int] = {"gradients": 24, "local_steps": 6}
_STEPS = 4
"""Local steps of a round."""
_TEST_SAMPLES = 96
_CLEAN = "clean"
_RULES = ("mean_without_cap", *(item.value for item in Aggregation if item.is_robust))
_RULES_OF_DRIFTS = ("mean_without_cap", "clipped_mean", "centered_clip")
_FORGERIES_BY_WEIGHT = (_CLEAN, "sign_flip_at_the_cap", "forged_weight")
_FORGERIES_OF_DRIFTS = (_CLEAN, "sign_flip", "sign_flip_tenfold", "forged_weight", "a_little")
_COST_VALUES, _COST_GROUPS = 2**18, (4, 16, 64)
_REPEATS = 3


def _cases() -> Iterator[str]:
    of_gradients = [f"gradients/{rule}/{forgery}" for forgery in (_CLEAN, *FORGERIES) for rule in _RULES]
    most = of_gradients[: -2 * len(_RULES)]
    yield from (*most, *(f"gradients/mean/{forgery}" for forgery in _FORGERIES_BY_WEIGHT))
    for forgery, rule in itertools.product(_FORGERIES_OF_DRIFTS, _RULES_OF_DRIFTS):
        yield f"local_steps/{rule}/{forgery}"
    yield from of_gradients[len(most) :]


CASES = tuple(_cases())
"""Names of all rows: procedure, rule and forgery."""


def _swarm_rules(procedure: str, rule: str) -> SwarmRules:
    aggregation = Aggregation.MEAN if rule == "mean_without_cap" else Aggregation(rule)
    common: dict[str, Any] = {
        "aggregation": aggregation,
        "robust": None if rule == "mean_without_cap" else RobustRules(),
        "large_tensor_elements": 4096,
    }
    if procedure == "gradients":
        return SwarmRules(**common)
    dense = LocalStepRules(
        steps=_STEPS, drift_encoding=Encoding.BLOCKWISE4, mean_encoding=Encoding.BLOCKWISE4
    )
    return SwarmRules(overlap=Overlap.FULL, local_steps=dense, **common)


@dataclass(frozen=True)
class ForgedRound:
    """The contributions to one round, and what became of them."""

    aggregate: list[Tensor]
    shares: list[list[float]]
    """Share of each contributor, by part."""


class SimulatedReducers:
    """The reducers of a simulated round, by the functions of real ones."""

    def __init__(self, shapes: Sequence[Sequence[int]], rules: SwarmRules) -> None:
        self.parts: tuple[Part, ...] = round_parts(shapes, rules)[:-1]
        self._rules, self._rule, self._shapes = rules, rule_of(rules), shapes
        self._last: list[Tensor | None] = [None] * len(self.parts)

    def reduce(self, sent: Sequence[Sequence[Tensor]], weights: Sequence[float]) -> ForgedRound:
        """Return the round of what each contributor ``sent``, tensors of the parameters' shapes, with ``weights``."""
        users = range(len(sent))
        if (cap := self._rules.weight_cap) is not None:
            weights = capped_weights(weights, users, cap)
        found = [torch.zeros(tuple(shape)) for shape in self._shapes]
        shares = []
        for index, part in enumerate(self.parts):
            received = [over_the_wire(part.gather(item), part.encoding) for item in sent]
            whole = aggregate(self._rule, received, weights, centre=self._last[index])
            self._last[index] = over_the_wire(whole.values, part.aggregate_encoding)
            part.scatter(over_the_wire(whole.values, part.aggregate_encoding), found)
            shares.append(list(whole.shares))
        return ForgedRound(found, shares)


class HostileRun:
    """Ten contributors of whom some are hostile, and the committed parameters that all share."""

    def __init__(self, rules: SwarmRules, forgery: Forgery | None) -> None:
        case = SimulationCase("row", 1, 1, _SAMPLES, Encoding.FLOAT32, Encoding.FLOAT32, run="least")
        self.peers = [InnerPeer(case, number) for number in range(_CONTRIBUTORS)]
        self.committed = [item.clone() for item in self.peers[0].parameters]
        self._forgery, self._hostile = forgery, _HOSTILE if forgery is not None else 0
        self._shapes = [item.shape for item in self.committed]
        self._sizes = [item.numel() for item in self.committed]
        self.reducers = SimulatedReducers(self._shapes, rules)
        self._first: dict[int, Tensor] = {}
        weights = [1.0] * (_CONTRIBUTORS - self._hostile)
        self._weights = [*weights, *[forgery.weight if forgery is not None else 1.0] * self._hostile]

    def add_gradients(self, number: int) -> None:
        """Let contributor ``number`` compute the gradient of its next samples, on wrong codes if it flips labels."""
        peer = self.peers[number]
        tokens, codes = peer.samples()
        if self._is_hostile(number) and self._forgery is not None and self._forgery.flips_labels:
            codes = peer.model.config.image_vocab - 1 - codes
        peer.add_gradients_of(tokens, codes)

    def _is_hostile(self, number: int) -> bool:
        return number >= _CONTRIBUTORS - self._hostile

    def reduce(self, computed: Sequence[Sequence[Tensor]]) -> ForgedRound:
        """Return the round of what was ``computed``, in place of which the hostile send forgeries."""
        flat = [torch.cat([item.reshape(-1) for item in tensors]) for tensors in computed]
        honest = [item for number, item in enumerate(flat) if not self._is_hostile(number)]
        sent = []
        for number, own in enumerate(flat):
            forged = own
            if self._is_hostile(number) and self._forgery is not None:
                first = self._first.setdefault(number, own.clone())
                forged = self._forgery.forge(HostileView(own, honest, first))
            sent.append(self._shaped(forged))
        return self.reducers.reduce(sent, self._weights)

    def _shaped(self, flat: Tensor) -> list[Tensor]:
        pieces = flat.split(self._sizes)
        return [piece.reshape(shape) for piece, shape in zip(pieces, self._shapes, strict=True)]


def _by_gradients(run: HostileRun, number: int) -> None:
    """Make one update of gradients."""
    for contributor in range(_CONTRIBUTORS):
        run.add_gradients(contributor)
    found = run.reduce([[item.clone() for item in peer.gradients] for peer in run.peers])
    first, *others = run.peers
    for gradient, mean in zip(first.gradients, found.aggregate, strict=True):
        gradient.copy_(mean)
    first.apply_gradients(number * _CONTRIBUTORS * _SAMPLES / _BATCH)
    for shared, new in zip(run.committed, first.parameters, strict=True):
        shared.copy_(new)
    for peer in others:
        for own, new, gradient in zip(peer.parameters, first.parameters, peer.gradients, strict=True):
            own.copy_(new)
            gradient.zero_()


def _by_local_steps(run: HostileRun, number: int) -> None:
    """Make a round of local steps; what the rule left out of a drift stays with its contributor."""
    drifts = []
    for contributor, peer in enumerate(run.peers):
        for step in range(_STEPS):
            run.add_gradients(contributor)
            peer.apply_gradients((number * _STEPS + step) * _CONTRIBUTORS * _SAMPLES / _BATCH)
        drifts.append([shared - own for shared, own in zip(run.committed, peer.parameters, strict=True)])
    found = run.reduce(drifts)
    for shared, mean in zip(run.committed, found.aggregate, strict=True):
        shared.sub_(mean)
    for contributor, (peer, drift) in enumerate(zip(run.peers, drifts, strict=True)):
        for part, shares in zip(run.reducers.parts, found.shares, strict=True):
            sent = part.gather(drift)
            taken = over_the_wire(sent, part.encoding) * (part.gather(found.aggregate) != 0)
            taken *= 1 - kept_of_clipped(shares[contributor])
            part.scatter(part.gather(run.committed) - (sent - taken), peer.parameters)


class HeldBackLoss:
    """The loss on captions and codes that no contributor draws first."""

    def __init__(self) -> None:
        case = SimulationCase("row", 1, 1, _TEST_SAMPLES, Encoding.FLOAT32, Encoding.FLOAT32, run="least")
        self._peer = InnerPeer(case, "tester")
        self._tokens, self._codes = self._peer.samples()

    @torch.no_grad()
    def of(self, parameters: Sequence[Tensor]) -> float:
        """Return the loss with ``parameters``."""
        for own, given in zip(self._peer.parameters, parameters, strict=True):
            own.copy_(given)
        return float(self._peer.model.loss(self._tokens, self._codes))


def measure(name: str) -> dict[str, Any]:
    """Return the row of that name: the losses of a run of ten contributors."""
    procedure, rule, forged = name.split("/")
    started, test = time.process_time(), HeldBackLoss()
    torch.manual_seed(0)
    run = HostileRun(_swarm_rules(procedure, rule), FORGERIES.get(forged))
    rounds, step = _ROUNDS[procedure], _by_gradients if procedure == "gradients" else _by_local_steps
    losses = [rounded(test.of(run.committed))]
    for number in range(rounds):
        step(run, number)
        if (number + 1) % (rounds // 3) == 0:
            losses.append(rounded(test.of(run.committed)))
    return {
        "case": name,
        "loss": losses[-1] if math.isfinite(losses[-1]) else "not finite",
        "cpu_seconds": rounded(time.process_time() - started, 3),
        "loss_by_thirds": losses,
    }


def costs() -> list[dict[str, Any]]:
    """Return the processor time of each rule for a part, relative to that of the weighted mean in this process."""
    forms: tuple[WireFormat, ...] = (Encoding.FLOAT32, TopK(kept=512))
    return [_cost(members, form) for members, form in itertools.product(_COST_GROUPS, forms)]


def _cost(members: int, form: WireFormat) -> dict[str, Any]:
    tensors = [torch.randn(_COST_VALUES) for _ in range(members)]
    given = [decode_received(encode(item, form), form, _COST_VALUES) for item in tensors]
    weights, centre = [1.0] * members, torch.randn(_COST_VALUES)
    mean = _seconds(weighted_mean, given, weights, centre)
    megabytes = 4 * _COST_VALUES / 2**20
    kinds = [item for item in Aggregation if item.is_robust]
    return {
        "members": members,
        "form": str(form),
        "mean_ms_a_megabyte": rounded(1e3 * mean / megabytes),
        **{
            kind.value: rounded(_seconds(RobustRule(kind, RobustRules()), given, weights, centre) / mean, 3)
            for kind in kinds
        },
    }


def _seconds(
    rule: AggregationRule, given: Sequence[PartValues], weights: Sequence[float], centre: Tensor
) -> float:
    """Return the least seconds of the processor in which ``rule`` makes an aggregate of what is ``given``."""
    found = []
    for _ in range(_REPEATS):
        began = time.process_time()
        aggregate(rule, given, weights, centre=centre)
        found.append(time.process_time() - began)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help="rows, separated by commas, as --list shows them")
    parser.add_argument("--list", action="store_true", help="show the names of all rows, and measure none")
    parser.add_argument("--cost", action="store_true", help="measure what the rules cost instead")
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.list:
        print(*CASES, sep="\n")
        return
    if given.cost:
        BenchmarkReport(_COSTS, __doc__ or "").write(costs(), folder=given.out, threads=1)
        return
    wanted = given.only.split(",") if given.only else CASES
    settings = {"contributors": _CONTRIBUTORS, "hostile": _HOSTILE, "rounds": dict(_ROUNDS)}
    measure_missing(_NAME, __doc__ or "", wanted, measure, folder=given.out, threads=1, **settings)


if __name__ == "__main__":
    main()
