"""A peer's work is recomputed from the rows that it names: what else it sends, or of other rows, is found false."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

from core.data.listing import local_shards
from core.data.streaming.rows import ShardRows
from core.data.streaming.sample_stream import MicroBatch
from core.data.streaming.stream import CodeStream
from core.data.streaming.walk import peer_seed
from core.families.text_to_image.rules import TextToImageRules
from core.model.micro_steps import MicroSteps
from core.run.manifest import RunManifest
from core.run.training.families import family_of
from core.swarm.auditing.gathered_rows import GatheredRows
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.trust import WorkVerdict
from core.swarm.auditing.work_auditor import WorkSample
from core.swarm.rounds.partition import Part, round_parts
from core.swarm.state.accumulator import Accumulator
from core.swarm.wire.encoding import encode
from core.trainer.recomputation import Recomputation
from core.trainer.work_check import Workshop
from tests.core.swarm.builders import identity
from tests.swarms.text_run import write_text_run
from tests.swarms.tiny_run import write_tiny_run

OLD, NEW = (3, b"\x03" * 32), (4, b"\x04" * 32)
"""Two heads, one after the other."""
ROWS = 16


@dataclass
class TinyTrainer:
    """A peer with its own model and data, at the parameters of a head."""

    manifest: RunManifest
    folder: Path
    name: str
    dtype: torch.dtype = torch.float32

    def __post_init__(self) -> None:
        training = self.manifest.training
        family = family_of(training)
        self.model = family.model(training.model, torch.Generator().manual_seed(0))
        self.heads = {OLD: self.values(), NEW: [item + 0.02 * item.std() for item in self.values()]}
        self.model.to(self.dtype)
        self.parameters = list(self.model.parameters())
        self.parts = round_parts([item.shape for item in self.parameters], training.swarm)
        self.work, self.rows = Accumulator(self.parameters), GatheredRows()
        reader, stream = family.samples(training, self.folder, peer=self.name)
        steps = MicroSteps(self.model, ())
        self.shop = Workshop(self.model, self.parameters, self.parts, stream, reader, steps)

    def read_windows_of(self, rows: int) -> None:
        """Read the run's pictures by windows of so many ``rows`` from now on."""
        training = self.manifest.training
        assert isinstance(training, TextToImageRules)
        self.shop.stream.close()
        stream = CodeStream(
            ShardRows(local_shards(training.data.shards, self.folder)),
            grid=training.model.grid,
            vocab=training.model.image_vocab,
            filters=training.data.filters,
            seed=peer_seed(training.data.seed, self.name),
            window_rows=rows,
            is_assigned=True,
        )
        self.shop = replace(self.shop, stream=stream)

    def values(self) -> list[torch.Tensor]:
        return [item.detach().clone() for item in self.model.parameters()]

    def train(self, head: tuple[int, bytes], rows: int, seen: Callable[[MicroBatch], MicroBatch]) -> None:
        """Compute micro-steps of four rows at a head, on what ``seen`` makes of them."""
        with torch.no_grad():
            for parameter, value in zip(self.parameters, self.heads[head], strict=True):
                parameter.copy_(value)
        self.shop.stream.begin_epoch(*head)
        for _ in range(rows // 4):
            batch = self.shop.stream.take(4)
            assert batch.rows is not None
            self.work.add(self.shop.add_gradients(seen(batch)), 4)
            self.rows.add(batch.rows)

    def send(self) -> tuple[list[torch.Tensor], RowClaim]:
        """Return the tensors of a round, and the rows behind them."""
        inputs = [torch.zeros(item.shape) for item in self.parameters] + [torch.zeros(1)]
        batch = self.work.hand_over(inputs)
        return inputs, self.rows.hand_over(batch)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunManifest, Path]:
    folder = tmp_path_factory.mktemp("run")
    manifest = write_tiny_run(folder, recomputed_share=1.0)
    return RunManifest.load(manifest), folder


@pytest.fixture(scope="module")
def text_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunManifest, Path]:
    folder = tmp_path_factory.mktemp("text")
    return RunManifest.load(write_text_run(folder, recomputed_share=1.0)), folder


PEER = identity(1).peer_id
Forge = Callable[[list[torch.Tensor]], list[torch.Tensor]]


def as_it_is(batch: MicroBatch) -> MicroBatch:
    return batch


def sample_of(
    run: tuple[RunManifest, Path],
    *,
    heads: Sequence[tuple[int, bytes]] = (NEW,),
    seen: Callable[[MicroBatch], MicroBatch] = as_it_is,
    name: str | None = None,
    forge: Forge = lambda tensors: tensors,
    dtype: torch.dtype = torch.float32,
) -> WorkSample:
    """Return what the peer sends of its work at those heads, in equal shares."""
    parts, inputs, claim = work_of(run[1], tuple(heads), seen, name or str(PEER.to_base58()), dtype)
    forged = forge([item.clone() for item in inputs])
    return WorkSample(PEER.to_bytes(), *NEW, float(claim.rows), claim, packed(parts, forged))


@cache
def work_of(
    folder: Path,
    heads: tuple[tuple[int, bytes], ...],
    seen: Callable[[MicroBatch], MicroBatch],
    name: str,
    dtype: torch.dtype,
) -> tuple[Sequence[Part], list[torch.Tensor], RowClaim]:
    """Return what a peer of the run in ``folder`` computes: its parts, their tensors, and the rows behind them."""
    target = TinyTrainer(RunManifest.load(folder / "run.toml"), folder, name, dtype)
    with closing(target.shop.stream):
        for head in heads:
            target.train(head, ROWS // len(heads), seen)
        return target.parts, *target.send()


def packed(parts: Sequence[Part], tensors: list[torch.Tensor]) -> dict[int, bytes]:
    return {
        index: encode(part.gather(tensors), part.encoding).SerializeToString()
        for index, part in enumerate(parts[:-1])
    }


def verdict_on(run: tuple[RunManifest, Path], sample: WorkSample, **changes: Any) -> WorkVerdict | None:
    """Return what an auditor finds, which has gradients of its own that stay as they are."""
    auditor = TinyTrainer(*run, "auditor")
    with closing(auditor.shop.stream):
        auditor.train(NEW, 4, as_it_is)
        before = [item.grad.clone() for item in auditor.parameters if item.grad is not None]
        values = auditor.values()
        seed = peer_seed(run[0].training.data_seed, sample.name)
        work = Recomputation(sample, changes.get("heads", auditor.heads), seed, auditor.shop)
        while work.verdict is None:
            if not work.turn():
                time.sleep(0.001)  # its rows are being read
        after = [item.grad for item in auditor.parameters if item.grad is not None]
        assert all(one.equal(other) for one, other in zip(before, after, strict=True))
        assert all(one.equal(other) for one, other in zip(values, auditor.values(), strict=True))
    return work.verdict


@pytest.mark.parametrize("heads", [(NEW,), (OLD, NEW), (OLD,)], ids=["new", "both", "old"])
def test_honest_work_is_sound(run: tuple[RunManifest, Path], heads: Sequence[tuple[int, bytes]]) -> None:
    assert verdict_on(run, sample_of(run, heads=heads)) is WorkVerdict.SOUND


def test_honest_work_in_16_bits_is_sound(run: tuple[RunManifest, Path]) -> None:
    assert verdict_on(run, sample_of(run, dtype=torch.bfloat16)) is WorkVerdict.SOUND


def test_work_of_another_family_is_recomputed_as_well(text_run: tuple[RunManifest, Path]) -> None:
    assert verdict_on(text_run, sample_of(text_run, heads=(OLD, NEW))) is WorkVerdict.SOUND
    mirrored = sample_of(text_run, seen=lambda batch: batch._replace(codes=256 - batch.codes))
    assert verdict_on(text_run, mirrored) is WorkVerdict.FALSE


def flipped(batch: MicroBatch) -> MicroBatch:
    return batch._replace(codes=31 - batch.codes)


LIES: dict[str, dict[str, Any]] = {
    "zeros": {"forge": lambda tensors: [torch.zeros_like(item) for item in tensors]},
    "the other sign": {"forge": lambda tensors: [-item for item in tensors]},
    "twice as long": {"forge": lambda tensors: [2 * item for item in tensors]},
    "noise of half its length": {
        "forge": lambda tensors: (
            [item + 0.5 * item.std() * torch.randn_like(item) for item in tensors[:-1]] + tensors[-1:]
        )
    },
    "false labels": {"seen": flipped},
    "the rows of another peer": {"name": "another"},
    "work at an older head": {"heads": (OLD,)},
}


FOUND = {
    "noise of half its length": {WorkVerdict.DOUBTFUL},
    "work at an older head": {WorkVerdict.DOUBTFUL, WorkVerdict.FALSE},
}
"""Verdicts on lies that differ less. How far a head moves gradients depends on the rows, which are the peer's."""


@pytest.mark.parametrize("lie", LIES, ids=list(LIES))
def test_other_work_is_false_or_doubtful(run: tuple[RunManifest, Path], lie: str) -> None:
    sample = sample_of(run, **LIES[lie])
    if lie == "work at an older head":  # as if it were of the new one
        spans = [replace(span, epoch=NEW[0], head=NEW[1]) for span in sample.rows.spans]
        sample = replace(sample, rows=RowClaim.of(spans))
    if lie == "the rows of another peer":  # whose window has other rows first
        own = sample_of(run)
        sample = replace(sample, rows=own.rows)
    assert verdict_on(run, sample) in FOUND.get(lie, {WorkVerdict.FALSE})


@pytest.mark.parametrize(
    ("factor", "verdict"), [(1.0, WorkVerdict.SOUND), (-1.0, WorkVerdict.FALSE), (0.0, WorkVerdict.FALSE)]
)
def test_what_was_sent_to_others_is_judged_apart(
    run: tuple[RunManifest, Path], factor: float, verdict: WorkVerdict
) -> None:
    """A part for a friend is lost among all parts that this peer has: together they would be sound."""
    sample = sample_of(run)
    lied = sample_of(run, forge=lambda tensors: [factor * item for item in tensors])
    index = min(sample.parts)
    own = {at: packed for at, packed in sample.parts.items() if at != index}
    assert verdict_on(run, replace(sample, parts=own, foreign={index: lied.parts[index]})) is verdict


def test_work_that_others_do_not_show_is_not_verified(run: tuple[RunManifest, Path]) -> None:
    sample = sample_of(run)
    assert verdict_on(run, replace(sample, is_withheld=True)) is WorkVerdict.UNVERIFIABLE
    lied = sample_of(run, forge=lambda tensors: [-item for item in tensors])
    assert verdict_on(run, replace(lied, is_withheld=True)) is WorkVerdict.FALSE


def test_another_claim_towards_another_reducer_is_false(run: tuple[RunManifest, Path]) -> None:
    sample = replace(sample_of(run), contradiction="told another reducer of other rows or samples.")
    assert verdict_on(run, sample) is WorkVerdict.FALSE


def test_more_samples_than_rows_are_false(run: tuple[RunManifest, Path]) -> None:
    sample = sample_of(run)
    assert verdict_on(run, replace(sample, weight=sample.weight + 1)) is WorkVerdict.FALSE


def test_what_cannot_be_computed_here_is_no_lie(run: tuple[RunManifest, Path]) -> None:
    sample = sample_of(run)
    span = sample.rows.spans[0]
    other = replace(span, window=span.window._replace(digest=bytes(8)))
    beyond = replace(span, window=span.window._replace(start=(0, 1 << 31, 0, 0)))
    for rows in (RowClaim(), RowClaim((other,)), RowClaim((beyond,))):
        assert verdict_on(run, replace(sample, rows=rows)) is WorkVerdict.UNVERIFIABLE
    assert verdict_on(run, replace(sample, weight=2.0)) is WorkVerdict.UNVERIFIABLE
    assert verdict_on(run, sample, heads={}) is WorkVerdict.UNVERIFIABLE
