"""Preferences and readings to what training may do now, and why not more: pure, for the daemon to carry out.

Yielding is immediate, coming back is slow (`client.policy.hysteresis`); the most severe effect wins, and every reason
that holds is listed, in one order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from client.policy.hysteresis import Condition, Latch, step
from client.policy.pacing import Controls, control_all, slowed
from client.policy.protection import PROTECTION
from client.policy.reasons import Effect, PauseReason, Reason
from client.policy.rules import CONVENIENCE, REQUESTED, is_in_use, while_in_use
from client.policy.situation import HeldByTrainer, Situation, remember_held
from client.preferences.preferences import Preferences, RunMode

__all__ = ["Budget", "Decision", "Effect", "Memory", "PauseReason", "Reason", "Situation", "decide"]

_THREADS_BESIDE_GPU = 4
_DIGITS = 2
"""Digits of the shares that controllers ask for: a trainer need not hear of less than a hundredth."""
_ORDER = {code: place for place, code in enumerate(PauseReason)}


@dataclass(frozen=True)
class Budget:
    """Resources that training may take now."""

    threads: int
    share: float
    """Share of the time that training computes, 0 to 1; 0 while it is paused."""
    upload: int | None
    """Upload limit in bytes per second; None: unlimited."""
    download: int | None
    """Download limit in bytes per second; None: unlimited."""
    ram: int | None
    """RAM limit in bytes; None: unlimited."""
    vram: int | None
    """Limit of GPU memory in bytes; None: unlimited."""


@dataclass(frozen=True)
class Decision:
    effect: Effect
    reasons: tuple[Reason, ...]
    """Pause reasons that hold; none where training runs freely."""
    budget: Budget

    @property
    def codes(self) -> frozenset[PauseReason]:
        return frozenset(reason.code for reason in self.reasons)

    @property
    def headline(self) -> str:
        """One sentence, such as "Paused: you are using the computer."."""
        if self.effect is Effect.RUN:
            return "Training is allowed."
        worst = max(reason.effect for reason in self.reasons)
        first = next(reason for reason in self.reasons if reason.effect is worst)
        verb = "Paused" if self.effect > Effect.THROTTLE else f"Slowed to {self.budget.share:.0%}"
        return f"{verb}: {first.text}."


@dataclass(frozen=True)
class Memory:
    """State of the policy between decisions; the first call gets an empty one."""

    latches: Mapping[PauseReason, Latch] = field(default_factory=dict)
    held: HeldByTrainer = field(default_factory=HeldByTrainer)
    paused_since: float | None = None
    """Seconds of the clock since which training is paused without a break."""
    controls: Controls = field(default_factory=dict)
    """Controllers of temperatures and power as of the last decision."""


def decide(preferences: Preferences, situation: Situation, before: Memory) -> tuple[Decision, Memory]:
    """Decide what training may do now.

    Args:
        preferences: Choices of the volunteer.
        situation: State of machine, trainer and run.
        before: Memory that the last call returned; it should be seconds old.

    Returns:
        The decision, and the memory for the next call.
    """
    now = situation.readings.now.timestamp()
    held = remember_held(before.latches, before.held, situation)
    ceiling = _share(preferences, situation)
    earlier = before.controls if before.paused_since is None else {}
    controls = control_all(preferences, situation, earlier, ceiling)
    conditions = _conditions(preferences, situation, held)
    conditions += slowed(preferences, situation, controls, ceiling)
    found = {condition.code: condition for condition in conditions}
    latches = {
        code: latch
        for code, condition in found.items()
        if (latch := step(before.latches.get(code), condition, now))
    }
    reasons = tuple(
        _reason(found[code]) for code in sorted(latches, key=_ORDER.__getitem__) if latches[code].on
    )
    effect = max((reason.effect for reason in reasons), default=Effect.RUN)
    paused_since = _paused_since(before, effect, now)
    if effect is Effect.PAUSE and _must_leave(preferences, situation, paused_since, now):
        effect = Effect.LEAVE
    share = min([ceiling, *(round(held.share, _DIGITS) for held in controls.values())])
    budget = _budget(preferences, situation, share if effect < Effect.PAUSE else 0.0)
    return Decision(effect, reasons, budget), Memory(latches, held, paused_since, controls)


def _conditions(preferences: Preferences, situation: Situation, held: HeldByTrainer) -> list[Condition]:
    rules = REQUESTED + PROTECTION
    if preferences.run_mode is not RunMode.ALWAYS:
        rules += CONVENIENCE
    return [found for rule in rules if (found := rule(preferences, situation, held))]


def _reason(condition: Condition) -> Reason:
    if condition.after and not condition.over:
        return Reason(condition.code, condition.after, condition.effect)
    return Reason(condition.code, condition.text, condition.effect, condition.about, condition.until)


def _paused_since(before: Memory, effect: Effect, now: float) -> float | None:
    if effect < Effect.PAUSE:
        return None
    return now if before.paused_since is None else min(before.paused_since, now)


def _must_leave(preferences: Preferences, situation: Situation, since: float | None, now: float) -> bool:
    long_enough = since is not None and now - since >= preferences.leave_in_memory * 60
    return long_enough or (preferences.free_gpu_on_pause and situation.on_gpu)


def _budget(preferences: Preferences, situation: Situation, share: float) -> Budget:
    return Budget(
        threads=_threads(preferences, situation),
        share=share,
        upload=preferences.upload,
        download=preferences.download,
        ram=preferences.ram_limit,
        vram=preferences.vram_limit,
    )


def _threads(preferences: Preferences, situation: Situation) -> int:
    if preferences.threads is not None:
        return min(preferences.threads, situation.cores)
    most = max(1, situation.cores - 1)
    return min(most, _THREADS_BESIDE_GPU) if situation.on_gpu else most


def _share(preferences: Preferences, situation: Situation) -> float:
    """Return the share of the time that the volunteer allows now, whatever the temperatures are."""
    used = preferences.run_mode is not RunMode.ALWAYS and is_in_use(preferences, situation)
    in_use_share = while_in_use(preferences, situation) if used else None
    return min(preferences.share_of_time, 1.0 if in_use_share is None else in_use_share)
