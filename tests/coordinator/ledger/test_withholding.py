"""The policy by which audits decide what is credited, as a table."""

import pytest

from coordinator.ledger.withholding import (
    UNCHECKED,
    CommitPlace,
    EnteredAudit,
    EnteredVerdict,
    WorkStanding,
    heir_of,
    standing_of,
)

S, F, D, U = EnteredVerdict.SOUND, EnteredVerdict.FALSE, EnteredVerdict.DOUBTFUL, EnteredVerdict.UNVERIFIABLE


def audits(*verdicts: EnteredVerdict, lifted: tuple[int, ...] = (), peers: str = "") -> list[EnteredAudit]:
    """Audits with numbers from 1, of work for epochs 10, 20 and so on, by one peer or by those that are named."""
    named = peers or "a" * len(verdicts)
    return [
        EnteredAudit(number, (0, 10 * number), verdict, peer, number in lifted)
        for number, (verdict, peer) in enumerate(zip(verdicts, named, strict=True), 1)
    ]


@pytest.mark.parametrize(
    ("found", "standing"),
    [
        (audits(), UNCHECKED),
        (audits(U, D), UNCHECKED),
        (audits(S), WorkStanding(1, (0, 10))),
        (audits(S, S, U), WorkStanding(2, (0, 20))),
        (audits(S, D), WorkStanding(1, (0, 10))),
        (audits(F), WorkStanding(0, None, 1)),
        (audits(S, S, F), WorkStanding(2, (0, 20), 3)),
        (audits(S, F, F), WorkStanding(1, (0, 10), 2)),
        (audits(S, F, U, D), WorkStanding(1, (0, 10), 2)),
        (audits(S, F, S), WorkStanding(2, (0, 30))),
        (audits(F, S, F), WorkStanding(1, (0, 20), 3)),
        (audits(S, F, lifted=(2,)), WorkStanding(1, (0, 10))),
        (audits(S, F, F, lifted=(2,)), WorkStanding(1, (0, 10), 3)),
        (audits(F, lifted=(1,)), UNCHECKED),
        (audits(S, F, S, S, peers="abaa"), WorkStanding(3, (0, 10), 2)),
        (audits(S, F, F, S, peers="abab"), WorkStanding(2, (0, 10), 2)),
        (audits(S, F, F, S, S, peers="ababa"), WorkStanding(3, (0, 50))),
    ],
)
def test_audits_decide_a_users_standing(found: list[EnteredAudit], standing: WorkStanding) -> None:
    assert standing_of(found) == standing


@pytest.mark.parametrize(
    ("found", "credited", "withheld"),
    [
        (audits(U, D), [(0, 1), (9, 99)], []),
        (audits(S), [(0, 1), (0, 99), (1, 1)], []),
        (audits(F), [], [(0, 1), (0, 10), (1, 1)]),
        (audits(S, F), [(0, 9), (0, 10)], [(0, 11), (0, 20), (0, 99), (1, 1)]),
        (audits(S, F, S), [(0, 10), (0, 30), (0, 99)], []),
    ],
    ids=["never checked", "sound", "false", "false after sound", "sound again"],
)
def test_what_is_committed_is_credited_by_the_standing(
    found: list[EnteredAudit], credited: list[CommitPlace], withheld: list[CommitPlace]
) -> None:
    standing = standing_of(found)
    assert [place for place in credited + withheld if standing.credits(place)] == credited


@pytest.mark.parametrize(
    ("found", "number", "heir"),
    [
        (audits(S, F), 2, None),
        (audits(S, F, F), 2, 3),
        (audits(S, F, U, D, F), 2, 5),
        (audits(S, F, S, F), 2, None),
        (audits(S, F, F, F, lifted=(3,)), 2, 4),
        (audits(S, F, F), 3, None),
        (audits(S, F, S, F, peers="abaa"), 2, 4),
    ],
)
def test_another_verdict_may_withhold_in_place_of_one_that_is_lifted(
    found: list[EnteredAudit], number: int, heir: int | None
) -> None:
    assert heir_of(found, number) == heir
