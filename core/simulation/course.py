"""The course of a simulated swarm: how many machines are there and compute, and what was lost, from time to time."""

from dataclasses import astuple, dataclass

from core.simulation.swarm import SimulatedSwarmRun


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
