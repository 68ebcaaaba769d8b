"""Trains causal language models: the family behind `core.model.family.interface.ModelFamily`."""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from core.data.checking.hub_time import within
from core.data.listing import Listing, RefusedError, Shard, local_shards
from core.data.streaming.listed_files import FetchPart
from core.data.streaming.rows import hub_files
from core.data.streaming.sample_stream import MicroBatch, SampleStream
from core.data.streaming.walk import peer_seed
from core.data.streaming.windows import CodedSample
from core.errors import DataError, MisfitError
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.rules import CausalRules
from core.families.causal_lm.specimens import TextSpecimens
from core.families.causal_lm.text_rows import TextRows, TokenSample
from core.families.causal_lm.tokens import TextTokenizer
from core.generation.no_requests import NoRequests
from core.messages.events import Event
from core.model.family.interface import ModelFamily
from core.model.family.trainable import TrainableModel
from core.model.graphs import Inputs
from core.network.pause_token import PauseToken
from core.run.manifest import RunManifest

_log = logging.getLogger(__name__)

WINDOW_SAMPLES = 2048
"""Samples of a window, whose order is drawn: 8 MB with 1024 tokens each."""
FIRST_SAMPLES = 256
"""Samples of the first window of a data set on the Hub: 1 MB of text with 1024 tokens each."""
_TRIED_FILES, _TRIED_GROUPS = 8, 64
"""Files, and row groups of each, that are searched for a sample before a run is made."""
_SAMPLES = 8, 256
"""Smallest number of samples that gives a meaningful loss, and largest number that is needed."""


class TokenReader:
    """Gives the tokens of a batch, which need nothing more."""

    def inputs(self, batch: MicroBatch) -> Inputs:
        """Return the tokens of a ``batch``, int64 (samples, length + 1)."""
        return (batch.codes,)


class HeldOutText:
    """The first samples of the run's held-out text, or of its own, int64 (samples, length + 1)."""

    def __init__(self, tokens: Tensor) -> None:
        """Hold the samples.

        Args:
            tokens: Tokens of each sample, of shape (samples, tokens).
        """
        self._tokens = tokens

    @torch.no_grad()
    def loss(self, model: TrainableModel) -> float:
        """Return the mean cross-entropy of ``model`` in nats per token, which may be NaN or infinite."""
        ours = cast(CausalTransformer, model)
        losses = [ours.loss(one) for one in self._tokens.split(1)]
        return float(torch.stack(losses).mean())


class CausalLanguageModel:
    """The family of causal language models of GPT-2's shape."""

    def model(self, config: Any, generator: torch.Generator | None = None) -> CausalTransformer:
        """Return a model of the sizes ``config``, with initial parameters that ``generator`` draws."""
        return CausalTransformer(config, generator)

    def initial_model(
        self, manifest: RunManifest, folder: Path, generator: torch.Generator
    ) -> CausalTransformer:
        """Return the model with which all peers begin, float32 on the CPU.

        Args:
            manifest: Manifest of the run.
            folder: Folder of the run's files.
            generator: Source of the draws.
        """
        return CausalTransformer(_rules(manifest).model, generator)

    def samples(
        self, training: Any, base: Path, *, peer: str, notify: Callable[[str], None] = lambda text: None
    ) -> tuple[TokenReader, SampleStream]:
        """Open the packed samples in the order of a peer; nothing is read yet.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            peer: Name from which the order is drawn.
            notify: Called with notices for the user.
        """
        rules: CausalRules = training
        token = PauseToken()
        rows = text_rows(rules, base, pause_token=token, notify=notify)
        stream = SampleStream(
            rows,
            partial(_sample, token),
            width=rules.model.length + 1,
            kept="packed",
            seed=peer_seed(rules.data.seed, peer),
            dtype=np.int32,
            window_rows=WINDOW_SAMPLES,
            first_rows=None if rules.data.hub is None else FIRST_SAMPLES,
            is_assigned=rules.swarm.recomputed_share is not None,
            pause_token=token,
            notify=notify,
        )
        return TokenReader(), stream

    def random_inputs(self, config: Any, samples: int, generator: torch.Generator) -> Inputs:
        """Return random tokens of that many samples, int64 (samples, length + 1).

        Args:
            config: Sizes of the model.
            samples: Number of samples.
            generator: Source of the draws.
        """
        shape = (samples, config.length + 1)
        return (torch.randint(0, config.vocab, shape, generator=generator),)

    def check_rows(
        self, training: Any, folder: Path, *, hub_seconds: float, hub: Listing | None = None
    ) -> None:
        """Check that there is a sample in one of the first files of the run's text.

        Args:
            training: Rules of the run.
            folder: Folder of the run's files.
            hub_seconds: Seconds that the Hub has to give rows.
            hub: Lists files of a data set; None: the Hub that ``HF_ENDPOINT`` names.

        Raises:
            MisfitError: There is less text than a sample takes.
            DataError: The text cannot be read now.
        """
        if training.data.hub is None:
            _require_sample(text_rows(training, folder), training.model.length)
            return
        with within(hub_seconds, training.data.hub.repo) as token:
            _require_sample(text_rows(training, folder, hub, pause_token=token), training.model.length)

    def check_parts(self, training: Any, folder: Path) -> None:
        """Check the tokenizer of a run, for its organiser.

        Args:
            training: Rules of the run.
            folder: Folder of the run's files.
        """
        TextTokenizer.of_run(training, folder)

    def held_out(self, training: Any, base: Path, operations: float) -> HeldOutText | None:
        """Return the first samples that no peer trains on, or of the run's own; None if all are on the Hub.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            operations: Operations that a measurement may take, about.
        """
        rules: CausalRules = training
        first = rules.data.heldout or next(iter(rules.data.files), None)
        if first is None:
            return None
        rows = _rows_of(rules, local_shards([first], base), base)
        fewest, most = _SAMPLES
        count = int(min(max(operations / sum(rules.model.operations()), fewest), most))
        found = [torch.from_numpy(sample.astype(np.int64)) for sample in islice(rows.first_samples(0), count)]
        return HeldOutText(torch.stack(found)) if found else None

    def specimens(self, manifest: RunManifest, base: Path, prompts: Sequence[str]) -> TextSpecimens:
        """Return what continues each of the prompts.

        Args:
            manifest: Manifest of the run.
            base: Folder of the run's files.
            prompts: Prompts, at least one.
        """
        training = _rules(manifest)
        return TextSpecimens(prompts, TextTokenizer.of_run(training, base), training.tokens.end_id)

    def requests(self, manifest: RunManifest, base: Path, report: Callable[[Event], None]) -> NoRequests:
        """Return what tells a user that this run draws no pictures.

        Args:
            manifest: Manifest of the run.
            base: Folder of the run's files.
            report: Called with each event.
        """
        return NoRequests(report)


def text_rows(
    training: CausalRules,
    base: Path,
    hub: Listing | None = None,
    *,
    pause_token: PauseToken | None = None,
    notify: Callable[[str], None] = lambda text: None,
) -> TextRows:
    """Return the samples of a run's text; local files are verified, and the Hub is not asked yet.

    Args:
        training: Rules of the run.
        base: Folder of the run's files.
        hub: Lists the files of a data set on the Hub; None: the Hub that ``HF_ENDPOINT`` names.
        pause_token: Pauses and ends the reading; None: nothing does.
        notify: Called with a sentence for the user when the Hub cannot be reached for long, and when it can again.

    Raises:
        ManifestError: A file beside the manifest is missing or differs.
        MisfitError: The tokens do not fit the model.
        TextError: The tokenizer cannot be used.
    """
    token = pause_token or PauseToken()
    if training.data.hub is None:
        return _rows_of(training, local_shards(training.data.files, base), base, token)
    shards, fetch = hub_files(training.data.hub, token, notify, hub)
    return _rows_of(training, shards, base, token, fetch)


def _rows_of(
    training: CausalRules,
    shards: Iterable[Shard],
    base: Path,
    pause_token: PauseToken | None = None,
    fetch: FetchPart | None = None,
) -> TextRows:
    data, tokens = training.data, training.tokens
    source = data.hub.files if data.hub else "\n".join(ref.sha256 for ref in data.files)
    identity = f"{source}\n{data.column}\n{tokens.tokenizer.sha256}\n{tokens.end_id}\n{training.model.length}"
    return TextRows(
        shards,
        TextTokenizer.of_run(training, base).encode,
        length=training.model.length,
        end_id=tokens.end_id,
        column=data.column,
        identity=identity,
        fetch=fetch,
        pause_token=pause_token,
    )


def _require_sample(rows: TextRows, length: int) -> None:
    """Require that one of the first files has a sample of that ``length``.

    Raises:
        MisfitError: There is none.
        DataError: The first file that cannot be read is the reason.
    """
    errors: list[DataError] = []
    for number in range(min(len(rows.shards), _TRIED_FILES)):
        try:
            if next(rows.first_samples(number, _TRIED_GROUPS), None) is not None:
                return
        except RefusedError:
            raise
        except DataError as error:
            errors.append(error)
    if errors:
        raise errors[0]
    raise MisfitError(
        f"{rows.shards[0].name} has less text than the {length} tokens of a sample in each of its row groups.",
        "Name files with more text, write Parquet with larger row groups, or choose a smaller length of the model.",
    )


def _sample(pause_token: PauseToken, row: TokenSample, where: str) -> CodedSample:
    """Return a row as a sample without caption; raises Ended."""
    pause_token.wait()
    return "", row


def _rules(manifest: RunManifest) -> CausalRules:
    training = manifest.training
    assert isinstance(training, CausalRules)
    return training


FAMILY: ModelFamily = CausalLanguageModel()
"""The family."""
