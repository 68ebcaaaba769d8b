"""The clock of a simulation, and its chance."""

import gc
import math

import pytest

from core.simulation.engine import DelayedExecutor, EventQueue, exponential, randomness, rare_collections


def test_events_happen_in_the_order_of_their_times_and_of_their_scheduling() -> None:
    queue, seen = EventQueue(), list[tuple[str, float]]()

    def note(name: str) -> None:
        seen.append((name, queue.now()))

    def first() -> None:
        note("first")
        queue.after(0.5, lambda: note("of the first"))

    queue.after(2.0, lambda: note("later"))
    queue.after(1.0, first)
    queue.after(1.0, lambda: note("second"))
    queue.after(9.0, lambda: note("never"))
    queue.after(1.2, lambda: note("called off")).cancel()
    queue.run(5.0)
    assert seen == [("first", 1.0), ("second", 1.0), ("of the first", 1.5), ("later", 2.0)]
    assert queue.now() == 5.0


def test_a_delayed_result_comes_at_its_time() -> None:
    queue, told = EventQueue(), list[float]()
    result = DelayedExecutor(queue, 3.0, lambda: told.append(queue.now())).submit(pow, 2, 5)
    queue.run(2.9)
    assert not result.done()
    queue.run(4.0)
    assert (result.result(), told) == (32, [3.0])


def test_chance_depends_on_seed_and_purpose() -> None:
    def draw(*given: object) -> float:
        return randomness(*given).random()  # type: ignore[arg-type]

    assert draw(1, "deaths", 4) == draw(1, "deaths", 4)
    assert len({draw(1, "deaths", 4), draw(1, "deaths", 5), draw(2, "deaths", 4), draw(1, "joins", 4)}) == 4


def test_rare_events_have_their_rate() -> None:
    chance = randomness(0, "rate")
    seconds = [exponential(chance, 30.0) for _ in range(2000)]
    assert sum(seconds) / 2000 == pytest.approx(120.0, rel=0.1)
    assert math.isinf(exponential(chance, 0.0))


def test_garbage_is_collected_as_before_once_a_simulation_has_ended_or_failed() -> None:
    before = gc.get_threshold()

    def fail_in_a_simulation() -> None:
        with rare_collections():
            assert gc.get_threshold()[0] == 100 * before[0]
            raise ValueError("the end")

    with pytest.raises(ValueError, match="the end"):
        fail_in_a_simulation()
    assert gc.get_threshold() == before
