"""Where an axis is marked: at round numbers, one, two or five times a power of ten apart."""

import math


def ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """At most that many marks from low to high, both finite; a single value is marked alone."""
    if most < 1 or not (math.isfinite(low) and math.isfinite(high)):
        return ()
    if high <= low:
        return (float(low),)
    step = nice_step((high - low) / max(most, 1))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return tuple(number * step for number in range(first, last + 1))


def nice_step(least: float) -> float:
    """The smallest round step that is not smaller."""
    power = 10.0 ** math.floor(math.log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least * (1 - 1e-9)), 10 * power)


def digits(step: float) -> int:
    """Decimals that tell marks apart which are that far from each other."""
    return max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0


def around(low: float, high: float, most: int) -> tuple[float, float]:
    """The same span, widened to round numbers; one that is empty gets some room."""
    if high <= low:
        room = abs(low) * 0.1 or 1.0
        low, high = low - room, high + room
    step = nice_step((high - low) / max(most, 1))
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
