"""Holds a temperature or a power at its target by the share of the time that training computes: a pure controller.

A limit that pauses training lets a computer swing between hot and idle. This lowers the share just so far that the
measured value settles at the target; the limits that pause training stay above it.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from client.policy.hysteresis import Condition
from client.policy.reasons import Effect, PauseReason
from client.policy.situation import Situation, known, training_gpus
from client.preferences.preferences import Preferences

LEAST_SHARE = 0.05
"""Smallest share of the time that is asked for; what is too hot even so is left to the limits that pause training."""
_LONGEST_STEP = 5.0
"""Seconds that one step counts at most, so that a computer that slept does not make up for it at once."""
_HOLDS, _IS_OVER = 0.98, 0.995
"""Parts of the share that would be allowed otherwise: below the first the reason holds, above the second it ends."""


@dataclass(frozen=True)
class ControlGains:
    """Settings of a proportional and integral controller (Åström and Hägglund, Advanced PID Control, chapter 3)."""

    proportional: float
    """Change of the share for each unit of the error."""
    integral: float
    """Change of the share for each unit of the error, in each second."""
    smoothing: float = 10.0
    """Time constant in seconds of the filter before it: readings swing with each micro-step and its pause."""
    first: float = 0.3
    """Share that the integral begins with: from below, a hot computer is not made hotter first."""


HEAT_GAINS = ControlGains(proportional=0.01, integral=0.0002)
"""Gains for errors in °C. Full load heats a computer by 25 to 110 °C, within seconds (die) to minutes (water)."""
POWER_GAINS = ControlGains(proportional=0.0, integral=0.03, first=0.5)
"""Gains for errors as a share of the limit. Power follows the share of the time at once; the filter delays it."""


@dataclass(frozen=True)
class ShareControl:
    """State of one controller between two looks at the machine."""

    integral: float
    """Share of the time that the sum of the errors asks for, 0 to 1."""
    filtered: float
    """Measured value behind the filter, in its own unit."""
    at: float
    """Seconds of the clock at the last look."""
    share: float
    """Share of the time that it allows, `LEAST_SHARE` to 1."""


Controls = Mapping[PauseReason, ShareControl]


@dataclass(frozen=True)
class HeldTarget:
    """A value to be held, as it is measured now."""

    code: PauseReason
    measured: float
    target: float
    scale: float
    """Divisor that brings errors to the unit of the gains."""
    gains: ControlGains
    text: str
    """Words for the reason for which training is slowed."""


def control(before: ShareControl | None, held: HeldTarget, now: float, ceiling: float) -> ShareControl:
    """Return the next state of a controller.

    Args:
        before: State at the last look; None: training begins, or begins again after a pause.
        held: Target and measured value.
        now: Seconds of the clock.
        ceiling: Largest share of the time that all else allows, 0 to 1; the integral does not grow beyond it.
    """
    gains, filtered, integral = held.gains, held.measured, held.gains.first
    error = (held.target - filtered) / held.scale
    if before is not None:
        elapsed = min(max(0.0, now - before.at), _LONGEST_STEP)
        passed = 1 - math.exp(-elapsed / gains.smoothing)
        filtered = before.filtered + (held.measured - before.filtered) * passed
        error = (held.target - filtered) / held.scale
        integral = before.integral + gains.integral * error * elapsed
    share = min(max(integral + gains.proportional * error, LEAST_SHARE), max(ceiling, LEAST_SHARE))
    # Where the share is at a bound, the integral stays what that share asks for: it would wind up otherwise.
    integral = min(integral, max(share - gains.proportional * error, LEAST_SHARE))
    integral = max(integral, LEAST_SHARE)
    return ShareControl(integral, filtered, now, share)


def control_all(preferences: Preferences, situation: Situation, before: Controls, ceiling: float) -> Controls:
    """Return the controllers of everything that the volunteer wants to be held and that can be measured.

    Args:
        preferences: Choices of the volunteer.
        situation: State of the machine.
        before: Controllers at the last look; empty while training was paused.
        ceiling: Largest share of the time that all else allows, 0 to 1.
    """
    now = situation.readings.now.timestamp()
    return {
        held.code: control(before.get(held.code), held, now, ceiling)
        for held in held_targets(preferences, situation)
    }


def held_targets(preferences: Preferences, situation: Situation) -> Iterator[HeldTarget]:
    """Yield what is to be held; a sensor that cannot be read holds nothing."""
    gpus = training_gpus(situation, preferences.gpus)
    processor = known(situation.readings.cpu_celsius)
    hottest = max((gpu.celsius for gpu in gpus if gpu.celsius is not None), default=None)
    heats = (
        (PauseReason.TARGET_CPU_TEMPERATURE, processor, preferences.cpu_target_temperature, "processor"),
        (PauseReason.TARGET_GPU_TEMPERATURE, hottest, preferences.gpu_target_temperature, "GPU"),
    )
    for code, celsius, target, what in heats:
        if celsius is not None and target is not None:
            text = f"the {what} is held at {target:.0f} °C"
            yield HeldTarget(code, celsius, target, 1.0, HEAT_GAINS, text)
    watts = max((gpu.watts for gpu in gpus if gpu.watts is not None), default=None)
    if watts is not None and (limit := situation.gpu_watts_by_share) is not None:
        text = f"the GPU is held at {limit:.0f} W on average"
        yield HeldTarget(PauseReason.GPU_POWER, watts, limit, limit, POWER_GAINS, text)


def slowed(
    preferences: Preferences, situation: Situation, controls: Controls, ceiling: float
) -> list[Condition]:
    """Return the conditions of what slows training down, `ceiling` being the share that all else allows."""
    return [
        Condition(
            held.code,
            over=controls[held.code].share <= ceiling * _HOLDS,
            clear=controls[held.code].share >= ceiling * _IS_OVER,
            text=held.text,
            effect=Effect.THROTTLE,
        )
        for held in held_targets(preferences, situation)
    ]
