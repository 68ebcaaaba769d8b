"""The errors of the core: each says what happened and what a person can do about it."""


class CoreError(Exception):
    """Base of all errors that the core raises on purpose.

    CoreError
    ├── ManifestError     a run manifest is malformed, forged, or of another run
    │   ├── MisfitError   the files of a run do not fit its model
    │   └── VersionError  a run needs a newer version of this program
    ├── DataError         a shard, caption or code is not what the run expects
    ├── CodecError        the image codec or its weights cannot be used
    ├── TextError         a tokenizer file cannot be used
    ├── RankingError      pictures cannot be ranked
    ├── CheckpointError   a checkpoint is damaged or of another model
    ├── GradientError     an update would not be finite, and was not made
    ├── GenerationError   pictures cannot be drawn as asked
    ├── ChildError        a process of ours cannot be kept going
    ├── SwarmError        the swarm cannot be reached or cannot go on
    │   └── ClockError    the clocks of this computer and of the swarm differ too much
    ├── ReceiptError      a receipt or a certificate is not what it claims to be
    ├── AdmissionError    this peer may not, or no longer, take part in the run
    ├── PackagesError     packages are not installed, or a list of built ones is malformed
    └── MemoryPlanError   there is too little memory, or values for the calculator make no sense
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
    code = "manifest"


class MisfitError(ManifestError):
    """The remedy is the organiser's, who makes the run."""

    code = "misfit"

    def for_volunteer(self) -> "MisfitError":
        """Return the same error with the remedy of a volunteer, who cannot change the run."""
        return MisfitError(
            f"This run cannot be trained: its files do not fit its model. {self.what}",
            "Tell the run's organiser, who has to make another run.",
        )


class VersionError(ManifestError):
    code = "version"

    def __init__(self, what: str, remedy: str, least: str) -> None:
        """Keep ``what`` happened, the ``remedy``, and ``least``: the release number that the run needs."""
        super().__init__(what, remedy)
        self.least = least


class DataError(CoreError):
    code = "data"


class CodecError(CoreError):
    code = "codec"


class TextError(CoreError):
    code = "text"


class RankingError(CoreError):
    code = "ranking"


class CheckpointError(CoreError):
    code = "checkpoint"


class GradientError(CoreError):
    code = "gradient"


class GenerationError(CoreError):
    code = "generation"


class ChildError(CoreError):
    code = "child"


class SwarmError(CoreError):
    code = "swarm"


SET_THE_CLOCK = (
    "Set the clock, or turn on automatic time. If `idlebrush doctor` finds it right, tell the organiser."
)
"""Remedy for a clock that differs too much from another computer's."""


class ClockError(SwarmError):
    code = "clock"


class ReceiptError(CoreError):
    code = "receipt"


class AdmissionError(CoreError):
    code = "admission"


class PackagesError(CoreError):
    code = "packages"


class MemoryPlanError(CoreError):
    code = "memory"
