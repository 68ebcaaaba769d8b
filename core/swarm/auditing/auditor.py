"""Audits parts of the rounds of one peer, and verifies what other auditors found; works in the averager's process."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any

from hivemind.p2p import PeerID
from hivemind.proto import averaging_pb2

from core.admission.peer_key import PeerKey
from core.failure_series import in_words
from core.swarm.auditing.account import (
    ContributionWithheld,
    ShownContribution,
    answers,
    asked_part,
    fetch_account,
)
from core.swarm.auditing.backoff import PeerFault
from core.swarm.auditing.conduct import PeerConducts
from core.swarm.auditing.draw import AuditRules, CommittedPlace, draw_of, drawn_part
from core.swarm.auditing.finding import AuditFinding
from core.swarm.auditing.round_witness import RoundWitness
from core.swarm.auditing.row_spans import RowClaim
from core.swarm.auditing.statement import IntroducedKeys, StatementKey
from core.swarm.auditing.verdict import AuditVerdict, agrees
from core.swarm.rounds.allreduce import AllReduce
from core.swarm.rounds.group import Group
from core.swarm.rounds.partition import Part
from core.swarm.rounds.reduction import NothingToReduce, ReducedPart
from core.swarm.wire.encoding import MalformedPart
from core.swarm.wire.limits import TimeLimits
from core.swarm.wire.streams import PeerLost, messages
from core.tasks import within

_log = logging.getLogger(__name__)

_ROUNDS_KEPT = 2
"""Rounds of which contributions are kept: the last one, and the one under way."""
ANSWERS_TO_A_MEMBER = 20
"""Accounts of a round that one member gets: of drawn and strange parts, of those that it verifies, and of work."""
_FINDINGS_OF_A_ROUND = 8
"""Findings that are verified in a round, each of an auditor of another user that was drawn for it."""
_STRANGE_OF_A_ROUND = 3
"""Parts that are audited in a round beside a drawn one, as they are strange beside this peer's own work."""
_drawn = SystemRandom()
"""Draws of strange parts: nobody is to hide behind others that look worse."""
_MOST_TASKS = 16
"""Audits and verifications under way at a time; findings beyond them are dropped."""
_COMMIT_SECONDS = 15.0
"""Seconds for which a finding waits until this peer has the commit as well."""
_FAULTS = {
    AuditVerdict.FALSE_AGGREGATE: PeerFault.FALSE_AGGREGATE,
    AuditVerdict.NO_ACCOUNT: PeerFault.NO_ACCOUNT,
}


@dataclass
class AuditedRound:
    """A round that this peer took part in, as long as it can be audited."""

    witness: RoundWitness
    reduction: AllReduce | None = None
    limits: TimeLimits | None = None
    root: bytes = b""
    parts: Mapping[int, ReducedPart] = field(default_factory=dict)
    """The committed parts by their indices; empty until the round is committed."""
    committed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once ``parts`` and ``root`` are known."""
    answered: Counter[PeerID] = field(default_factory=Counter)
    """Accounts that each member got."""
    reporting: set[object] = field(default_factory=set)
    """Users of which one member has reported a finding with a draw of its own."""
    findings: int = 0
    """Number of findings that were verified."""
    blamed: set[PeerID] = field(default_factory=set)
    """Reducers that were blamed: once a round, however many of their parts are found false."""
    judged: dict[int, AuditVerdict] = field(default_factory=dict)
    """Verdicts by the indices of parts, so that none is looked at twice."""


class Auditor:
    """One peer's audits, its accounts for others, and its answers to findings."""

    def __init__(
        self,
        peer_id: PeerID,
        key: PeerKey,
        run: str,
        parts: tuple[Part, ...],
        *,
        conducts: PeerConducts,
        stub_of: Callable[[PeerID], Any],
        max_weight: float,
        rules: AuditRules,
    ) -> None:
        """Prepare to audit.

        Args:
            peer_id: id of this peer.
            key: its private key.
            run: DHT prefix of the run.
            parts: the parts of the run's rounds, in order.
            conducts: remembers what is found.
            stub_of: gives the RPC stub of a peer.
            max_weight: most samples that a sender may claim.
            rules: how much is audited.
        """
        self._me, self._key, self._run, self._parts = peer_id, key, run, parts
        self._conducts, self._stub_of, self._max_weight, self._rules = conducts, stub_of, max_weight, rules
        self._statements, self._keys = StatementKey(key, run), IntroducedKeys(run)
        self._rounds: OrderedDict[bytes, AuditedRound] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def witness(
        self,
        epoch: int,
        parent: bytes,
        group: Group,
        rows: RowClaim | None = None,
        limits: TimeLimits | None = None,
    ) -> RoundWitness:
        """Return the witness of a round that begins; older ones than the one before can no longer be audited.

        Args:
            epoch: epoch of the round.
            parent: root of the commit that led to it.
            group: its group.
            rows: the rows behind what this peer sends; None in runs whose work is not recomputed.
            limits: the limits of the exchange; without them nothing is asked of others before it is over.
        """
        made = RoundWitness(self._run, epoch, parent, group, key=self._statements, keys=self._keys, rows=rows)
        self._rounds[group.id] = AuditedRound(made, limits=limits)
        while len(self._rounds) > _ROUNDS_KEPT:
            _, oldest = self._rounds.popitem(last=False)
            oldest.witness.received.close()
        return made

    def audit(
        self,
        reduction: AllReduce,
        limits: TimeLimits,
        root: bytes,
        parts: Mapping[int, ReducedPart],
        strange: Sequence[int] = (),
    ) -> None:
        """Begin the audit of a committed round, if this peer is drawn for it; others may have findings from now on.

        Args:
            reduction: this peer's exchange.
            limits: the limits of the exchange.
            root: root of the commit.
            parts: the committed parts by their indices. Those of groups that combined cannot be audited: no member
                has the means that other groups sent.
            strange: indices of parts that this peer looks into as well, of which it draws some.
        """
        found = self._rounds.get(reduction.group.id)
        if found is None or len(parts) < len(self._parts) or parts[len(self._parts) - 1].groups:
            return
        found.reduction, found.limits, found.root, found.parts = reduction, limits, root, parts
        found.committed.set()
        self._begin(self._audit(found, strange))

    def look_into(self, reduction: AllReduce, limits: TimeLimits, strange: Sequence[int]) -> None:
        """Begin to audit the ``strange`` parts (their indices) of a round that was not committed.

        ``reduction`` is this peer's exchange, ``limits`` are its limits. What is found stays with this peer: no draw
        proves to others that it was to look there, and each of them has a contribution of its own.
        """
        found = self._rounds.get(reduction.group.id)
        parts = {index: part for index, part in enumerate(reduction.results) if part is not None}
        if (
            found is None
            or not strange
            or len(parts) < len(self._parts)
            or parts[len(self._parts) - 1].groups
        ):
            return
        found.reduction, found.limits, found.parts = reduction, limits, parts
        self._begin(self._look_into(found, strange))

    async def _look_into(self, found: AuditedRound, strange: Sequence[int]) -> None:
        for index in _drawn.sample(strange, min(len(strange), _STRANGE_OF_A_ROUND)):
            verdict = await self._verdict(found, index)
            # also without an account: who turns its parts and shows nothing fails every round else
            if verdict is not AuditVerdict.SOUND:
                self._blame(found, index, verdict)

    async def settled(self) -> None:
        """Return once no audit or verification is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # asyncio itself keeps none
        task.add_done_callback(self._end)

    def _end(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.warning("An audit ended unexpectedly.", exc_info=error)

    async def _audit(self, found: AuditedRound, strange: Sequence[int]) -> None:
        await self._audit_drawn(found)
        await self._look_into(found, strange)

    async def _audit_drawn(self, found: AuditedRound) -> None:
        group, place = found.witness.group, self._place(found)
        draw = await asyncio.to_thread(draw_of, self._key, place)
        index = drawn_part(draw, group.members.index(self._me), group.owners, len(group.senders), self._rules)
        if index is None:
            return
        verdict = await self._verdict(found, index)
        if verdict is AuditVerdict.SOUND:
            return
        finding = AuditFinding(
            place.epoch, place.group, place.root, index, verdict, draw, public_key=self._key.public_key
        )
        self._blame(found, index, verdict)
        others = [
            member
            for at, member in enumerate(group.members)
            if at not in group.clients and member not in (self._me, group.members[group.owners[index]])
        ]
        await asyncio.gather(*(self._tell(member, finding, found) for member in others))

    async def _tell(self, member: PeerID, finding: AuditFinding, found: AuditedRound) -> None:
        assert found.limits is not None
        message = averaging_pb2.AveragingData(code=averaging_pb2.PART_FOR_AVERAGING, group_id=finding.pack())
        try:
            call = self._stub_of(member).rpc_report_finding(message)
            async for _ in messages(call, silence_seconds=found.limits.reducer_seconds):
                pass
        except PeerLost as error:
            _log.info("Peer %s was not told of a finding: %s", member, in_words(error))

    async def contribution_of(
        self, group: bytes, sender: int, index: int
    ) -> averaging_pb2.AveragingData | None:
        """Return what a sender sent another reducer in a committed round, signed, as that reducer shows it.

        The reducer's aggregate must be of what it shows: it could show something else here than in other audits.

        Args:
            group: id of the group of the round.
            sender: position of the sender.
            index: index of a part that another peer reduced.

        Returns:
            The message; None if the committed part is without the sender. Who does not know the committed part, as an
            auxiliary peer, takes what is shown as it is, and nothing follows if nothing is.

        Raises:
            ContributionWithheld: the reducer shows nothing in time, or something else. It is to blame.
        """
        found = self._rounds.get(group)
        if found is None or found.limits is None:
            return None
        seconds = found.limits.reducer_seconds
        if not found.parts:
            try:
                async with asyncio.timeout(seconds):
                    return (await self._account(found, index, frozenset({sender})))[sender].message
            except (PeerLost, MalformedPart, TimeoutError) as error:
                _log.info(
                    "Part %d of a sender whose work is audited is not shown: %s", index, in_words(error)
                )
                return None
        if sender not in found.parts[index].included:
            return None
        try:
            async with asyncio.timeout(seconds):  # the heads that an audit needs are not kept for longer
                verdict, shown = await self._examined(found, index)
        except TimeoutError:
            verdict, shown = AuditVerdict.NO_ACCOUNT, {}
        if verdict is AuditVerdict.SOUND:
            return shown[sender].message
        self._blame(found, index, verdict)
        raise ContributionWithheld

    async def _verdict(self, found: AuditedRound, index: int) -> AuditVerdict:
        """Return what the audit of the part with that ``index`` comes to; each is audited once."""
        if index not in found.judged:
            found.judged[index], _ = await self._examined(found, index)
        return found.judged[index]

    async def _examined(
        self, found: AuditedRound, index: int
    ) -> tuple[AuditVerdict, Mapping[int, ShownContribution]]:
        """Return what the audit of the part with that ``index`` comes to, and what its reducer shows of it."""
        assert found.reduction is not None
        part, committed, witness = self._parts[index], found.parts[index], found.witness
        reducer = witness.group.members[witness.group.owners[index]]
        shown: Mapping[int, ShownContribution] = {}
        try:
            shown = await self._account(found, index, committed.included)
            contributions = {at: (item.values, item.message.weight) for at, item in shown.items()}
            again = await found.reduction.reduce_again(index, contributions)
            sound = await asyncio.to_thread(agrees, part, committed, again)
            verdict, why = (AuditVerdict.SOUND, "") if sound else (AuditVerdict.FALSE_AGGREGATE, "")
        except (PeerLost, MalformedPart) as error:
            verdict, why = AuditVerdict.NO_ACCOUNT, f" ({error})"
        except (NothingToReduce, RuntimeError, ValueError) as error:
            verdict, why = AuditVerdict.FALSE_AGGREGATE, f" ({in_words(error)})"
        _log.log(
            logging.INFO if verdict is AuditVerdict.SOUND else logging.WARNING,
            "Epoch %d: audit of part %d of reducer %s: %s%s.",
            witness.epoch,
            index,
            reducer,
            verdict.value,
            why,
        )
        return verdict, shown

    async def _account(
        self, found: AuditedRound, index: int, included: frozenset[int]
    ) -> Mapping[int, ShownContribution]:
        assert found.limits is not None
        return await fetch_account(
            found.witness,
            index,
            self._parts[index],
            included,
            stub_of=self._stub_of,
            silence_seconds=found.limits.reducer_seconds,
            max_weight=self._max_weight,
        )

    def _blame(self, found: AuditedRound, index: int, verdict: AuditVerdict) -> None:
        group = found.witness.group
        reducer = group.members[group.owners[index]]
        if reducer not in found.blamed:
            found.blamed.add(reducer)
            self._conducts.blame(reducer, _FAULTS[verdict])

    def _place(self, found: AuditedRound) -> CommittedPlace:
        witness = found.witness
        return CommittedPlace(self._run, witness.epoch, witness.group.id, found.root)

    # --- for other peers ----------------------------------------------------------------------------------------

    def account(
        self, request: averaging_pb2.AveragingData, caller: PeerID
    ) -> Iterator[averaging_pb2.AveragingData]:
        """Yield what this peer received of the part that ``request`` names, for a ``caller`` of its group.

        Others, and members that ask too often, are refused.
        """
        found, part = self._rounds.get(request.group_id), asked_part(request)
        if found is None or part is None or caller not in found.witness.group.members:
            yield averaging_pb2.AveragingData(code=averaging_pb2.BAD_GROUP_ID)
            return
        found.answered[caller] += 1
        if found.answered[caller] > ANSWERS_TO_A_MEMBER:
            if found.answered[caller] == ANSWERS_TO_A_MEMBER + 1:
                _log.warning("Peer %s asks for more accounts of a round than it may.", caller)
            yield averaging_pb2.AveragingData(code=averaging_pb2.PROTOCOL_VIOLATION)
            return
        yield from answers(found.witness, part)

    def receive(self, packed: bytes, caller: PeerID) -> None:
        """Begin to verify the ``packed`` finding that ``caller`` reports."""
        if len(self._tasks) < _MOST_TASKS:
            self._begin(self.verify(packed, caller))

    async def verify(self, packed: bytes, caller: PeerID) -> None:
        """Verify the ``packed`` finding that ``caller`` reports, and act on what comes of that.

        Nothing follows from its word: the reducer is asked for the same account. An auditor that calls a sound
        aggregate false has accused falsely. One that was shown no account may be right: a reducer can refuse it to
        one member and show it to the others.
        """
        try:
            finding = AuditFinding.unpack(packed)
        except MalformedPart as error:
            _log.warning("Peer %s reported no finding: %s", caller, error)
            return
        found = self._rounds.get(finding.group)
        if found is None or not await self._is_due(found, finding, caller):
            _log.info("A finding of peer %s for epoch %d is not taken.", caller, finding.epoch)
            return
        verdict = await self._verdict(found, finding.part)
        if verdict is AuditVerdict.SOUND:
            if finding.verdict is AuditVerdict.FALSE_AGGREGATE:
                self._conducts.blame(caller, PeerFault.FALSE_FINDING)
        else:
            self._blame(found, finding.part, verdict)

    async def _is_due(self, found: AuditedRound, finding: AuditFinding, caller: PeerID) -> bool:
        """Return true if ``caller`` was drawn for what it reports, and its user had reported nothing of that round.

        Only findings of drawn members count towards the most of a round: else a few hostile ones would keep it busy.
        """
        group = found.witness.group
        if caller not in group.members or not finding.is_by(caller.to_bytes(), self._run):
            return False
        user = group.user_of_member(group.members.index(caller))
        if user in found.reporting:
            return False
        found.reporting.add(user)
        try:  # others may have the commit somewhat earlier
            await within(_COMMIT_SECONDS, found.committed.wait())
        except TimeoutError:
            return False
        if finding.root != found.root:
            return False
        drawn = drawn_part(
            finding.draw, group.members.index(caller), group.owners, len(group.senders), self._rules
        )
        own = group.members[group.owners[finding.part]] if finding.part < len(group.owners) else None
        if drawn != finding.part or own == self._me or found.findings >= _FINDINGS_OF_A_ROUND:
            return False
        found.findings += 1
        return True
