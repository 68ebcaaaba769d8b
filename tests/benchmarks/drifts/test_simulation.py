"""The peers of a simulated swarm begin alike, as those of a real one do."""

from benchmarks.drifts.simulation import InnerPeer, SimulationCase
from core.run.encodings import Encoding

CASE = SimulationCase("row", 2, 1, 8, Encoding.FLOAT32, Encoding.FLOAT32, run="least")


def test_all_peers_begin_at_the_same_parameters_and_see_samples_of_their_own() -> None:
    first, second, again = (InnerPeer(CASE, number) for number in (0, 1, 0))
    assert all(own.equal(other) for own, other in zip(first.parameters, second.parameters, strict=True))
    codes = first.samples()[1]
    assert not codes.equal(second.samples()[1])
    assert codes.equal(again.samples()[1])
