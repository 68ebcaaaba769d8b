"""Simulated swarms: the same seed gives the same history, and peers do what the rules imply."""

from itertools import pairwise
from statistics import fmean

import pytest

from core.messages.waiting import SwarmWait
from core.run.describe import bytes_of_round, bytes_of_state
from core.simulation.report import main_chain, summary_of
from core.simulation.swarm import SimulatedSwarmRun
from core.simulation.work import SampleLoss
from core.swarm.phase import Phase
from tests.core.simulation.worlds import homes, simulated, training

_DOZEN_EPOCHS = 0.2
"""Hours in which a swarm makes a dozen epochs: by then each follows the other alike."""
_THIN = 0.02
"""Mbit/s at which the exchange of a tiny run takes some seconds."""


def times_of(run: SimulatedSwarmRun, kind: str, who: str | None = None) -> list[float]:
    return [event.time for event in run.history if event.kind == kind and who in (None, event.who)]


def gaps(times: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(times)]


def churning(seed: int, hours: float) -> SimulatedSwarmRun:
    return simulated(
        homes(
            count=6,
            spread=0.4,
            reachable=0.5,
            interruptions_an_hour=6.0,
            deaths_an_hour=2.0,
            joins_over_minutes=5.0,
        ),
        seed=seed,
        duration_hours=hours,
    )


def test_a_seed_gives_the_same_history_twice_and_another_one_another() -> None:
    first, again, other = (churning(seed, hours=0.2) for seed in (7, 7, 8))
    for run in (first, again, other):
        run.run()
    assert first.history == again.history
    assert summary_of(first) == summary_of(again)
    assert first.history != other.history
    kinds = {event.kind for event in first.history}
    assert {"started", "landed", "committed", "paused", "resumed", "died"} <= kinds


def test_a_run_whose_work_is_recomputed_has_the_same_rounds() -> None:
    plain = training()
    checked = plain.model_copy(update={"swarm": plain.swarm.model_copy(update={"recomputed_share": 0.02})})
    runs = [simulated(homes(), rules=rules, duration_hours=0.1) for rules in (plain, checked)]
    for run in runs:
        run.run()
    assert summary_of(runs[1]).epochs > 0
    assert runs[0].history == runs[1].history


# Another seed is another course of the same kind.
@pytest.mark.parametrize("seed", [4, pytest.param(8, marks=pytest.mark.exhaustive)])
def test_each_lost_sample_has_a_cause(seed: int) -> None:
    run = churning(seed, hours=0.6)
    run.run()
    found = summary_of(run)
    assert found.samples_lost > 0
    assert sum(found.lost_by_cause.values()) == pytest.approx(found.samples_lost)
    for record in run.commits.values():
        assert run.committed_samples[record.root] == pytest.approx(record.samples)


def test_samples_beyond_what_a_peer_counts_for_are_lost() -> None:
    rules = training(target=10, round_seconds=60.0)
    run = simulated(homes(), rules=rules, duration_hours=_DOZEN_EPOCHS)
    run.run()
    found = summary_of(run)
    computed = 60 * 5.0  # by each home in a round
    assert found.lost_by_cause[SampleLoss.EXCESS] == pytest.approx(
        1 - rules.swarm.most_samples / computed, abs=0.05
    )
    assert found.lost_by_cause[SampleLoss.EXCESS] == pytest.approx(found.samples_lost)


def test_two_peers_make_an_epoch_whenever_their_samples_are_complete() -> None:
    run = simulated(homes())
    run.run()
    found = summary_of(run)
    assert found.epochs_an_hour == pytest.approx(3600 / (600 / 10), rel=0.1)
    assert (found.peers_an_epoch, found.epochs_lost, found.samples_lost) == (2.0, 0, 0.0)
    assert found.computing > 0.98


def test_rounds_by_the_clock_come_after_its_seconds_and_the_time_of_a_round() -> None:
    run = simulated(
        homes(processor_seconds=2.0), rules=training(round_seconds=60.0), duration_hours=_DOZEN_EPOCHS
    )
    run.run()
    assert all(62.0 < gap < 68.0 for gap in gaps(times_of(run, "landed", "homes-1"))[2:])


def test_the_line_decides_how_long_an_exchange_takes() -> None:
    fast = simulated(homes(), rules=training(round_seconds=60.0), duration_hours=_DOZEN_EPOCHS)
    slow = simulated(homes(up=_THIN), rules=training(round_seconds=60.0), duration_hours=_DOZEN_EPOCHS)
    for run in (fast, slow):
        run.run()
    longer, shorter = (fmean(gaps(times_of(run, "committed"))) for run in (slow, fast))
    sent = 1.07 * bytes_of_round(training()).values
    assert longer - shorter == pytest.approx(sent / (_THIN * 125_000), abs=0.7)


def until_exchange(run: SimulatedSwarmRun) -> float:
    """Let time pass until all peers are in the middle of an exchange; return the time."""
    now, before = 200.0, True
    while now < 1000.0:
        run.queue.run(now)
        trainers = [host.trainer for host in run.hosts if host.trainer is not None]
        together = all(item.optimizer.phase == Phase.AVERAGING for item in trainers)
        if together and not before:
            run.queue.run(now + 1.0)  # their group may have formed just then
            return now + 1.0
        before, now = together, now + 0.25
    raise AssertionError("no exchange began")


def test_a_reducer_that_dies_costs_its_group_the_round_and_only_its_own_samples() -> None:
    reducers = homes("reducer", count=2, reachable=1.0, up=_THIN, replaced_after_minutes=30.0)
    run = simulated(reducers, homes(count=1, up=_THIN), auxiliary=False)
    died = until_exchange(run)
    had = run.hosts[0].trainer
    assert had is not None
    in_round = had.optimizer.samples
    run.hosts[0].kill()
    run.queue.run(1200.0)
    run.close()
    after = [time for time in times_of(run, "committed") if time > died]
    assert 8.0 < after[0] - died < 40.0  # the others wait for the reducer, and then need another round
    found = summary_of(run)
    computed = sum(host.account.computed_samples for host in run.hosts)
    assert found.lost_by_cause[SampleLoss.DIED] == pytest.approx(found.samples_lost)
    beside_the_exchange = 25
    assert found.samples_lost * computed == pytest.approx(in_round, abs=beside_the_exchange)
    assert found.epochs_lost == 0


def test_a_sender_that_dies_costs_the_others_seconds_alone() -> None:
    run = simulated(homes(count=3, up=_THIN))
    died = until_exchange(run)
    run.hosts[2].kill()
    run.queue.run(died + 60.0)
    after = next(time for time in times_of(run, "committed") if time > died)
    assert after - died < 20.0


def test_a_paused_peer_brings_what_it_has() -> None:
    run = simulated(homes())
    run.queue.run(300.0)
    paused = run.hosts[1].trainer
    assert paused is not None
    paused.pause()
    had = paused.computed_samples
    run.queue.run(340.0)
    assert paused.computed_samples == had
    paused.resume()
    run.queue.run(900.0)
    run.close()
    found = summary_of(run)
    assert (found.samples_lost, found.epochs_lost) == (0.0, 0)
    last = main_chain(run.commits)[-1]
    assert last.members == 2


def test_a_peer_that_missed_many_rounds_takes_a_state() -> None:
    run = simulated(
        homes(reachable=1.0, samples_per_second=20.0),
        homes("desk", count=1, in_use=("08:05-08:25",)),
        begins_at="08:00",
        duration_hours=0.5,
    )
    run.queue.run(1790.0)
    back = run.hosts[2].trainer
    assert times_of(run, "left", "desk-1")
    assert back is not None
    assert back.averager.download_seconds > 0
    assert back.optimizer.epoch > 45
    run.close()
    assert summary_of(run).epochs_lost == 0


def test_a_peer_that_missed_few_rounds_fetches_them() -> None:
    run = simulated(homes(reachable=1.0))
    run.queue.run(300.0)
    missing = run.hosts[1].trainer
    assert missing is not None
    missing.pause()
    run.queue.run(700.0)
    missing.resume()
    run.queue.run(1000.0)
    assert missing.averager.download_seconds == 0
    others = run.hosts[0].trainer
    assert others is not None
    assert abs(others.optimizer.epoch - missing.optimizer.epoch) <= 1


def test_without_a_peer_that_others_can_connect_to_all_wait() -> None:
    run = simulated(homes(count=3), auxiliary=False)
    run.queue.run(1800.0)
    assert not run.commits
    trainers = [host.trainer for host in run.hosts]
    assert [item.optimizer.waiting for item in trainers if item] == [SwarmWait.NO_REDUCER] * 3
    run.close()
    assert summary_of(run).computing < 0.05


def test_a_newcomer_takes_the_state_and_trains_with_the_others() -> None:
    run = simulated(
        homes(count=3, reachable=1.0, samples_per_second=20.0),
        homes("late", count=1, joins_over_minutes=15.0),
        seed=3,
        duration_hours=0.35,
    )
    run.run()
    joined = run.hosts[3]
    assert joined.machine.joins_at > 300.0
    assert len(joined.account.joins) == 1
    assert 20.0 <= joined.account.joins[0] < 60.0
    assert main_chain(run.commits)[-1].members == 4


@pytest.mark.parametrize("publisher", [True, False])
def test_who_comes_when_all_others_have_left_takes_the_publishers_state(publisher: bool) -> None:
    run = simulated(
        homes("desks", reachable=1.0, samples_per_second=20.0, in_use=("08:20-09:00",)),
        homes("late", count=1, reachable=1.0, in_use=("08:00-08:35",)),
        begins_at="08:00",
        duration_hours=0.7,
        auxiliary=False,
        publisher=publisher,
    )
    run.queue.run(34 * 60.0)
    assert all(host.trainer is None for host in run.hosts)
    gathered, sent = len(main_chain(run.commits)), run.bootstrap_lines[0].sent
    run.queue.run(40 * 60.0)
    late = run.hosts[2].trainer
    assert late is not None
    assert (late.averager.download_seconds > 0) == publisher
    assert (run.bootstrap_lines[0].sent - sent > bytes_of_state(training())) == publisher
    run.close()
    assert (summary_of(run).epochs_lost == 0) == publisher
    assert late.optimizer.epoch > gathered if publisher else late.optimizer.epoch < gathered


def test_bootstrap_peers_reduce_only_where_the_organiser_wants_it() -> None:
    helping, keeping = (
        simulated(homes(reachable=1.0), auxiliary=helps, duration_hours=_DOZEN_EPOCHS)
        for helps in (True, False)
    )
    for run in (helping, keeping):
        run.run()
    assert summary_of(helping).bootstrap_up_mbit > 1.5 * summary_of(keeping).bootstrap_up_mbit
    assert summary_of(keeping).bootstrap_up_mbit > 0


def levels_at_the_end(run: SimulatedSwarmRun) -> set[int]:
    """Let the time pass, and return the levels at which trainers store their records."""
    run.queue.run(3600.0 * run.topology.duration_hours)
    levels = {host.trainer.tracker.level for host in run.hosts if host.trainer is not None}
    run.close()
    return levels


def test_a_large_swarm_is_known_by_summaries_and_costs_a_peer_no_more_than_a_smaller_one() -> None:
    beside = {}
    for count in (60, 120):
        run = simulated(
            homes(count=count, samples_per_second=1.0, reachable=0.3),
            rules=training(target=10**6, round_seconds=600.0),
            duration_hours=0.15,
        )
        assert (levels_at_the_end(run) == {0}) == (count == 60)
        beside[count] = summary_of(run).down_mb_an_hour
    assert beside[120] < beside[60] / 2


def test_a_swarm_that_grows_makes_its_epochs_with_all() -> None:
    run = simulated(
        homes(count=70, samples_per_second=1.0, reachable=0.5, joins_over_minutes=5.0),
        rules=training(round_seconds=120.0),
        duration_hours=0.4,
    )
    assert levels_at_the_end(run) == {2}
    assert len(main_chain(run.commits)) >= 5
    assert summary_of(run).longest_branch <= 1
