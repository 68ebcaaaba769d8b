"""The rules that all peers of a run agree on: the training part of its manifest, free of torch.

Defaults are the settings of the run in Training Transformers Together, where it had the setting.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from io import RawIOBase
from math import prod
from pathlib import Path
from typing import Annotated, ClassVar, Protocol, Self

from pydantic import Field, StringConstraints, model_validator

from core.model.config import ModelConfig
from core.model.factors import FactorSizes
from core.model.family.config import FamilyConfig
from core.run.aggregation import Aggregation, RobustRules
from core.run.encodings import (
    Encoding,
    GradientFormField,
    LowRank,
    RoundTensor,
    TopK,
    WireFormatField,
)
from core.run.fields import Count, Positive, Rules, Seconds
from core.run.optimizer_rules import LambRules, OptimizerRulesField
from core.storage.files import FileRef

RunModel = ModelConfig | FamilyConfig
"""Sizes of a model that a run can train."""
MOST_GROUPS = 112
"""Most groups that the DHT record of a proposal can name, in 96 bytes each."""
_MOST_BATCHES = 16
_LEAST_COMBINING_SECONDS = 3.0
"""Least seconds for the wait for other groups and two passages: no store and look in the DHT takes less."""
_GRADIENTS_IN_PAPER = Encoding.UNIFORM8
"""Form of large tensors' gradients in the paper (section 3.3)."""


class Overlap(StrEnum):
    """The peer's computation while an epoch ends."""

    NONE = "none"
    DELAYED_UPDATE = "delayed_update"
    """Mode of the paper: the optimizer step is hidden behind computing, averaging gradients is not."""
    FULL = "full"
    """Computing goes on while gradients are averaged as well."""


class ScheduleRules(Rules):
    """Learning rate: linear warm-up to ``peak_lr``, then linear decay to zero, in epochs of the swarm."""

    peak_lr: Positive = 2.5e-3
    warmup_epochs: Annotated[int, Field(ge=0)] = 3_125
    total_epochs: Count = 31_250

    @model_validator(mode="after")
    def _warm_in_time(self) -> Self:
        if self.warmup_epochs > self.total_epochs:
            raise ValueError("warmup_epochs must not exceed total_epochs")
        return self


class LocalStepRules(Rules):
    """Procedure `local_steps`: peers train on their own between rounds, and average how far they came.

    Each peer makes steps of the run's optimizer with a state of its own. A round averages the drifts: the committed
    parameters minus the peers' own (DiLoCo: Douillard et al., 2023).
    """

    steps: Count = 8
    """Steps that each peer makes in a round, about: a step takes the samples that it usually brings, divided by them.

    So the peers' steps are as many, and their samples together as many, whatever the number and speed of the peers.
    """
    drift_encoding: WireFormatField = TopK()
    """Form in which peers send the drift of tensors of ``large_tensor_elements`` and more."""
    mean_encoding: WireFormatField = TopK()
    """Form in which reducers send the mean drift of those tensors."""
    round_seconds: Seconds | None = None
    """Seconds from one commit to the next round; None: a round is due at ``target_batch_size`` samples.

    A round must have the time to form a group and to exchange, so the limits of both are not longer.
    """
    outer_lr: Annotated[float, Field(gt=0, le=10)] = 1.0
    """Learning rate of the outer step along the mean drift; 1 without momentum is the plain average."""
    outer_momentum: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Nesterov momentum of the outer step; 0 for a plain step."""
    error_decay: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of what an encoding left out of a drift that the next drift still has; SparseLoCo takes 0.95."""


class SwarmRules(Rules):
    """Rules by which peers gather an epoch's samples and average their gradients."""

    target_batch_size: Count = 4096
    """Samples of all peers together that make an epoch."""
    gradient_encoding: GradientFormField = _GRADIENTS_IN_PAPER
    """Form of the gradients of tensors of ``large_tensor_elements`` and more; local steps have no other than this."""
    small_tensor_encoding: Encoding = Encoding.FLOAT16
    large_tensor_elements: Annotated[int, Field(ge=0)] = 65_536
    """Number of elements from which on a tensor counts as large."""
    overlap: Overlap = Overlap.DELAYED_UPDATE
    aggregation: Aggregation = Aggregation.MEAN
    robust: RobustRules | None = None
    """Parameters of a robust `aggregation`, and the cap of weights; None: weights have no cap but `most_samples`."""
    group_size: Annotated[int, Field(ge=2, le=1024)] = 64
    """Largest number of peers in an averaging group."""
    most_groups: Annotated[int, Field(ge=1, le=MOST_GROUPS)] = 1
    """Most groups that one commit covers; above 1, groups of an epoch combine what they have reduced."""
    matchmaking_seconds: Seconds = 15.0
    """Seconds for which a group forms."""
    allreduce_seconds: Seconds = 60.0
    """Seconds that a group may take to exchange gradients."""
    averaging_seconds: Seconds = 180.0
    """Seconds that a round may take in all."""
    state_download_attempts: Annotated[int, Field(ge=1, le=100)] = 5
    """Number of donors that a late peer asks in one attempt, and of failed attempts after which it says so.

    It tries again as long as others are ahead.
    """
    sketch_tolerance: Positive = 1e-3
    """Relative difference above which the parameter sketches of unlike machines make one of them re-synchronise."""
    local_steps: LocalStepRules | None = None
    """Rules of local steps; None: peers average gradients, as in the paper."""
    recomputed_share: Annotated[float, Field(ge=0, le=1)] | None = None
    """Share of its computing that a peer spends on checking what others computed.

    The rows of a peer then follow from its id, the epoch and the head. None: each peer has an order of its own, and
    nothing that it computed can be checked.
    """

    @property
    def most_samples(self) -> int:
        """Largest weight of a peer in a round, in samples: more is a claim, not a contribution.

        That holds for rounds by the clock as well: one peer that computes more in them counts as if it had not.
        """
        return _MOST_BATCHES * self.target_batch_size

    @property
    def weight_cap(self) -> float | None:
        """Most samples of a user that count, as a multiple of the lower median of its group; None without a cap."""
        return self.robust.weight_cap if self.robust is not None else None

    @property
    def combining_seconds(self) -> float:
        """Seconds of a round that are left for groups to combine, after it has formed, exchanged and committed."""
        return max(0.0, self.averaging_seconds - self._used_seconds)

    @property
    def may_combine(self) -> bool:
        """True if a round leaves the time for groups to combine."""
        return self.combining_seconds >= _LEAST_COMBINING_SECONDS

    @property
    def _used_seconds(self) -> float:
        """Seconds that a round takes at most without a combination: a commit settles as long as a group forms."""
        return 2 * self.matchmaking_seconds + self.allreduce_seconds

    @property
    def round_seconds(self) -> float | None:
        """Seconds between rounds where the clock decides; None where samples do."""
        return self.local_steps.round_seconds if self.local_steps is not None else None

    @property
    def low_rank(self) -> LowRank | None:
        """Rules of gradients of low rank; None if they travel whole."""
        form = self.gradient_encoding
        return form if self.local_steps is None and isinstance(form, LowRank) else None

    @property
    def factors(self) -> FactorSizes | None:
        """Sizes of the factors of gradients of low rank; None if they travel whole."""
        return FactorSizes(self.low_rank.rank, self.large_tensor_elements) if self.low_rank else None

    @property
    def keeps_errors(self) -> bool:
        """True if a peer keeps what an encoding left out, and so has to know it of its own parts as well."""
        return self.local_steps is not None or self.low_rank is not None

    def travelling(self, shape: Sequence[int]) -> RoundTensor:
        """Return the form in which a parameter of that ``shape`` takes part in a round.

        Large tensors take 8 bits in the paper (section 3.3), small ones 16. Where gradients are of low rank,
        so do large tensors that are no matrices.
        """
        small = RoundTensor(tuple(shape), self.small_tensor_encoding, self.small_tensor_encoding)
        if prod(shape) < self.large_tensor_elements:
            return small
        if (local := self.local_steps) is not None:
            return RoundTensor(tuple(shape), local.drift_encoding, local.mean_encoding)
        form = self.gradient_encoding
        if not isinstance(form, LowRank):
            return RoundTensor(tuple(shape), form, form)
        found = self.factors.of(shape) if self.factors is not None else None
        return RoundTensor(found, form.factor_encoding, form.factor_encoding) if found else small

    @model_validator(mode="after")
    def _times_nest(self) -> Self:
        if self.matchmaking_seconds + self.allreduce_seconds > self.averaging_seconds:
            raise ValueError(
                "averaging_seconds must leave room for matchmaking_seconds and allreduce_seconds"
            )
        if self.most_groups > 1 and not self.may_combine:
            raise ValueError(
                "averaging_seconds must leave time for groups to combine (most_groups is above 1): at least "
                f"{self._used_seconds + _LEAST_COMBINING_SECONDS:g} s with these matchmaking_seconds and "
                "allreduce_seconds"
            )
        longest = max(self.matchmaking_seconds, self.allreduce_seconds)
        if self.round_seconds is not None and self.round_seconds < longest:
            raise ValueError(
                "local_steps.round_seconds must not be less than matchmaking_seconds or allreduce_seconds: "
                f"a round takes up to {longest:g} s in either"
            )
        return self

    @model_validator(mode="after")
    def _steps_fit_the_round(self) -> Self:
        local = self.local_steps
        if local is None:
            return self
        if local.steps > self.target_batch_size:
            raise ValueError("local_steps.steps must not exceed target_batch_size, the samples of a round")
        if self.overlap is not Overlap.FULL:
            raise ValueError('local_steps need overlap = "full": peers continue with their own parameters')
        return self

    @model_validator(mode="after")
    def _robust_rules_fit(self) -> Self:
        robust = self.robust
        if self.aggregation.is_robust and robust is None:
            # Absent parameters would change their meaning with a later version's defaults.
            raise ValueError(
                f'aggregation = "{self.aggregation}" needs its parameters: robust = {{}} takes the usual ones'
            )
        if robust is not None and robust.of_senders:
            local = self.local_steps
            if not self.aggregation.clips or local is None or not isinstance(local.drift_encoding, TopK):
                raise ValueError(
                    'robust.of_senders is for sparse drifts of local_steps under "clipped_mean" or "centered_clip"'
                )
        return self

    @model_validator(mode="after")
    def _work_can_be_recomputed(self) -> Self:
        if self.recomputed_share is not None and self.low_rank is not None:
            raise ValueError(
                "recomputed_share is not for gradients of low rank: they have errors of earlier epochs"
            )
        return self

    @model_validator(mode="after")
    def _forms_fit_the_procedure(self) -> Self:
        if self.local_steps is not None:
            # The default is in every manifest, whatever its procedure.
            if self.gradient_encoding is not _GRADIENTS_IN_PAPER:
                raise ValueError(
                    "gradient_encoding is for gradients: local_steps have drift_encoding instead"
                )
            return self
        if self.aggregation is Aggregation.MEAN_OF_SENDERS:
            raise ValueError(
                'aggregation = "mean_of_senders" is for sparse drifts of local_steps: all peers send every gradient'
            )
        for name in ("gradient_encoding", "small_tensor_encoding"):
            if getattr(self, name) is Encoding.BLOCKWISE4:
                raise ValueError(
                    f'{name} = "blockwise4" needs local_steps: what 4 bits lose of a gradient is lost'
                )
        return self


class FileHeads(Protocol):
    """Gives what can be had of a run's files before consent."""

    def whole(self, ref: FileRef, most: int) -> bytes | None:
        """Return the verified content of the file ``ref``; None if it has more bytes than ``most``."""

    def look(self, ref: FileRef, check: Callable[[RawIOBase], None]) -> None:
        """Call ``check`` with the head of the file ``ref``, unless that takes too many bytes or cannot be had."""


@dataclass(frozen=True)
class ProductWords:
    """Words for the things that the models of a family make."""

    name: str
    """Name of it, such as ``Pictures``."""
    fact: str
    """Sizes and origin of such a thing."""
    clause: str
    """End of a sentence about the model, such as ``it draws pictures of 8 x 8 codes``."""
    data: str
    """Content of files of data, such as ``captions and codes``."""
    verb: str = "makes"
    """Verb for what the model does, such as ``draws``."""
    things: str = "results"
    """Plural of what it makes, such as ``pictures``."""
    done: str = "made"
    """Participle of the verb, such as ``drawn``."""


class TrainingRules(Rules, ABC):
    """The part that never changes: another value of anything in it makes another run.

    Each family of models has rules of its own, with its data and what else it needs (`core.run.training.families`).
    """

    file_fields: ClassVar[tuple[tuple[str, ...], ...]] = ()
    """Fields of this part that name a file or a list of files."""
    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    """Name of the run in addresses and folders.

    It has no dots, by which hivemind splits its keys.
    """
    model: RunModel
    optimizer: OptimizerRulesField = LambRules()
    schedule: ScheduleRules = ScheduleRules()
    swarm: SwarmRules = SwarmRules()

    @property
    @abstractmethod
    def kind(self) -> str:
        """Kind of the run's model: the name of its family."""

    @property
    @abstractmethod
    def files(self) -> tuple[FileRef, ...]:
        """Files that this part needs beside the manifest."""

    @property
    @abstractmethod
    def data_files(self) -> tuple[FileRef, ...]:
        """Files of the data that peers learn from, those that lie beside the manifest."""

    @property
    @abstractmethod
    def data_seed(self) -> int:
        """Seed from which each peer's order of rows derives."""

    @property
    @abstractmethod
    def hub_data(self) -> str | None:
        """Data set on the Hugging Face Hub that peers read; None if all data lie beside the manifest."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Channels of a position in the model."""

    @property
    @abstractmethod
    def product(self) -> ProductWords:
        """Words for the things that the model makes."""

    @property
    def makes_pictures(self) -> bool:
        """True if the model draws pictures for captions."""
        return False

    @property
    def unpublishable(self) -> str:
        """Reason why its models cannot be published, as a clause; empty if they can."""
        return f"models of the kind {self.kind} have no form in which others could load them"

    @property
    def writes_texts(self) -> bool:
        """True if the model continues the sample prompts: its frames have texts, which are shown in their place."""
        return False

    @property
    def unlabelled(self) -> float:
        """Share of the samples that are computed without what labels them."""
        return 0.0

    @abstractmethod
    def with_few_files(self) -> Self:
        """Return the rules with one file of data: a message has no room for thousands."""

    @abstractmethod
    def check_heads(self, heads: FileHeads) -> None:
        """Check before consent that the run's files fit its model, by the few bytes that tell it.

        Args:
            heads: Gives small files, and the heads of others.

        Raises:
            MisfitError: They do not fit.
        """

    @abstractmethod
    def check_files(self, folder: Path) -> None:
        """Check that the run's files in ``folder``, whose digests were verified before, fit its model.

        No row is read, and nothing heavy is loaded.

        Raises:
            MisfitError: They do not fit.
            CoreError: A file cannot be read.
        """
