"""The toy's model, its samples and its specimens."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.data.listing import Shard, local_shards
from core.data.streaming.sample_stream import MicroBatch, SampleStream
from core.data.streaming.walk import peer_seed
from core.data.streaming.windows import CodedSample
from core.generation.no_requests import NoRequests
from core.model.family.trainable import TrainableModel
from core.model.gradients import Gradients
from core.network.pause_token import PauseToken


class ToyModel(TrainableModel):
    """Logits of the next byte are a row of a table."""

    def __init__(self, generator: torch.Generator | None) -> None:
        super().__init__()
        self.table = nn.Linear(256, 256, bias=False)
        with torch.no_grad():
            self.table.weight.uniform_(-0.1, 0.1, generator=generator)
        self.begin()

    def loss(self, tokens: Tensor, gradients: Gradients | None = None) -> Tensor:
        logits = self.table.weight[tokens[:, :-1]].float()
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())


class ToyRows:
    """Pieces of a file's bytes."""

    def __init__(self, shards: Sequence[Shard], length: int) -> None:
        self.shards, self._length = shards, length
        self.identity = shards[0].identity

    def reopened(self, pause_token: PauseToken) -> "ToyRows":
        return self

    def row_groups(self, shard: int) -> int:
        return 1

    def read(self, shard: int, row_group: int, first: int = 0) -> Iterator[tuple[str, bytes]]:
        content, size = Path(self.shards[shard].url).read_bytes(), self._length + 1
        for number in range(first, len(content) // size):
            yield f"piece {number}", content[number * size : (number + 1) * size]


class ToyReader:
    def inputs(self, batch: MicroBatch) -> tuple[Tensor, ...]:
        return (batch.codes,)


class ToyDrawing:
    """Takes the likeliest byte after each of a prompt's last ones, in one step."""

    device = torch.device("cpu")

    def __init__(self, model: ToyModel, prompts: Sequence[str]) -> None:
        self._table, self._prompts = model.table.weight.detach().clone(), prompts
        self._codes: Tensor | None = None

    @property
    def done(self) -> bool:
        return self._codes is not None

    def step(self) -> None:
        last = [prompt.encode()[-1] for prompt in self._prompts]
        self._codes = self._table[last].argmax(dim=1, keepdim=True)

    def codes(self) -> Tensor:
        assert self._codes is not None
        return self._codes


class ToySpecimens:
    tile = 8

    def __init__(self, prompts: Sequence[str]) -> None:
        self._prompts = prompts

    def begin(self, model: TrainableModel, free: int) -> ToyDrawing:
        return ToyDrawing(cast(ToyModel, model), self._prompts)

    def pictures(self, codes: Tensor) -> Tensor:
        return codes[:, :, None, None].expand(-1, 3, 8, 8) / 255

    def texts(self, codes: Tensor) -> Sequence[str]:
        return [chr(code) for code in codes[:, 0].tolist()]


class Toy:
    def model(self, config: Any, generator: torch.Generator | None = None) -> ToyModel:
        return ToyModel(generator)

    def initial_model(self, manifest: Any, folder: Path, generator: torch.Generator) -> ToyModel:
        return ToyModel(generator)

    def samples(
        self, training: Any, base: Path, *, peer: str, notify: Callable[[str], None] = lambda text: None
    ) -> tuple[ToyReader, SampleStream]:
        token = PauseToken()
        rows = ToyRows(local_shards([training.data.file], base), training.model.length)
        stream = SampleStream(
            rows,
            partial(_sample, token),
            width=training.model.length + 1,
            kept="",
            seed=peer_seed(training.data.seed, peer),
            is_assigned=training.swarm.recomputed_share is not None,
            pause_token=token,
            notify=notify,
        )
        return ToyReader(), stream

    def random_inputs(self, config: Any, samples: int, generator: torch.Generator) -> tuple[Tensor, ...]:
        return (torch.randint(0, 256, (samples, config.length + 1), generator=generator),)

    def check_rows(self, training: Any, folder: Path, *, hub_seconds: float, hub: Any = None) -> None:
        pass

    def check_parts(self, training: Any, folder: Path) -> None:
        pass

    def held_out(self, training: Any, base: Path, operations: float) -> None:
        return None

    def specimens(self, manifest: Any, base: Path, prompts: Sequence[str]) -> ToySpecimens:
        return ToySpecimens(prompts)

    def requests(self, manifest: Any, base: Path, report: Callable[[Any], None]) -> NoRequests:
        return NoRequests(report)


def _sample(token: PauseToken, row: bytes, where: str) -> CodedSample:
    token.wait()
    return "", np.frombuffer(row, np.uint8)


FAMILY = Toy()
