"""The errors of the core: each says what happened and what a person can do about it."""


class CoreError(Exception):
    """Base of all errors that the core raises on purpose.

    CoreError
    ├── ManifestError
    │   ├── MisfitError
    │   └── VersionError
    ├── DataError
    ├── CodecError
    ├── TextError
    ├── RankingError
    ├── CheckpointError
    ├── GradientError
    ├── GenerationError
    ├── ChildError
    ├── SwarmError
    │   └── ClockError
    ├── ReceiptError
    ├── AdmissionError
    ├── PackagesError
    ├── SimulationError
    └── MemoryPlanError
    """

    code = "core"

    def __init__(self, what: str, remedy: str) -> None:
        """Keep ``what`` happened and the ``remedy``, what a person can do about it, both in whole sentences."""
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what} {self.remedy}"


class ManifestError(CoreError):
    """A run manifest or a file that it names is missing, malformed, forged, or of another run."""

    code = "manifest"


class MisfitError(ManifestError):
    """The files of a run do not fit its model; the remedy is that of the organiser, who makes the run."""

    code = "misfit"

    def for_volunteer(self) -> "MisfitError":
        """Return the same error with the remedy of a volunteer, who cannot change the run."""
        return MisfitError(
            f"This run cannot be trained: its files do not fit its model. {self.what}",
            "Tell the run's organiser, who has to make another run.",
        )


class VersionError(ManifestError):
    """A run needs a newer version of this program."""

    code = "version"

    def __init__(self, what: str, remedy: str, least: str) -> None:
        """Keep ``what`` happened, the ``remedy``, and ``least``: the release number that the run needs."""
        super().__init__(what, remedy)
        self.least = least


class DataError(CoreError):
    """A shard, caption or code is not what the run expects, or a data set cannot be read or written."""

    code = "data"


class CodecError(CoreError):
    """The image codec or its weights cannot be used."""

    code = "codec"


class TextError(CoreError):
    """A tokenizer file cannot be used, or a prompt does not suit the model."""

    code = "text"


class RankingError(CoreError):
    """Pictures cannot be ranked."""

    code = "ranking"


class CheckpointError(CoreError):
    """A checkpoint or a published model is damaged, is of another model, or cannot be read or written."""

    code = "checkpoint"


class GradientError(CoreError):
    """An update would not be finite, and was not made."""

    code = "gradient"


class GenerationError(CoreError):
    """Pictures cannot be drawn or saved as requested."""

    code = "generation"


class ChildError(CoreError):
    """A child process cannot be started or kept running."""

    code = "child"


class SwarmError(CoreError):
    """This peer cannot enter the swarm, or cannot continue in it."""

    code = "swarm"


SET_THE_CLOCK = (
    "Set the clock, or turn on automatic time. If `idlebrush doctor` finds it right, tell the organiser."
)
"""Remedy for a clock that differs too much from another computer's."""


class ClockError(SwarmError):
    """The clocks of this computer and of the swarm differ too much."""

    code = "clock"


class ReceiptError(CoreError):
    """A receipt or a certificate is not what it claims to be, or cannot be checked."""

    code = "receipt"


class AdmissionError(CoreError):
    """This peer may not take part in the run, or no longer."""

    code = "admission"


class PackagesError(CoreError):
    """Packages are not installed, or a list of built ones is malformed."""

    code = "packages"


class MemoryPlanError(CoreError):
    """Memory is too small for the work, or values for the calculator make no sense."""

    code = "memory"
