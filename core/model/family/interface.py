"""The interface by which a run trains the models of a family, whichever it is."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor

from core.model.family.trainable import TrainableModel
from core.model.graphs import Inputs

if TYPE_CHECKING:
    from core.data.listing import Listing
    from core.data.streaming.sample_stream import MicroBatch, SampleStream
    from core.generation.parts import Origin
    from core.messages.events import Event, PictureOrder
    from core.run.manifest import RunManifest


class SampleReader(Protocol):
    """Makes tensors of what a stream of samples gives."""

    def inputs(self, batch: "MicroBatch") -> Inputs:
        """Return the tensors of a ``batch``, on the CPU.

        Raises:
            TextError: The run's tokenizer fails.
        """


class SpecimenWork(Protocol):
    """A specimen for each prompt, which is made in small steps: what the model makes of it, a picture or a text."""

    @property
    def done(self) -> bool:
        """True if the specimens of all prompts are finished."""

    @property
    def device(self) -> torch.device:
        """Device that computes."""

    def step(self) -> None:
        """Compute for a moment."""

    def codes(self) -> Tensor:
        """Return what was made: tokens or codes, int64 (prompts, length)."""


class SpecimenMaker(Protocol):
    """Makes the specimens of a run's time-lapse: what its model makes of the sample prompts."""

    tile: int
    """Largest side in pixels of a specimen in a frame."""

    def begin(self, model: TrainableModel, free: int) -> SpecimenWork:
        """Begin to make a specimen for each prompt, with ``model`` as it is now and ``free`` bytes on its device."""

    def pictures(self, codes: Tensor) -> Tensor:
        """Return the specimens as pictures, float (prompts, 3, height, width) in [0, 1].

        Args:
            codes: Result of `SpecimenWork.codes`, int64 (prompts, length).
        """

    def texts(self, codes: Tensor) -> Sequence[str]:
        """Return what follows each prompt, if specimens are texts; else nothing.

        Args:
            codes: Result of `SpecimenWork.codes`, int64 (prompts, length).
        """


class RequestWork(Protocol):
    """Makes what a user asks a trainer for, beside the training."""

    @property
    def is_busy(self) -> bool:
        """True while there is something to make, which takes memory."""

    def knows(self, order: "PictureOrder | None") -> bool:
        """Return True if ``order`` is the current one, even if it has been carried out already."""

    def obey(self, order: "PictureOrder | None", model: Any, origin: "Origin", free: int) -> None:
        """Start the given order unless it is the current one, and end any other.

        Args:
            order: Order that is wanted now; None ends the last one.
            model: Model that is copied when a new order comes.
            origin: Identity of ``model``.
            free: Bytes that training leaves on the model's device.
        """

    def withdraw(self) -> None:
        """End the order and discard its results."""

    def draw_on(self) -> bool:
        """Compute for a moment; return True if there was something to compute."""


class HeldOutSamples(Protocol):
    """Samples that no peer trains on, or the first of those that all do."""

    def loss(self, model: TrainableModel) -> float:
        """Return the mean loss of ``model``, in nats; it may be NaN or infinite."""


class ModelFamily(Protocol):
    """All that trainers, audits, publishers and front ends ask of a family; the rules of a run come first."""

    def model(self, config: Any, generator: torch.Generator | None = None) -> TrainableModel:
        """Return a model of the sizes ``config``, with initial parameters that ``generator`` draws."""

    def initial_model(
        self, manifest: "RunManifest", folder: Path, generator: torch.Generator
    ) -> TrainableModel:
        """Return the model with the parameters that all peers begin with, float32 on the CPU.

        Args:
            manifest: Manifest of the run.
            folder: Folder of the run's files.
            generator: Source of the draws, the same for all peers.
        """

    def samples(
        self, training: Any, base: Path, *, peer: str, notify: Callable[[str], None] = lambda text: None
    ) -> tuple[SampleReader, "SampleStream"]:
        """Open the samples in the order of a peer; nothing is read yet.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            peer: Name from which the order is drawn.
            notify: Called with notices for the user.
        """

    def random_inputs(self, config: Any, samples: int, generator: torch.Generator) -> Inputs:
        """Return the tensors of random samples, by which the speed of a model is measured.

        Args:
            config: Sizes of the model.
            samples: Number of samples.
            generator: Source of the draws.
        """

    def check_rows(
        self, training: Any, folder: Path, *, hub_seconds: float, hub: "Listing | None" = None
    ) -> None:
        """Check that rows of the run's data fit its model.

        Args:
            training: Rules of the run.
            folder: Folder of the run's files.
            hub_seconds: Seconds that the Hub has to give rows.
            hub: Lists files of a data set; None: the Hub that ``HF_ENDPOINT`` names.

        Raises:
            MisfitError: They do not fit.
            DataError: They cannot be read now.
        """

    def check_parts(self, training: Any, folder: Path) -> None:
        """Check, for the organiser, the files whose check takes PyTorch.

        Args:
            training: Rules of the run.
            folder: Folder of the run's files.

        Raises:
            MisfitError: They do not fit the model.
            CoreError: They cannot be used.
        """

    def held_out(self, training: Any, base: Path, operations: float) -> HeldOutSamples | None:
        """Return samples that no peer trains on, or else the first of the run's own; None if it has none beside it.

        Args:
            training: Rules of the run.
            base: Folder of the run's files.
            operations: Operations that a measurement may take, about.

        Raises:
            ManifestError, DataError, TextError: The files cannot be used.
        """

    def requests(self, manifest: "RunManifest", base: Path, report: Callable[["Event"], None]) -> RequestWork:
        """Return what makes the things that a user asks a trainer for.

        Args:
            manifest: Manifest of the run.
            base: Folder of the run's files.
            report: Called with each event.

        Raises:
            TextError, ManifestError: The run's tokenizer cannot be used.
        """

    def specimens(self, manifest: "RunManifest", base: Path, prompts: Sequence[str]) -> SpecimenMaker:
        """Return the maker of specimens of a run's prompts.

        Args:
            manifest: Manifest of the run.
            base: Folder of the run's files.
            prompts: Prompts, at least one.

        Raises:
            TextError, ManifestError: The run's tokenizer cannot be used.
        """
