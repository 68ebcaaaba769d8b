"""Cohorts, which stand for many peers where each one's record would: reads a summary as a view of the others.

All decisions count voices of users, or peers, so that they are the same for the records and for their summary. Pure
functions.
"""

from collections.abc import Iterable, Sequence

from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.summaries import CohortKind, CohortRow, SummaryRecord
from core.swarm.wire.voices import voiced_by_role


class Cohort(ProgressRecord):
    """Peers that are alike in all that decisions need: the record of one, with the counts of all."""

    number: int
    """Number of the peers; samples and samples a second are theirs together."""
    voices: int
    """Units of the voices that the peers have together."""

    @property
    def peers(self) -> int:
        """Number of peers for which the record stands."""
        return self.number

    @property
    def counted_voices(self) -> int:
        """Units of the voices that the peers have together."""
        return self.voices


def cohorts_in(summary: SummaryRecord) -> tuple[Cohort, ...]:
    """Return the cohorts of ``summary`` as records of all its peers."""
    return tuple(_cohort(row, summary) for row in summary.cohorts())


def others_in(cohorts: Sequence[Cohort], own: bytes, counted: ProgressRecord | None) -> tuple[Cohort, ...]:
    """Return the cohorts of a summary as a view of the others.

    Args:
        cohorts: the cohorts.
        own: id of this peer; where it is the one that is named, nobody can be asked.
        counted: the record of this peer's that is among those that were counted; it is left out again. None if there
            is none.
    """
    found = _without(counted, cohorts) if counted is not None else cohorts
    return tuple(
        cohort
        if cohort.peer_id != own
        else cohort.model_copy(update={"reducing": False, "gives": False, "state": None})
        for cohort in found
    )


def _without(own: ProgressRecord, cohorts: Sequence[Cohort]) -> list[Cohort]:
    """Return ``cohorts`` without the peer of the record ``own``, whose part is in all that are like it."""
    like = [cohort for cohort in cohorts if _is_like(cohort, own)]
    if not like:
        return list(cohorts)
    largest = max(like, key=lambda cohort: cohort.number)
    kept = [cohort for cohort in like if cohort is not largest or cohort.number > 1]
    samples, rate = (
        _share_left([getattr(item, name) for item in like], [getattr(item, name) for item in kept], part)
        for name, part in (("samples", own.samples), ("samples_per_second", own.samples_per_second))
    )
    own_voices = largest.voices // largest.number  # those of the other peers of its user are not known
    found, exact, given = list[Cohort](), 0.0, 0
    alike, left = (
        {id(cohort) for cohort in like},
        {id(cohort) for cohort in kept},
    )  # to compare fields is slow
    for cohort in cohorts:
        if id(cohort) not in alike:
            found.append(cohort)
        elif id(cohort) in left:
            exact += cohort.samples * samples
            update = {
                "number": cohort.number - (cohort is largest),
                "voices": cohort.voices - own_voices * (cohort is largest),
                "samples": round(exact) - given,
                "samples_per_second": cohort.samples_per_second * rate,
            }
            given = round(exact)
            found.append(cohort.model_copy(update=update))
    return found


def _share_left(all_of_them: Sequence[float], kept: Sequence[float], own: float) -> float:
    """Return the factor for those that are ``kept`` that makes their sum that of all without a peer's own part."""
    return max(0.0, sum(all_of_them) - own) / sum(kept) if sum(kept) > 0 else 0.0


def _is_like(cohort: ProgressRecord, own: ProgressRecord) -> bool:
    names = ("epoch", "head", *CohortKind._fields)
    return all(getattr(cohort, name) == getattr(own, name) for name in names)


def _cohort(row: CohortRow, summary: SummaryRecord) -> Cohort:
    place = summary.places[row.place]
    return Cohort.model_construct(  # the counts of many may exceed what one peer's record may state
        peer_id=row.peer_id,
        epoch=place.epoch,
        head=place.head,
        parameters=place.parameters,
        sketch=place.sketch,
        samples=row.samples,
        samples_per_second=row.samples_per_second,
        epoch_seconds=row.epoch_seconds,
        time=summary.time - row.age,
        looks_every=row.looks_every,
        state=place.state if row.names_state else None,
        number=row.peers,
        voices=row.voices,
        **row.kind._asdict(),
    )


def scaled(sample: Sequence[ProgressRecord], factor: int) -> tuple[Cohort, ...]:
    """Return a view of a swarm of which ``sample`` is one part in ``factor``, by what was drawn.

    A user has one voice in the sample, and is the more likely in it, the more peers it has: its weight in the whole
    is at most that of a user of which the sample has one.
    """
    return tuple(
        Cohort.model_construct(
            **record.model_dump()
            | {
                "samples": record.samples * factor,
                "samples_per_second": record.samples_per_second * factor,
                "number": factor,
                "voices": voices * factor,
            }
        )
        for record, voices in voiced_by_role(sample)
    )


def moved_on(
    others: Iterable[ProgressRecord], before: tuple[int, bytes], after: ProgressRecord
) -> tuple[ProgressRecord, ...]:
    """Return ``others`` as they are once those at the place ``before`` have followed the commit to that of ``after``.

    The next summary comes later than the next epoch begins. Until then the peers are taken to have gone the way that
    this peer has gone, and to compute as before, from the time of its record ``after`` on.
    """
    update = {
        name: getattr(after, name) for name in ("epoch", "head", "parameters", "sketch", "time", "state")
    }
    fresh = update | {"samples": 0, "epoch_seconds": 0.0}
    return tuple(
        record.model_copy(update=fresh)
        if (record.epoch, record.head) == before and record.synchronised
        else record
        for record in others
    )
