"""Publishes language models in GPT-2's layout, and writes with published ones and with checkpoints."""

import dataclasses
from pathlib import Path
from typing import cast

from core.digest import digest
from core.errors import CheckpointError
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.published_folder import (
    LanguageModel,
    described,
    parameter_shapes,
    read_language_model,
    write_language_model,
)
from core.families.causal_lm.rules import CausalRules
from core.families.causal_lm.tokens import TextTokenizer
from core.families.causal_lm.writing import Writing
from core.model.family.publishing import FamilyPublishing, PublishedModel, WritingChoices
from core.published.document import RunOrigin
from core.run.describe import parameter_count
from core.run.manifest import RunManifest
from core.storage.checkpoint import load_weights
from core.storage.files import resolve_file


class LanguageWriter:
    """Continues prompts with a language model, on the CPU."""

    def __init__(self, model: LanguageModel) -> None:
        """Load a model; raises TextError or MisfitError if its tokenizer cannot be used."""
        self._tokenizer = TextTokenizer.load(model.tokenizer, model.config.vocab)
        self._transformer = CausalTransformer(model.config)
        self._transformer.load_state_dict(dict(model.parameters))
        self._transformer.requires_grad_(False)
        self._end, self._length = model.end_id, model.config.length

    def room(self, prompt: str, tokens: int) -> int:
        """Return how many tokens can follow a ``prompt``, up to ``tokens``.

        The prompt comes first: half of what the model looks back at is its own, if it is as long.
        """
        read = min(max(1, len(self._tokenizer.encode(prompt))), self._length // 2)
        return min(tokens, max(1, self._length - read))

    def write(self, prompt: str, choices: WritingChoices) -> str:
        """Return what follows a ``prompt``, of whose tokens the last ones are read where they do not all fit.

        ``choices`` say how long it is at most, and how its tokens are chosen; `room` says for how much there is room.
        """
        given = dataclasses.replace(choices, tokens=self.room(prompt, choices.tokens))
        given_tokens = [self._tokenizer.encode(prompt)]
        writing = Writing(self._transformer, given_tokens, end_id=self._end, choices=given)
        while not writing.done:
            writing.step()
        return self._tokenizer.decode([token for token in writing.codes()[0].tolist() if token != self._end])


class LanguagePublishing:
    """The form in which language models are published."""

    def export(
        self, checkpoint: Path, manifest: RunManifest, base: Path, out: Path, license_id: str | None
    ) -> PublishedModel:
        """Write the model of a run's checkpoint in GPT-2's layout, as `FamilyPublishing.export` says.

        Args:
            checkpoint: Folder of the checkpoint.
            manifest: Manifest of the run.
            base: Folder of the manifest's files.
            out: Folder to write.
            license_id: Licence that the card names; None: the card claims none.

        Raises:
            CheckpointError: The checkpoint is unsound or of another run, or the folder cannot be written.
        """
        model = _of_checkpoint(checkpoint, manifest, base)
        write_language_model(out, model, license_id)
        return _summary(model)

    def export_again(self, folder: Path, out: Path, license_id: str | None) -> PublishedModel:
        """Write a published model again, as `FamilyPublishing.export_again` says.

        Args:
            folder: Folder of the model.
            out: Folder to write.
            license_id: Licence that the card names; None: the card claims none.
        """
        model = read_language_model(folder)
        write_language_model(out, model, license_id)
        return _summary(model)

    def verify(self, folder: Path) -> PublishedModel:
        """Check every byte of the published model in ``folder``; raises CheckpointError if one is wrong."""
        return _summary(read_language_model(folder))

    def writer(self, folder: Path) -> LanguageWriter:
        """Return what writes with the published model in ``folder``; raises CoreError if it is unsound."""
        return LanguageWriter(read_language_model(folder))

    def writer_of_run(self, checkpoint: Path, manifest: RunManifest, base: Path) -> LanguageWriter:
        """Return what writes with the model of a run's checkpoint, as `FamilyPublishing.writer_of_run` says.

        Args:
            checkpoint: Folder of the checkpoint.
            manifest: Manifest of the run.
            base: Folder of the manifest's files.

        Raises:
            CheckpointError: The checkpoint is unsound or of another run.
        """
        return LanguageWriter(_of_checkpoint(checkpoint, manifest, base))


def _of_checkpoint(checkpoint: Path, manifest: RunManifest, base: Path) -> LanguageModel:
    training = cast(CausalRules, manifest.training)
    weights = load_weights(checkpoint, parameter_shapes(training.model))
    if weights.training_digest != manifest.training_digest:
        raise CheckpointError(
            f"The checkpoint in {checkpoint} belongs to another run ({weights.run}).",
            "Give that run's manifest with --run.",
        )
    origin = RunOrigin(
        run=training.name,
        training_digest=manifest.training_digest,
        epoch=weights.epoch,
        data=training.hub_data,
    )
    tokenizer = resolve_file(training.tokens.tokenizer, base)
    return LanguageModel(training.model, weights.parameters, tokenizer, training.tokens.end_id, origin)


def _summary(model: LanguageModel) -> PublishedModel:
    return PublishedModel(
        parameter_count(model.config), model.config.depth, digest(model.parameters), described(model)
    )


PUBLISHING: FamilyPublishing = LanguagePublishing()
"""The form in which models of this family are published."""
