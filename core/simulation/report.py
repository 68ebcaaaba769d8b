"""Summarises a simulation, and notes its course: what an organiser wants to know of a run before anyone joins."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from statistics import median

from core.simulation.swarm import SimulatedSwarmRun
from core.simulation.work import SampleLoss
from core.swarm.wire.records import CommitRecord


@dataclass(frozen=True)
class SimulationSummary:
    """The outcome of a simulation in numbers."""

    hours: float
    """Simulated hours."""
    machines: int
    """Number of machines."""
    epochs: int
    """Epochs of the chain that is the longest at the end."""
    epochs_an_hour: float
    """Epochs of that chain in an hour."""
    peers_an_epoch: float
    """Number of peers that contributed to an epoch, on average."""
    computing: float
    """Share of the time in which trainers computed, of that in which they might."""
    epochs_lost: int
    """Epochs that were committed beside that chain."""
    branches: int
    """Number of branches beside it."""
    longest_branch: int
    """Epochs of the longest branch."""
    samples: float
    """Samples in the epochs of that chain."""
    samples_lost: float
    """Share of the computed samples that no epoch of that chain has, without those still on their way."""
    lost_by_cause: Mapping[SampleLoss, float]
    """Share of the computed samples that was lost for each cause."""
    up_mb_an_hour: float
    """Megabytes that a peer sends in an hour of presence, on average."""
    down_mb_an_hour: float
    """Megabytes that a peer receives in an hour of presence, on average."""
    most_up_mbit: float
    """Mbit/s that the peer with the most sends, on average over its presence; a number of any time."""
    largest_upload_share: float
    """Share of all that trainers send which the peer with the most sends."""
    bootstrap_up_mbit: float
    """Mbit/s that all bootstrap peers and the publisher send together, on average over the time; any number."""
    bootstrap_down_mbit: float
    """Mbit/s that they receive, on average over the time."""
    join_seconds: float | None
    """Median of the seconds from a trainer's start until it agrees with the swarm, without downloads."""
    longest_join_seconds: float | None
    """Seconds, counted in the same way, than which 19 in 20 joins are faster."""
    deaths: int
    """Number of trainers that ended without a word."""
    failures: int
    """Number of trainers that gave up, as they could not catch up."""


def summary_of(run: SimulatedSwarmRun) -> SimulationSummary:
    """Return the summary of the simulation ``run``, which has ended."""
    accounts = [host.account for host in run.hosts]
    chain = main_chain(run.commits)
    hours = run.queue.now() / 3600.0
    present = sum(item.present_seconds for item in accounts)
    computed = sum(item.computed_samples for item in accounts)
    pending = sum(item.pending_samples for item in accounts)
    kept = sum(record.samples for record in chain)
    lost = lost_samples(run, chain)
    sent = [item.line.sent for item in accounts]
    received = sum(item.line.received for item in accounts)
    rates = [8e-6 * item.line.sent / item.present_seconds for item in accounts if item.present_seconds > 0]
    joins = sorted(seconds for item in accounts for seconds in item.joins)
    kinds = [event.kind for event in run.history]
    return SimulationSummary(
        hours=hours,
        machines=len(accounts),
        epochs=len(chain),
        epochs_an_hour=len(chain) / hours,
        peers_an_epoch=_ratio(sum(record.members for record in chain), len(chain)),
        computing=_ratio(sum(item.computed_seconds for item in accounts), present),
        epochs_lost=len(run.commits) - len(chain),
        branches=branches(run.commits, chain),
        longest_branch=longest_branch(run.commits, chain),
        samples=kept,
        samples_lost=max(0.0, _ratio(computed - pending - kept, computed)),
        lost_by_cause={cause: _ratio(lost[cause], computed) for cause in SampleLoss},
        up_mb_an_hour=_ratio(1e-6 * sum(sent), present / 3600.0),
        down_mb_an_hour=_ratio(1e-6 * received, present / 3600.0),
        most_up_mbit=max(rates, default=0.0),
        largest_upload_share=_ratio(max(sent, default=0.0), sum(sent)),
        bootstrap_up_mbit=8e-6 * sum(line.sent for line in run.bootstrap_lines) / run.queue.now(),
        bootstrap_down_mbit=8e-6 * sum(line.received for line in run.bootstrap_lines) / run.queue.now(),
        join_seconds=median(joins) if joins else None,
        longest_join_seconds=joins[int(0.95 * (len(joins) - 1))] if joins else None,
        deaths=kinds.count("died"),
        failures=kinds.count("failed"),
    )


def lost_samples(run: SimulatedSwarmRun, chain: Sequence[CommitRecord]) -> Counter[SampleLoss]:
    """Return the samples of the simulation ``run`` that no epoch of its main ``chain`` has, by cause."""
    lost = sum((host.account.lost_samples for host in run.hosts), Counter[SampleLoss]())
    on_chain = {record.root for record in chain}
    lost[SampleLoss.BRANCH] = sum(
        samples for root, samples in run.committed_samples.items() if root not in on_chain
    )
    return lost


def main_chain(commits: Mapping[bytes, CommitRecord]) -> list[CommitRecord]:
    """Return the longest chain of ``commits``, the one with most samples among equals, from its beginning.

    ``commits`` are records by their roots.
    """
    weight: dict[bytes, float] = {}
    for record in sorted(commits.values(), key=lambda item: item.epoch):
        weight[record.root] = weight.get(record.parent, 0.0) + record.samples
    last = max(commits.values(), key=lambda item: (item.epoch, weight[item.root], item.root), default=None)
    chain: list[CommitRecord] = []
    while last is not None:
        chain.append(last)
        last = commits.get(last.parent)
    return chain[::-1]


def branches(commits: Mapping[bytes, CommitRecord], chain: Sequence[CommitRecord]) -> int:
    """Return the number of branches of ``commits`` (records by their roots) that leave the ``chain``."""
    on_chain = {record.root for record in chain}
    off_chain = [record for record in commits.values() if record.root not in on_chain]
    return sum(record.parent not in commits or record.parent in on_chain for record in off_chain)


def longest_branch(commits: Mapping[bytes, CommitRecord], chain: Sequence[CommitRecord]) -> int:
    """Return the epochs of the longest branch of ``commits`` (records by their roots) beside the ``chain``."""
    on_chain = {record.root for record in chain}
    lengths: dict[bytes, int] = defaultdict(int)
    for record in sorted(commits.values(), key=lambda item: item.epoch):
        if record.root not in on_chain:
            lengths[record.root] = lengths.get(record.parent, 0) + 1
    return max(lengths.values(), default=0)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True)
class SwarmMoment:
    """A simulated swarm at one time."""

    time: float
    """Simulated seconds since the beginning."""
    present: int
    """Number of machines whose owners let them train."""
    computing: int
    """Number of machines that compute."""
    computed: int
    """Samples that all machines have computed so far."""
    lost: int
    """Samples of them that were dropped, or ended with a trainer and are in no commit."""

    def as_row(self) -> list[float]:
        """Return the values in the order of the fields, the time in whole seconds."""
        return [round(value) for value in astuple(self)]


class SwarmCourse:
    """Notes moments of a simulation at equal distances, without a change of it."""

    def __init__(self, run: SimulatedSwarmRun, seconds: float) -> None:
        """Note a moment of ``run`` each time after that number of simulated ``seconds``."""
        self._run, self._seconds = run, seconds
        self.moments: list[SwarmMoment] = []
        """The moments so far, in the order of their times."""
        run.queue.after(seconds, self._note)

    def _note(self) -> None:
        hosts = self._run.hosts
        self.moments.append(
            SwarmMoment(
                self._run.queue.now(),
                present=sum(host.is_present for host in hosts),
                computing=sum(host.trainer is not None and host.trainer.is_computing for host in hosts),
                computed=sum(host.computed_samples for host in hosts),
                lost=sum(host.lost_samples for host in hosts),
            )
        )
        self._run.queue.after(self._seconds, self._note)
