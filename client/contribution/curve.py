"""Makes a curve that can be drawn out of epochs that several have told of: pure functions."""

from collections.abc import Sequence

from client.api.history import EpochPoint


def merged(told: Sequence[EpochPoint], own: Sequence[EpochPoint]) -> list[EpochPoint]:
    """The run's epochs as its coordinator tells of them, with the own samples, and what came after them here."""
    if not told:
        return list(own)
    here = {point.epoch: point for point in own}
    newest = told[-1].epoch
    return [_with_own(point, here.get(point.epoch)) for point in told] + [
        point for point in own if point.epoch > newest
    ]


def thinned(points: Sequence[EpochPoint], most: int) -> tuple[EpochPoint, ...]:
    """At most so many: the first, the last, and from equal parts of what is between the lowest and highest loss."""
    if len(points) <= most:
        return tuple(points)
    between, parts = points[1:-1], (most - 2) // 2
    kept = {points[0].epoch: points[0], points[-1].epoch: points[-1]}
    for part in range(parts):
        piece = between[part * len(between) // parts : (part + 1) * len(between) // parts]
        for point in (min(piece, key=_loss), max(piece, key=_loss)):
            kept[point.epoch] = point
    return tuple(kept[epoch] for epoch in sorted(kept))


def _with_own(point: EpochPoint, own: EpochPoint | None) -> EpochPoint:
    return point.model_copy(update={"own_samples": own.own_samples}) if own else point


def _loss(point: EpochPoint) -> float:
    return point.loss
