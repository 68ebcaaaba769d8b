"""Enters committed epochs into the ledger: each once, with its credits and doubts and all sums, or not at all."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from coordinator.database.bulk import add_to, insert_all
from coordinator.database.connect import Database
from coordinator.database.tables import Credit, Day, Doubt, Epoch, Total
from coordinator.database.upsert import insert_if_new
from coordinator.ledger.credit import Assessment, CommittedEpoch, KnownMachine, PeerCredit, assess
from coordinator.ledger.owners import Owner, devices_of, owners, remember_devices, users_of
from coordinator.ledger.standings import complete
from coordinator.ledger.withholding import WorkStanding
from coordinator.ledger.work_audits import lock, withhold_new, withholdings

_SUMS = ("samples", "compute_seconds", "epochs")


@dataclass
class _EpochCredit:
    """The credit of all peers of one user for one epoch."""

    samples: int = 0
    compute_seconds: float = 0.0


class Ledger:
    """The ledger of one run. A process that writes it may be killed at any time, and may write the same again."""

    def __init__(
        self, database: Database, operations: float, *, has_gate: bool = False, checks_work: bool = False
    ) -> None:
        """Prepare to credit work in ``database``.

        Args:
            operations: those of a sample (`coordinator.ledger.credit.operations_of`).
            has_gate: only peers that joined are credited; a commit can name any number that never existed.
            checks_work: the coordinator audits work; that of users whose last audit found it false is not credited.
        """
        self._database = database
        self._operations = operations
        self._has_gate, self._checks_work = has_gate, checks_work

    def record(self, epoch: CommittedEpoch) -> bool:
        """Enter an epoch and return true if it was new; an epoch that is there stays as it is.

        LedgerError for an epoch that makes no sense, DatabaseError if it could not be written.
        """
        if self._has_gate:
            epoch = self._of_members(epoch)
        epoch = self._with_machines(epoch)
        assessment = assess(epoch, self._operations)
        is_new = self._database.retrying(lambda session: self._enter(session, epoch, assessment))
        complete(self._database, epoch.time.astimezone(UTC).date())
        return is_new

    def _enter(self, session: Session, epoch: CommittedEpoch, assessment: Assessment) -> bool:
        if not self._checks_work:
            return _enter(session, epoch, assessment, {})
        lock(session)
        return _enter(session, epoch, assessment, withholdings(session))

    def _of_members(self, epoch: CommittedEpoch) -> CommittedEpoch:
        with self._database.reading() as session:
            members = users_of(session, epoch.contributors)
        contributors = {peer: weight for peer, weight in epoch.contributors.items() if peer in members}
        return replace(epoch, contributors=contributors, peers=epoch.peers or len(contributors) or None)

    def _with_machines(self, epoch: CommittedEpoch) -> CommittedEpoch:
        """Return the epoch with the machines that earlier epochs have told, of peers that were not audited now."""
        unknown = [
            peer
            for peer in epoch.contributors
            if not (peer in epoch.claims or peer in epoch.machines or epoch.audit.covers(peer))
        ]
        if not unknown:
            return epoch
        with self._database.reading() as session:
            found = devices_of(session, unknown)
        earlier = {peer: KnownMachine(device) for peer, device in found.items()}
        return replace(epoch, machines={**epoch.machines, **earlier})

    def newest(self, generation: int) -> int | None:
        """Return the last epoch of a generation that is in the ledger; None if there is none."""
        with self._database.reading() as session:
            return session.scalar(select(func.max(Epoch.epoch)).where(Epoch.generation == generation))


def _enter(
    session: Session, epoch: CommittedEpoch, assessment: Assessment, withheld: Mapping[int, WorkStanding]
) -> bool:
    if not insert_if_new(session, Epoch, _epoch_row(epoch)):
        return False
    known = owners(session, assessment.peer_ids, epoch.time)
    devices = {peer: machine.device for peer, machine in epoch.machines.items()}
    devices |= {peer: claim.device for peer, claim in epoch.claims.items()}
    remember_devices(session, known, devices)
    key = {"generation": epoch.generation, "epoch": epoch.epoch, "time": epoch.time}
    insert_all(session, Credit, _credit_rows(key, assessment, known))
    insert_all(session, Doubt, _doubt_rows(key, assessment, known))
    _add_up(session, epoch, assessment, known, withheld)
    return True


def _epoch_row(epoch: CommittedEpoch) -> dict[str, Any]:
    columns = ("generation", "epoch", "time", "loss", "seconds", "root", "traffic")
    row = {column: getattr(epoch, column) for column in columns}
    peers = epoch.peers if epoch.peers is not None else len(epoch.contributors)
    return row | {"samples": int(epoch.samples), "peers": peers}


def _credit_rows(
    key: Mapping[str, Any], assessment: Assessment, known: Mapping[str, Owner]
) -> list[dict[str, Any]]:
    return [
        {
            **key,
            "peer_id": known[item.peer_id].peer,
            "user_id": known[item.peer_id].user,
            **_amounts(item),
        }
        for item in assessment.credits
    ]


def _amounts(item: PeerCredit | _EpochCredit) -> dict[str, Any]:
    return {"samples": item.samples, "compute_seconds": item.compute_seconds}


def _doubt_rows(
    key: Mapping[str, Any], assessment: Assessment, known: Mapping[str, Owner]
) -> list[dict[str, Any]]:
    return [
        {
            **key,
            "peer_id": known[item.peer_id].peer,
            "claimed": item.claimed,
            "credited": item.credited,
            "why": item.why.value,
        }
        for item in assessment.doubts
    ]


def _add_up(
    session: Session,
    epoch: CommittedEpoch,
    assessment: Assessment,
    known: Mapping[str, Owner],
    withheld: Mapping[int, WorkStanding],
) -> None:
    """Add the credits to their users' days and totals, in the order of users: so two writers cannot deadlock.

    What audits withhold is added to what they have withheld before; the user has a total all the same.
    """
    shares = dict(sorted(_shares(assessment, known)))
    day, place = epoch.time.astimezone(UTC).date(), (epoch.generation, epoch.epoch)
    kept = {
        user: withheld[user].withheld_by
        for user in shares
        if user in withheld and not withheld[user].credits(place)
    }
    for user, audit in kept.items():
        if audit is not None:
            withhold_new(session, audit, day, _amounts(shares[user]))
    credited = {user: share for user, share in shares.items() if user not in kept}
    days = [{"user_id": user, "day": day, **_amounts(share), "epochs": 1} for user, share in credited.items()]
    totals = [
        {
            "user_id": user,
            "first": epoch.time,
            **_amounts(credited.get(user, _EpochCredit())),
            "epochs": int(user in credited),
        }
        for user in shares
    ]
    add_to(session, Day, days, _SUMS)
    add_to(session, Total, totals, _SUMS)


def _shares(assessment: Assessment, known: Mapping[str, Owner]) -> Iterator[tuple[int, _EpochCredit]]:
    shares: defaultdict[int, _EpochCredit] = defaultdict(_EpochCredit)
    for item in assessment.credits:
        share = shares[known[item.peer_id].user]
        share.samples += item.samples
        share.compute_seconds += item.compute_seconds
    yield from shares.items()
