"""Lines of an emulated Internet are measured before a run, which ends if they are far from their description."""

import pytest

from benchmarks.internet import measured_lines
from benchmarks.internet.emulation import EmulatedInternet, EmulationError, why_unsupported
from benchmarks.internet.measured_lines import MeasuredLine
from benchmarks.internet.probe import ProbeResult
from benchmarks.internet.topology import EmulatedSite, SiteLine, homes

HINDRANCE = why_unsupported()
LINE = SiteLine(down=20, up=5, delay=0.05)
SLOW = SiteLine(down=2, up=0.5, delay=0.05)
"""A line that a busy machine emulates, too."""
POOR = SiteLine(down=2, up=0.5, delay=0.3, loss=0.01)


@pytest.mark.parametrize(
    ("line", "round_trip", "up", "down", "faults"),
    [
        pytest.param(LINE, 0.052, 5.2, 19.9, [], id="as described"),
        pytest.param(LINE, 0.003, 5.2, 19.9, ["a round trip of 3 ms instead of 50"], id="no delay"),
        pytest.param(LINE, 0.4, 5.2, 19.9, ["a round trip of 400 ms instead of 50"], id="late"),
        pytest.param(LINE, 0.052, 3.1, 19.9, ["3.1 Mbit/s up instead of 5"], id="slow"),
        pytest.param(LINE, 0.052, 5.2, 940.0, ["940 Mbit/s down instead of 20"], id="without a rate"),
        pytest.param(POOR, 0.304, 0.46, 1.57, [], id="loss slows TCP"),
        pytest.param(
            POOR, 0.304, 0.05, 2.9, ["0.05 Mbit/s up instead of 0.5", "2.9 Mbit/s down instead of 2"]
        ),
        pytest.param(SiteLine(), 0.001, 700.0, 900.0, [], id="nothing is described"),
        pytest.param(SiteLine(delay=0.05, jitter=0.02), 0.1, 700.0, 900.0, [], id="jitter"),
    ],
)
def test_what_is_far_off_is_told(
    line: SiteLine, round_trip: float, up: float, down: float, faults: list[str]
) -> None:
    measured = MeasuredLine(EmulatedSite(name="home", line=line), ProbeResult(round_trip, up, down))
    assert sorted(measured.faults()) == sorted(faults)


@pytest.mark.skipif(HINDRANCE is not None, reason=str(HINDRANCE))
def test_an_internet_that_is_not_as_described_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured_lines, "SECONDS", 1.0)
    with EmulatedInternet(homes(2, SLOW)) as internet:
        rows = measured_lines.measured_lines(internet)
        assert [row["home"] for row in rows] == ["home1", "home2"]
        internet.change_line("home2", SiteLine(down=0.4, up=0.1, delay=0.05))
        with pytest.raises(EmulationError, match=r"home2 has [\d.]+ Mbit/s down instead of 2"):
            measured_lines.measured_lines(internet)
