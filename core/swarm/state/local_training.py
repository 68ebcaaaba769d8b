"""A peer's work of the procedure `local_steps`: steps of its own, and the drift that goes into a round.

A peer trains on parameters of its own. Their *drift* is the committed parameters minus them. A round takes the
drift, encoded with loss. What the committed aggregate has of it leaves the drift, and everything else stays in it. So
nothing is lost, no buffer of errors is needed beside the parameters, and a peer that is alone trains as if nothing
were compressed. In the terms of error feedback (Seide et al., 2014; Karimireddy et al., 2019) the parameters hold the
error. Sparse aggregates leave out what few contributed: that returns to its contributors, as in gTop-k (Shi et al.,
2019).
"""

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import torch
from torch import Tensor, nn

from core.errors import GradientError
from core.optim.eight_bit import EightBitOptimizer
from core.optim.masters import Masters
from core.run.optimizer_rules import AnyOptimizerRules
from core.run.rules import LocalStepRules, ScheduleRules
from core.swarm.rounds.partition import Part
from core.swarm.state.committed_update import optimizer_of, rate_at, set_rate
from core.swarm.state.peer_work import AsReceived, Batch, is_finite
from core.swarm.state.replica import Replica

_log = logging.getLogger(__name__)
_OPTIMIZER, _OWN, _GRADIENT, _COUNTS, _AGES, _SHARE = "inner.", "own.", "gradient.", "counts", "ages", "share"


def kept_of_clipped(share: float) -> float:
    """Return the part of a contribution that stays with its peer, of which an aggregate has this ``share``.

    That is what is left out, but no more than what was taken. A peer whose drifts are always longer than most would
    otherwise move away from the others for ever.
    """
    return min(1 - share, share)


class LocalTraining:
    """Trains a peer's own parameters between rounds (`PeerWork`).

    The model's parameters are the peer's own. Where they are not float32 on the CPU, master copies are made at the
    first step. The optimizer's state stays the peer's own, and outlives rounds.
    """

    def __init__(
        self,
        replica: Replica,
        rules: LocalStepRules,
        optimizer: AnyOptimizerRules,
        schedule: ScheduleRules,
        *,
        target_batch_size: int,
        parts: Sequence[Part],
        sent: AsReceived,
        trainers: Callable[[], int] = lambda: 1,
    ) -> None:
        """Begin at the committed parameters, which the model has.

        Args:
            replica: the committed parameters, and the model that trains.
            rules: the rules of local steps.
            optimizer: the run's settings of its optimizer, for the peer's own steps.
            schedule: the run's learning rates; between two epochs they follow the peer's samples.
            target_batch_size: samples of all peers in a round.
            parts: the parts of a round, in order.
            sent: gives the values of a part as a reducer decodes them.
            trainers: gives the number of peers that train now, this one included, for steps before the first round.
        """
        self._trainers = trainers
        self._handed_over = 0
        """Samples of the batch that a round has taken and that has not landed."""
        self._usual: float | None = None
        """Samples that this peer brings to a round, averaged over its last rounds; None before the first."""
        self._rules, self._settings, self._schedule = rules, optimizer, schedule
        self._target, self._parts, self._sent = target_batch_size, tuple(parts), sent
        self._replica, self._model = replica, replica.masters.model_parameters()
        self._names = [name for name, _ in replica.masters.named_parameters()]
        self._own: list[nn.Parameter] = []
        self._masters: Masters | None = None
        """Copies that the optimizer changes, where the model is not float32 on the CPU."""
        self._optimizer: EightBitOptimizer
        self._bases: Sequence[Tensor] = ()
        self._epoch, self._steps_made = replica.place.epoch, 0
        """The last committed epoch, and the steps made since it landed."""
        self.samples, self._loss_sum = 0, 0.0
        self._gathered, self._gathered_loss = 0, 0.0
        """Samples whose gradients no step has used yet, and the sum of their losses."""
        self._newly_gathered = 0
        """Samples among them that were gathered since the last round landed."""
        self._missed = self._stale = 0
        """Commits that landed one after another without this peer, and samples of steps before the last of all."""
        self._has_trained = False
        """True once there may be drift: something was gathered since this peer began, or took over a state."""

    @property
    def loss(self) -> float | None:
        """Mean loss of the samples of all steps that no round has taken; None before the first step."""
        return self._loss_sum / self.samples if self.samples else None

    @property
    def age(self) -> int:
        """Commits that landed one after another without this peer having taken part, since it began to train.

        The drift itself has no age: new steps and old rests are in one difference. A round that takes a part of it
        has brought this peer to where the others are.
        """
        return self._missed

    # --- steps --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Make master copies where the model is not float32 on the CPU; it has its place now."""
        self._parameters()

    @property
    def lacking(self) -> int:
        """Samples that the next step still lacks, at least 1.

        A step takes an equal share of what this peer usually brings to a round, or has gathered for this one if that
        is more, and at most of a whole round.
        """
        share = max(self._share(), self.samples + self._gathered)
        return max(1, round(min(share, self._target) / self._rules.steps) - self._gathered)

    def _share(self) -> float:
        return self._target / max(1, self._trainers()) if self._usual is None else self._usual

    def add(self, loss: float, samples: int) -> None:
        """Count a micro-step of ``samples`` samples with mean ``loss``; make a step once its batch is complete."""
        is_whole = samples >= self.lacking
        self._has_trained = True
        self._gathered += samples
        self._newly_gathered += samples
        self._gathered_loss += loss * samples
        if is_whole:
            self._step()

    def _step(self) -> None:
        samples, self._steps_made = self._gathered, self._steps_made + 1
        for own, parameter in zip(self._parameters(), self._model, strict=True):
            if parameter.grad is not None:
                parameter.grad.div_(samples)
                own.grad = parameter.grad.to("cpu", torch.float32)
        progress = min(1.0, self._steps_made / self._rules.steps)
        set_rate(self._optimizer, rate_at(self._schedule, self._epoch + progress))
        try:
            self._optimizer.threads = torch.get_num_threads()  # training waits for this step
            self._optimizer.step()
        except GradientError as error:
            _log.warning("A local step of %d samples is left out: %s", samples, error)
        else:
            self.samples += samples
            self._loss_sum += self._gathered_loss
            self._show_model()
        self.abandon()

    def _parameters(self) -> list[nn.Parameter]:
        """Return the peer's own parameters, float32 on the CPU.

        They are chosen at the first need, since the model may be moved to a GPU after this object was made.
        """
        if not self._own:
            if any(item.dtype != torch.float32 or item.device.type != "cpu" for item in self._model):
                self._masters = Masters(zip(self._names, self._model, strict=True))
                self._masters.load(self._replica.masters.tensors())
                self._own = [item for _, item in self._masters.named_parameters()]
            else:
                self._own = self._model
            self._optimizer = optimizer_of(zip(self._names, self._own, strict=True), self._settings)
        return self._own

    def _show_model(self) -> None:
        if self._masters is not None:
            self._masters.copy_to_model()

    # --- rounds -------------------------------------------------------------------------------------------------

    def is_finite(self) -> bool:
        """Return true if the loss and all own parameters are finite."""
        return math.isfinite(self._loss_sum) and all(map(is_finite, self._parameters()))

    @torch.no_grad()
    def hand_over(self, inputs: Sequence[Tensor]) -> Batch:
        """Write the drift and the mean loss into a round's ``inputs``, and begin to count again at zero.

        The inputs are one tensor of each parameter's shape, in order, and then one of shape (1,) for the mean
        loss. The peer's own parameters stay as they are.
        """
        *drifts, statistics = inputs
        for target, committed, own in zip(drifts, self._committed(), self._parameters(), strict=True):
            torch.sub(committed, own.detach(), out=target)
        statistics.fill_(self.loss if self.loss is not None else 0.0)
        batch = Batch(self.samples, self.loss or 0.0, self.age, self._stale, self._gathered)
        self._handed_over = self.samples
        self.samples, self._loss_sum, self._stale = 0, 0.0, 0
        return batch

    def take_back(self, inputs: Sequence[Tensor], batch: Batch) -> None:
        """Count a ``batch`` again that no epoch included; its drift never left the parameters.

        ``inputs`` hold the drift, of the parameters' shapes, and the mean loss of shape (1,).
        """
        self._handed_over = 0
        self.samples += batch.samples
        self._loss_sum += batch.loss * batch.samples
        self._stale += batch.stale

    @torch.no_grad()
    def settle(
        self,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        included: frozenset[int],
        clipped: Mapping[int, float] = MappingProxyType({}),
    ) -> None:
        """Overwrite ``inputs`` with the committed parameters less the drift that the commit holds of this peer.

        Relative to these, what the peer has not contributed is the drift of its parameters.

        Args:
            inputs: the drift as ``hand_over`` wrote it, of each parameter's shape.
            outputs: the committed aggregate, in tensors of the same shapes.
            included: indices of the parts that hold this peer's values; empty if it took no part.
            clipped: shares of this peer's values, from 0 to 1, in those of these parts where a rule shortened them.
        """
        self._parameters()  # they begin at the old place, also where this comes before the first step
        committed = self._committed()
        for index, part in enumerate(self._parts[:-1]):
            taken = torch.zeros(part.values)
            if index in included:
                drift = part.gather(inputs)
                taken = self._sent(part, drift) * (part.gather(outputs) != 0)
                taken *= 1 - kept_of_clipped(clipped.get(index, 1.0))
                taken += (1 - self._rules.error_decay) * (drift - taken)
            part.scatter(part.gather(committed) - taken, inputs)
        self._bases = inputs
        self._missed = 0 if included else self._missed + self._has_trained

    @torch.no_grad()
    def land(self, replica: Replica) -> None:
        """Carry the drift that no commit holds over to the committed parameters of ``replica``.

        Training stands still meanwhile, so the differences take the place of what ``settle`` wrote: memory of their
        own would make this four times as long.
        """
        committed = replica.masters.tensors().values()
        for own, base, new in zip(self._parameters(), self._bases, committed, strict=True):
            own.sub_(base.sub_(new))
        self._bases = ()
        self._stale = self.samples
        self._note_share()
        self._goes_on_at(replica)

    def _note_share(self) -> None:
        """Note what this peer brought to the round that landed; steps that were too long to end become shorter.

        A round in which it gathered nothing says nothing: many may land one after another when it catches up.
        """
        if brought := self._handed_over or self.samples:
            self._usual = brought if self._usual is None else (self._usual + brought) / 2
        elif self._newly_gathered:
            self._usual = self._share() / 2
        self._handed_over = self._newly_gathered = 0

    @torch.no_grad()
    def restart(self, replica: Replica) -> None:
        """Drop all drift: the peer's own parameters are those of ``replica``. The optimizer keeps its state."""
        for own, new in zip(self._parameters(), replica.masters.tensors().values(), strict=True):
            own.copy_(new)
        self._goes_on_at(replica)
        self.samples, self._loss_sum = 0, 0.0
        self._missed = self._stale = 0
        self._has_trained = False
        self.abandon()

    def drop(self) -> None:
        """Drop all drift: it holds a value that is not finite."""
        self.restart(self._replica)

    def abandon(self) -> None:
        """Drop the gradients that no step has used; the drift stays."""
        self._gathered, self._newly_gathered, self._gathered_loss = 0, 0, 0.0
        for own, parameter in zip(self._parameters(), self._model, strict=True):
            if parameter.grad is not None:
                parameter.grad.zero_()
            if own is not parameter:
                own.grad = None

    def _goes_on_at(self, replica: Replica) -> None:
        self._show_model()
        self._epoch, self._steps_made = replica.place.epoch, 0

    def _committed(self) -> list[Tensor]:
        return list(self._replica.masters.tensors().values())

    # --- saved states -------------------------------------------------------------------------------------------

    def lasting_state(self) -> dict[str, Tensor]:
        """Return a copy of the optimizer's state by name, each tensor in its own shape, and the peer's usual samples.

        The drift is left out: a round that is under way may commit it after this peer has ended.
        """
        self._parameters()
        state = {_OPTIMIZER + name: item.clone() for name, item in self._optimizer.state_tensors().items()}
        return state | {_SHARE: torch.tensor(self._usual or 0.0, dtype=torch.float64)}

    def exact_state(self) -> dict[str, Tensor]:
        """Return a copy of the optimizer's state, the own parameters, unused gradients, counts, and ages.

        Own parameters and gradients have their parameters' shapes and names; the counts have shape (5,), ages (2,).
        """
        named = list(zip(self._names, self._parameters(), self._model, strict=True))
        own = {_OWN + name: item.detach().clone() for name, item, _ in named}
        gradients = {
            _GRADIENT + name: item.grad.detach().cpu().clone()
            for name, _, item in named
            if self._gathered and item.grad is not None
        }
        counts = (self.samples, self._loss_sum, self._gathered, self._gathered_loss, self._steps_made)
        return {
            **self.lasting_state(),
            **own,
            **gradients,
            _COUNTS: torch.tensor(counts, dtype=torch.float64),
            _AGES: torch.tensor([self._missed, self._stale]),
        }

    @torch.no_grad()
    def load(self, state: Mapping[str, Tensor]) -> None:
        """Go on with a ``state`` that ``lasting_state`` or ``exact_state`` returned, in the same shapes.

        Nothing changes if it is empty.
        Raises CheckpointError if it does not fit the model.
        """
        if not state:
            return
        parameters = self._parameters()
        self._optimizer.load_state_tensors(_under(_OPTIMIZER, state))
        self._usual = float(state[_SHARE]) or None
        if _COUNTS not in state:
            return
        own, gradients = _under(_OWN, state), _under(_GRADIENT, state)
        self._replica.masters.check(own)
        for name, item, parameter in zip(self._names, parameters, self._model, strict=True):
            item.copy_(own[name])
            if name in gradients:
                parameter.grad = gradients[name].to(parameter.device, parameter.grad_dtype).clone()
        samples, self._loss_sum, gathered, self._gathered_loss, steps = state[_COUNTS].tolist()
        self.samples, self._gathered, self._steps_made = round(samples), round(gathered), round(steps)
        self._newly_gathered = self._gathered
        self._missed, self._stale = state[_AGES].tolist() if _AGES in state else (0, 0)
        self._has_trained = True
        self._show_model()


def _under(prefix: str, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): item for name, item in state.items() if name.startswith(prefix)}
