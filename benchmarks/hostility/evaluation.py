"""The loss of kept parameters on the same samples of the run's data, which no peer's report can falsify."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import torch

from benchmarks.hostility.course import HonestLossCurve, PeerCourse
from core.data.shard_file import iterate_codes
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.files import resolve_file
from core.storage.parameter_file import read_parameters
from core.text import CaptionTokenizer

_ROWS = 256


class LossOnSameSamples:
    """The model of a run, and the samples on which its loss is measured: the first ones of its first shard."""

    def __init__(self, manifest: Path) -> None:
        """Read the samples of the run in ``manifest``, beside which its files lie."""
        rules, base = picture_rules(RunManifest.load(manifest).training), manifest.parent
        tokenizer = CaptionTokenizer.of_run(rules.text, base)
        shard = resolve_file(rules.data.shards[0], base)
        rows = list(islice(iterate_codes(shard, rules.model.grid, rules.model.image_vocab), _ROWS))
        self._text = tokenizer.encode([row.caption for row, _ in rows])
        self._codes = torch.stack([torch.from_numpy(codes) for _, codes in rows])
        self._model = Transformer(rules.model)
        self._shapes = {name: item.shape for name, item in self._model.state_dict().items()}

    @torch.no_grad()
    def of(self, file: Path) -> float:
        """Return the mean loss with the parameters in ``file``."""
        self._model.load_state_dict(read_parameters(file, self._shapes))
        return float(self._model.loss(self._text, self._codes))

    def curve(self, courses: Sequence[PeerCourse], apart: Sequence[str]) -> HonestLossCurve:
        """Return the loss of an honest peer by the samples that all of ``courses`` had computed by then.

        That peer is one that kept most snapshots, and none of those that are ``apart`` from the others.
        """
        chosen = max(courses, key=lambda item: (item.name not in apart, len(item.snapshots)))
        return HonestLossCurve(
            tuple(
                (sum(course.samples_at(saved.time) for course in courses), self.of(saved.file))
                for saved in chosen.snapshots
            )
        )
