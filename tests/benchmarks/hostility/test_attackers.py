"""The pure parts of attackers: what they send, write and claim."""

import asyncio
import os
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import msgpack
import pytest
import torch
from hivemind.averaging.allreduce import AveragingMode
from hivemind.dht import DHTID
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.dht.validation import DHTRecord
from hivemind.p2p import PeerID
from hivemind.utils.serializer import MSGPackSerializer
from pydantic import ValidationError

from benchmarks.hostility.__main__ import chosen, hostile_peers, parser, swarm_rules
from benchmarks.hostility.attackers.attacker import AttackOutdatedError, replace
from benchmarks.hostility.attackers.clocks import replace_everywhere, shifted
from benchmarks.hostility.attackers.commits import unfounded_commit
from benchmarks.hostility.attackers.double_votes import contrary, halved, store_two
from benchmarks.hostility.attackers.entrances import near
from benchmarks.hostility.attackers.ghosts import claiming
from benchmarks.hostility.attackers.gradients import SignFlip, flipped_labels, largest_z, little, scaled
from benchmarks.hostility.attackers.keys import matchmaking_key, round_schema
from benchmarks.hostility.attackers.record_forger import StoredValue, signed_value
from benchmarks.hostility.attackers.reducers import as_client, lying
from benchmarks.hostility.attackers.states import forged_state
from benchmarks.hostility.attackers.summaries import false_summary
from benchmarks.hostility.rows import CLEAN, ROWS
from benchmarks.hostility.run_files import write_run
from benchmarks.hostility.seat import PeerSeat
from core.data.streaming.sample_stream import MicroBatch
from core.digest import sketch, sketch_distance
from core.run.aggregation import Aggregation
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap
from core.swarm.averaging.averager import GradientAverager
from core.swarm.quorum.votes import DoubleVote, Vote
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.state import PARAMETERS, SwarmState, under
from core.swarm.wire.encoding import decode, encode
from core.swarm.wire.identity import PeerIdentity, peer_id_of
from core.swarm.wire.own_certificate import OPEN_RUN
from core.swarm.wire.records import CommitRecord, ProgressRecord, commit_key
from tests.swarms.tiny_run import write_tiny_run

HONEST = ProgressRecord(
    peer_id=b"\1" * 34,
    epoch=7,
    head=b"\2" * 32,
    parameters=b"\3" * 32,
    sketch=[0.5] * 32,
    samples=40,
    samples_per_second=3.0,
    time=1e9,
    reducing=True,
    auxiliary=False,
    synchronised=True,
    paused=False,
)


def seat_in(folder: Path) -> PeerSeat:
    return PeerSeat(folder, "eve", folder / "run.toml", (), ("token",), 0, 1.0, 4, 2)


def test_every_row_but_the_clean_one_has_an_attacker_that_says_what_it_does() -> None:
    assert [name for name, row in ROWS.items() if row.attacker is None] == [CLEAN]
    assert all(len((row.attacker.__doc__ or "").split()) > 10 for row in ROWS.values() if row.attacker)


def test_each_attacker_can_be_made_with_the_options_of_its_row(tmp_path: Path) -> None:
    seat = seat_in(tmp_path)
    for row in ROWS.values():
        numbers = {"peers": 10, "hostile": 3} if row.knows_numbers else {}
        if row.attacker is not None:
            assert row.attacker(seat, **row.options, **numbers).seat == seat


def test_a_false_entrance_names_nodes_beside_each_key() -> None:
    key = DHTID.generate()
    named = [DHTID.from_bytes(item) for item in near(key.to_bytes(), 16)]
    assert len(set(named)) == 16
    assert max(key.xor_distance(item) for item in named) < min(
        key.xor_distance(DHTID.generate()) for _ in range(100)
    )


def test_rules_of_the_swarm_are_given_in_toml() -> None:
    assert swarm_rules([]) == {}
    words = ['aggregation="mean"', "local_steps.steps=2", 'overlap="full"']
    named = swarm_rules(words)
    assert named == {
        "aggregation": Aggregation.MEAN,
        "local_steps": LocalStepRules(steps=2),
        "overlap": Overlap.FULL,
    }
    with pytest.raises(ValidationError, match="nonsense"):
        swarm_rules(["nonsense=1"])


def test_runs_are_drafted_with_a_robust_rule_unless_another_is_named(tmp_path: Path) -> None:
    for model in ("tiny", "embedded"):
        drafted = RunManifest.load(write_run(model, tmp_path / model).manifest).training.swarm
        assert (drafted.aggregation, drafted.weight_cap) == (Aggregation.CLIPPED_MEAN, 2.0)
    plain = write_run("tiny", tmp_path / "plain", **swarm_rules(['aggregation="mean"']))
    assert RunManifest.load(plain.manifest).training.swarm.aggregation is Aggregation.MEAN


def test_the_clean_row_comes_first_and_three_of_ten_are_hostile() -> None:
    options = parser().parse_args(["--only", "12", "5", "--peers", "10"])
    assert (chosen(options), hostile_peers(options)) == ([CLEAN, "5", "12"], 3)
    assert hostile_peers(parser().parse_args(["--peers", "2"])) == 1
    assert hostile_peers(parser().parse_args(["--hostile", "2"])) == 2


def test_a_part_that_the_product_has_no_longer_is_not_replaced_in_silence() -> None:
    module = ModuleType("product")
    module.__dict__["part"] = 1
    replace(module, "part", lambda part: part + 1)
    assert module.part == 2
    with pytest.raises(AttackOutdatedError, match="has no other"):
        replace(module, "other", lambda part: part)


def prepare_all(folder: Path) -> list[str]:
    """Replace what all attackers replace, and return the calls by which peers get what another serves."""
    for row in ROWS.values():
        numbers = {"peers": 10, "hostile": 3} if row.knows_numbers else {}
        if row.attacker is not None:
            row.attacker(seat_in(folder), **row.options, **numbers).prepare()
    GradientAverager._collect_rpc_handlers()
    return [item.method_name for item in GradientAverager._rpc_handlers if item.stream_input]


def test_each_attack_finds_the_parts_of_the_product_that_it_replaces(tmp_path: Path) -> None:
    """In a process of its own, which has loaded them all: the product stays as it is for other tests."""
    folder = write_tiny_run(tmp_path / "run").parent
    with get_context("fork").Pool(1) as process:
        served = process.apply(prepare_all, (folder,))
    assert "rpc_aggregate_part" in served  # peers still find what the silent one serves


def test_a_real_batch_is_forged_as_it_is_handed_over(tmp_path: Path) -> None:
    parameter = torch.nn.Parameter(torch.zeros(2))
    parameter.grad = torch.tensor([4.0, -8.0])
    work = Accumulator([parameter])
    work.add(1.5, 4)
    SignFlip(seat_in(tmp_path), factor=10.0).meet(SimpleNamespace(work=work))
    inputs = [torch.zeros(2), torch.zeros(1)]
    assert work.hand_over(inputs).samples == 4
    assert [item.tolist() for item in inputs] == [[-10.0, 20.0], [1.5]]


def test_gradients_are_turned_round_and_scaled() -> None:
    (forged,) = scaled(-10.0)([torch.tensor([1.0, -2.0])])
    assert forged.tolist() == [-10.0, 20.0]


def test_a_little_is_as_many_deviations_as_hide_among_the_honest() -> None:
    assert largest_z(50, 24) == pytest.approx(1.43, abs=0.01)  # of 26 honest peers, 2 are further away
    assert largest_z(4, 1) == 1.0
    found = little(torch.tensor([1.0, 2.0]), torch.tensor([0.5, 0.25]), 2.0)
    assert found.tolist() == [0.0, 1.5]


def test_labels_are_counted_from_the_other_end() -> None:
    found = flipped_labels(MicroBatch(["red cat"], torch.tensor([[0, 31, 5]])), 32)
    assert (found.captions, found.codes.tolist()) == (["red cat"], [[31, 0, 26]])


def test_a_lying_reducer_encodes_the_aggregate_turned_round() -> None:
    values = torch.tensor([1.0, -2.5])
    honest, lie = encode(values, Encoding.FLOAT32), lying(encode, 10.0)(values, Encoding.FLOAT32)
    assert decode(honest, Encoding.FLOAT32, 2).tolist() == [1.0, -2.5]
    assert decode(lie, Encoding.FLOAT32, 2).tolist() == [-10.0, 25.0]


def test_a_member_is_announced_as_one_that_accepts_no_connections_and_as_it_was_otherwise() -> None:
    announced = MSGPackSerializer.dumps([5.0, AveragingMode.NODE.value, None])
    assert MSGPackSerializer.loads(as_client(announced)) == [5.0, AveragingMode.CLIENT.value, None]


def test_a_forged_state_has_the_sketch_of_another_model_at_the_same_place() -> None:
    draws = torch.Generator().manual_seed(1)
    tensors = {
        PARAMETERS + "a": torch.randn(300, 40, generator=draws),
        PARAMETERS + "b": 5 + torch.randn(77, generator=draws),
        "optimizer.a": torch.zeros(3),
    }
    honest = SwarmState(4, b"\1" * 32, tensors)
    forged = forged_state(honest)
    old, new = under(PARAMETERS, honest.tensors), under(PARAMETERS, forged.tensors)
    assert (forged.epoch, forged.head, set(forged.tensors)) == (4, honest.head, set(tensors))
    assert sketch_distance(sketch(new), sketch(old)) < 1e-5
    assert float((new["a"] - old["a"]).norm() / old["a"].norm()) > 1.0


def test_a_claim_is_made_at_the_place_of_the_others() -> None:
    found = claiming(HONEST, bytes(34), 2e9, b"certificate")
    assert (found.epoch, found.head, found.peer_id) == (HONEST.epoch, HONEST.head, bytes(34))
    assert found.samples > 10**7
    assert ProgressRecord.model_validate(found.pack()) == found


def test_an_unfounded_commit_and_a_false_summary_fit_their_kinds() -> None:
    commits = [unfounded_commit(7, HONEST.head, b"") for _ in range(2)]
    assert commits[0].root != commits[1].root
    assert {(item.epoch, item.parent) for item in commits} == {(7, HONEST.head)}
    summary = false_summary(HONEST, bytes(34), 1e9, b"")
    assert (summary.peers, summary.places[0].epoch > HONEST.epoch) == (400, True)


def test_a_contrary_vote_is_for_another_root_under_the_same_number() -> None:
    vote = unfounded_commit(7, HONEST.head, b"")
    other = contrary(vote)
    assert (other.epoch, other.parent, other.attempt) == (vote.epoch, vote.parent, vote.attempt)
    assert (other.group, other.samples) == (vote.group, vote.samples)
    assert other.root != vote.root


def test_each_half_of_the_peers_is_shown_another_vote() -> None:
    peers = [PeerID(b"\x12\x20" + bytes([number]) * 32) for number in range(5)]
    shown = [
        [item for place, item in enumerate(halved({*peers}, first)) if not place % 2] for first in (0, 1)
    ]
    assert [len(half) for half in shown] == [3, 3]
    assert {*shown[0], *shown[1]} == {*peers}, "by turns, so that each peer is shown either"


class _ShownVotes:
    """The log of a hostile peer, and the two votes that its node would store."""

    def __init__(self, own: PeerIdentity) -> None:
        self._signer, self._prefix, self._certificate, self._dht = own, "run", OPEN_RUN, self
        self.values: list[StoredValue] = []

    def _dht_clock(self) -> float:
        return 1e9

    async def run_coroutine(self, work: Any, return_future: bool) -> None:
        self.values += work.keywords["values"]


def test_both_votes_are_signed_and_end_at_one_moment(tmp_path: Path) -> None:
    own, vote = PeerIdentity.load_or_create(tmp_path / "eve"), unfounded_commit(7, HONEST.head, b"")
    log = _ShownVotes(own)
    kept = asyncio.run(store_two(log, vote))
    assert kept.record.root == vote.root
    (key, *_, until), (other_key, *_, other_until) = log.values
    assert (key, until) == (other_key, other_until)
    votes = [Vote(kept.writer, _record_in(own, item), own.owner) for item in log.values]
    assert DoubleVote(*votes).holds("run")


def _record_in(own: PeerIdentity, stored: StoredValue) -> CommitRecord:
    key, _, value, until = stored
    record = DHTRecord(DHTID.generate(source=key).to_bytes(), msgpack.packb(own.owner), value, until)
    stripped = RSASignatureValidator(own.private_key).strip_value(record)
    return CommitRecord.model_validate(msgpack.unpackb(stripped))


def test_a_forged_record_is_signed_by_the_key_it_is_under(tmp_path: Path) -> None:
    ghost = PeerIdentity.load_or_create(tmp_path / "ghost")
    key, owner, value, expires = signed_value(
        commit_key("run", 7), unfounded_commit(7, os.urandom(32), b""), ghost, 60.0
    )
    assert owner is not None
    assert peer_id_of(owner) == ghost.peer_id
    record = DHTRecord(DHTID.generate(source=key).to_bytes(), msgpack.packb(owner), value, expires)
    signatures = RSASignatureValidator(PeerIdentity.load_or_create(tmp_path / "other").private_key)
    assert signatures.validate(record)
    assert CommitRecord.model_validate(msgpack.unpackb(signatures.strip_value(record))).epoch == 7


def test_the_key_of_a_place_follows_from_the_parts_of_the_run_and_the_place(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_tiny_run(tmp_path / "run"))
    schema = round_schema(manifest)
    first = matchmaking_key(manifest.dht_prefix, schema, 0, b"\0" * 32)
    assert first != matchmaking_key(manifest.dht_prefix, schema, 1, b"\0" * 32)
    assert first.startswith(manifest.dht_prefix)
    assert first.endswith(".0b")


def test_a_clock_is_replaced_in_modules_and_in_the_defaults_of_functions() -> None:
    module = ModuleType("product")
    old, new = shifted(time.time, 1.0), shifted(time.time, 2.0)

    def first(clock: object = old) -> object:
        return clock

    def second(*, clock: object = old, other: int = 3) -> tuple[object, int]:
        return clock, other

    module.__dict__["clock"] = old
    sys.modules["product"] = module
    try:
        replace_everywhere(old, new)
    finally:
        del sys.modules["product"]
    assert (module.clock, first(), second()) == (new, new, (new, 3))


def test_a_clock_is_ahead() -> None:
    assert shifted(lambda: 5.0, 180.0)() == 185.0
    assert shifted(time.time, -180.0)() < time.time()
