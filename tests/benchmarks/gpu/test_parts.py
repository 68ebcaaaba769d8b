"""Eight minutes are shared among the parts, what does not fit is left out, and the end says what ran."""

from benchmarks.gpu.parts import PARTS, GpuPart, Omission, PartEnding, PartOutcome, run_all, summary


class PartsMachine:
    """Parts take as long as they are told to, on a clock of its own."""

    def __init__(self, **seconds: float) -> None:
        self.now, self.limits, self._seconds = 0.0, dict[str, float](), seconds

    def run(self, part: GpuPart, limit: float) -> PartOutcome:
        self.limits[part.name] = limit
        self.now += min(limit, self._seconds.get(part.name, limit))
        return PartOutcome(part, PartEnding.RAN)


THREE = tuple(
    GpuPart(name, "module", seconds, "something") for name, seconds in (("a", 100), ("b", 50), ("c", 50))
)


def test_parts_get_their_shares_of_the_time() -> None:
    machine = PartsMachine()
    assert all(
        item.ending is PartEnding.RAN for item in run_all(THREE, 400.0, machine.run, lambda: machine.now)
    )
    assert machine.limits == {"a": 200.0, "b": 100.0, "c": 100.0}
    assert machine.now == 400.0


def test_what_one_does_not_use_is_for_the_others() -> None:
    machine = PartsMachine(a=20.0, b=30.0)
    list(run_all(THREE, 200.0, machine.run, lambda: machine.now))
    assert machine.limits == {"a": 100.0, "b": 90.0, "c": 150.0}


def test_a_part_that_would_get_too_little_is_left_out() -> None:
    machine = PartsMachine()
    outcomes = list(run_all(THREE, 50.0, machine.run, lambda: machine.now))
    assert [item.ending for item in outcomes] == [PartEnding.RAN, PartEnding.LEFT_OUT, PartEnding.RAN]
    assert "25 s" in outcomes[1].why
    assert machine.now <= 50.0


def test_what_is_promised_ends_in_eight_minutes() -> None:
    machine = PartsMachine()
    assert {item.ending for item in run_all(PARTS, 470.0, machine.run, lambda: machine.now)} == {
        PartEnding.RAN
    }
    assert machine.now <= 470.0
    assert min(machine.limits.values()) > 60.0, "each has time for more than starting"


def test_the_summary_names_what_ran_and_what_was_left_out_and_why() -> None:
    outcomes = [
        PartOutcome(
            THREE[0], PartEnding.RAN, 61.4, left_out=(Omission("BERT", "transformers is not installed"),)
        ),
        PartOutcome(THREE[1], PartEnding.FAILED, 2.0, why="it ended with status 1"),
        PartOutcome(THREE[2], PartEnding.LEFT_OUT, why="only 3 s of the time were left"),
    ]
    assert list(summary(outcomes)) == [
        "a (something): ran, 61 s",
        "    left out: BERT: transformers is not installed",
        "b (something): failed, 2 s: it ended with status 1",
        "c (something): left out, 0 s: only 3 s of the time were left",
    ]
