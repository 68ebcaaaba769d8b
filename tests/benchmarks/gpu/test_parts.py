"""Eight minutes are shared among the parts, what does not fit is left out, and the end says what ran."""

from benchmarks.gpu.parts import PARTS, Ending, Omission, Outcome, Part, run_all, summary


class Machine:
    """Parts take as long as they are told to, on a clock of its own."""

    def __init__(self, **seconds: float) -> None:
        self.now, self.limits, self._seconds = 0.0, dict[str, float](), seconds

    def run(self, part: Part, limit: float) -> Outcome:
        self.limits[part.name] = limit
        self.now += min(limit, self._seconds.get(part.name, limit))
        return Outcome(part, Ending.RAN)


THREE = tuple(
    Part(name, "module", seconds, "something") for name, seconds in (("a", 100), ("b", 50), ("c", 50))
)


def test_parts_get_their_shares_of_the_time() -> None:
    machine = Machine()
    assert all(item.ending is Ending.RAN for item in run_all(THREE, 400.0, machine.run, lambda: machine.now))
    assert machine.limits == {"a": 200.0, "b": 100.0, "c": 100.0}
    assert machine.now == 400.0


def test_what_one_does_not_use_is_for_the_others() -> None:
    machine = Machine(a=20.0, b=30.0)
    list(run_all(THREE, 200.0, machine.run, lambda: machine.now))
    assert machine.limits == {"a": 100.0, "b": 90.0, "c": 150.0}


def test_a_part_that_would_get_too_little_is_left_out() -> None:
    machine = Machine()
    outcomes = list(run_all(THREE, 50.0, machine.run, lambda: machine.now))
    assert [item.ending for item in outcomes] == [Ending.RAN, Ending.LEFT_OUT, Ending.RAN]
    assert "25 s" in outcomes[1].why
    assert machine.now <= 50.0


def test_what_is_promised_ends_in_eight_minutes() -> None:
    machine = Machine()
    assert {item.ending for item in run_all(PARTS, 470.0, machine.run, lambda: machine.now)} == {Ending.RAN}
    assert machine.now <= 470.0
    assert min(machine.limits.values()) > 60.0, "each has time for more than starting"


def test_the_summary_names_what_ran_and_what_was_left_out_and_why() -> None:
    outcomes = [
        Outcome(THREE[0], Ending.RAN, 61.4, left_out=(Omission("BERT", "transformers is not installed"),)),
        Outcome(THREE[1], Ending.FAILED, 2.0, why="it ended with status 1"),
        Outcome(THREE[2], Ending.LEFT_OUT, why="only 3 s of the time were left"),
    ]
    assert list(summary(outcomes)) == [
        "a (something): ran, 61 s",
        "    left out: BERT: transformers is not installed",
        "b (something): failed, 2 s: it ended with status 1",
        "c (something): left out, 0 s: only 3 s of the time were left",
    ]
