"""What makes the simulation of a large swarm fast changes nothing in what its peers decide."""

from core.simulation.report import SwarmCourse, lost_samples, main_chain, summary_of
from core.simulation.view import SummarisedView
from core.swarm.collaborative import CollaborativeOptimizer
from core.swarm.membership.membership import Swarm
from tests.core.simulation.worlds import homes, simulated, training


def test_the_records_and_verdicts_of_peers_are_those_of_real_ones_at_each_moment() -> None:
    run = simulated(
        homes(count=80, samples_per_second=1.0, reachable=0.5, joins_over_minutes=2.0, deaths_an_hour=2.0),
        rules=training(round_seconds=60.0),
        duration_hours=0.2,
    )
    seen = 0
    while run.queue.now() < 400.0:
        run.queue.run(run.queue.now() + 7.3)
        for trainer in [host.trainer for host in run.hosts if host.trainer is not None]:
            optimizer = trainer.optimizer
            own = CollaborativeOptimizer.record(optimizer)
            assert optimizer.record() == own
            if isinstance(optimizer.view, SummarisedView):
                seen += 1
                swarm = trainer.swarm
                assert swarm.verdict(own) == Swarm.verdict(swarm, own)
    assert seen > 1000


def test_a_course_has_the_homes_at_work_and_what_is_lost() -> None:
    run = simulated(
        homes(count=8, deaths_an_hour=4.0, interruptions_an_hour=2.0, joins_over_minutes=1.0),
        duration_hours=0.3,
    )
    course = SwarmCourse(run, 60.0)
    run.run()
    assert [moment.time for moment in course.moments] == [60.0 * minute for minute in range(1, 19)]
    assert all(0 <= moment.computing <= moment.present <= 8 for moment in course.moments)
    assert max(moment.computing for moment in course.moments) >= 6
    computed = [moment.computed for moment in course.moments]
    assert computed == sorted(computed)
    last, lost = course.moments[-1], lost_samples(run, main_chain(run.commits))
    assert 0 < last.lost <= lost.total()
    assert last.as_row()[:2] == [1080, last.present]


def test_a_simulation_that_may_not_go_on_ends_early() -> None:
    run = simulated(homes(), duration_hours=1.0)
    shares: list[float] = []
    run.run(progress=shares.append, goes_on=lambda share: share < 0.25)
    assert shares[-1] == 0.25
    assert summary_of(run).hours == 0.25
