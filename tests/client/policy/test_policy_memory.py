"""The policy yields at once, comes back slowly, and never oscillates."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.machine.readings import Readings
from client.policy.policy import Decision, Effect, Memory, PauseReason, decide
from client.preferences.preferences import BatteryMode, Preferences
from tests.client.situations import GIB, NOW, UNKNOWN, gpus, readings, situation

RUN, PAUSE, LEAVE = Effect.RUN, Effect.PAUSE, Effect.LEAVE
PATIENT = Preferences(leave_in_memory=24 * 60, on_battery=BatteryMode.ALLOW, exclusive_applications=("doom",))


class PolicyMachine:
    """Asks the policy once a second."""

    def __init__(self, preferences: Preferences = PATIENT) -> None:
        self.preferences = preferences
        self.seconds = 0.0
        self._memory = Memory()

    def look(self, measured: Readings | None = None, **state: Any) -> Decision:
        measured = measured or readings(self.seconds)
        decision, self._memory = decide(self.preferences, situation(measured, **state), self._memory)
        self.seconds += 1
        return decision

    def seconds_until(
        self, effect: Effect, read: dict[str, Any], state: dict[str, Any] | None = None
    ) -> int | None:
        """Return the seconds after the last look until these readings cause that effect; None after 999."""
        for second in range(1, 1000):
            if self.look(readings(self.seconds, **read), **(state or {})).effect is effect:
                return second
        return None


@pytest.mark.parametrize(
    ("busy", "band", "calm", "onset", "back"),
    [
        ({"idle_seconds": 0.0}, {}, {"idle_seconds": 180.0}, 0, 0),
        ({"full_screen": "doom"}, {}, {"full_screen": None}, 0, 15),
        ({"exclusive": ("doom",)}, {}, {"exclusive": ()}, 0, 15),
        ({"awake": ("mpv",)}, {}, {"awake": ()}, 0, 30),
        ({"cpu_by_others": 0.41}, {"cpu_by_others": 0.31}, {"cpu_by_others": 0.3}, 0, 30),
        ({"cpu_celsius": 90.5}, {"cpu_celsius": 85.5}, {"cpu_celsius": 85.0}, 10, 60),
        ({"on_battery": True, "battery_percent": 39.0}, {"on_battery": True, "battery_percent": 44.0},
         {"on_battery": True, "battery_percent": 45.0}, 0, 60),
        ({"on_battery": True, "battery_percent": 39.0}, {}, {"on_battery": False, "battery_percent": 39.0}, 0, 60),
        ({"metered": True}, {}, {"metered": False}, 0, 10),
        ({"free_disk": 10**9}, {"free_disk": 2_100_000_000}, {"free_disk": 2_200_000_000}, 0, 60),
    ],
)  # fmt: skip
def test_it_yields_at_once_and_comes_back_when_it_has_long_been_clear(
    busy: dict[str, Any], band: dict[str, Any], calm: dict[str, Any], onset: int, back: int
) -> None:
    machine = PolicyMachine()
    machine.look()
    assert machine.seconds_until(PAUSE, busy) == 1 + onset
    if band:
        assert machine.seconds_until(RUN, band) is None
    assert machine.seconds_until(RUN, calm) == max(1, back)


@pytest.mark.parametrize(
    ("busy", "back"),
    [
        ({"cpu_by_others": 1.0}, 30),
        ({"gpus": gpus(used_by_others=1.0)}, 30),
        ({"cpu_celsius": 95.0}, 60),
        ({"gpus": gpus(celsius=95.0)}, 60),
        ({"battery_percent": 1.0, "on_battery": True}, 60),
        ({"awake": ("mpv",)}, 30),
        ({"free_disk": 0}, 60),
        ({"free_ram": 0}, 120),
    ],
)
def test_a_reading_that_is_lost_ends_its_reason_no_sooner_than_a_calm_one(
    busy: dict[str, Any], back: int
) -> None:
    machine, on_gpu = PolicyMachine(), {"on_gpu": "gpus" in busy}
    effects = {machine.look(readings(machine.seconds, **busy), **on_gpu).effect for _ in range(12)}
    assert effects - {RUN}
    assert machine.seconds_until(RUN, dict.fromkeys(busy, UNKNOWN), {"on_gpu": False}) == back


def test_of_a_low_limit_the_margin_is_half() -> None:
    machine = PolicyMachine(Preferences(other_cpu_load=0.05, leave_in_memory=24 * 60))
    assert machine.seconds_until(PAUSE, {"cpu_by_others": 0.06}) == 1
    assert machine.seconds_until(RUN, {"cpu_by_others": 0.03}) is None
    assert machine.seconds_until(RUN, {"cpu_by_others": 0.025}) == 30


@pytest.mark.parametrize(
    ("read", "hot", "cooling"),
    [
        (
            {"cpu_celsius": 90.5},
            "the processor is hotter than 90 °C",
            "the processor is cooling down from 90 °C",
        ),
        ({"gpus": gpus(celsius=86.0)}, "the GPU is hotter than 85 °C", "the GPU is cooling down from 85 °C"),
    ],
)
def test_heat_counts_after_ten_seconds(read: dict[str, Any], hot: str, cooling: str) -> None:
    machine = PolicyMachine()
    assert machine.seconds_until(PAUSE, read, {"on_gpu": True}) == 11
    assert machine.look(readings(machine.seconds, **read), on_gpu=True).headline == f"Paused: {hot}."
    assert machine.look(on_gpu=True).headline == f"Paused: {cooling}."
    for _ in range(20):  # a short peak is none
        machine = PolicyMachine()
        for second in range(19):
            machine.look(readings(machine.seconds, **(read if second != 9 else {})), on_gpu=True)
        assert machine.look(on_gpu=True).effect is RUN


@pytest.mark.parametrize(
    ("read", "words"),
    [
        ({"full_screen": "doom"}, "an application filled the screen a moment ago"),
        ({"exclusive": ("doom",)}, "an exclusive application ran a moment ago"),
        ({"awake": ("mpv",)}, "an application kept the screen on a moment ago"),
        ({"cpu_by_others": 1.0}, "other programs used the processor a moment ago"),
        ({"gpus": gpus(used_by_others=1.0)}, "other programs used the GPU a moment ago"),
        ({"on_battery": True, "battery_percent": 1.0}, "the battery's charge was below 40% a moment ago"),
        ({"metered": True}, "the network connection was metered a moment ago"),
        ({"free_ram": 0}, "memory was short a moment ago"),
        ({"free_disk": 0}, "the disk was nearly full a moment ago"),
    ],
)
def test_while_it_waits_it_says_what_for(read: dict[str, Any], words: str) -> None:
    machine = PolicyMachine()
    machine.look(readings(0, **read), on_gpu=True)
    assert machine.look(on_gpu=True).headline == f"Paused: {words}."


def test_a_battery_that_was_used_a_moment_ago_is_shown_as_used_too() -> None:
    machine = PolicyMachine(Preferences())
    machine.look(readings(0, on_battery=True))
    assert machine.look().headline == "Paused: the computer ran on its battery a moment ago."
    assert machine.seconds_until(RUN, {}) == 9


class TestGpuMemory:
    OWN = 5 * GIB
    TRAINING: dict[str, Any] = {"on_gpu": True, "gpu_index": 0, "own_gpu_memory": OWN}  # noqa: RUF012
    GONE: dict[str, Any] = {"on_gpu": True, "gpu_index": 0}  # noqa: RUF012

    def started(self, others: int = GIB // 2) -> PolicyMachine:
        machine = PolicyMachine()
        machine.look(readings(0, gpus=gpus(memory_by_others=others)), **self.GONE)
        machine.look(readings(1, gpus=gpus(memory_by_others=others)), **self.TRAINING)
        return machine

    @pytest.mark.parametrize(
        ("grown", "free", "effect"),
        [
            (GIB, GIB, RUN),
            (GIB + 1, GIB, LEAVE),
            (GIB // 2, 0, RUN),
            (GIB // 2 + 1, GIB // 4, RUN),
            (GIB // 2 + 1, GIB // 4 - 1, LEAVE),
        ],
    )
    def test_it_leaves_when_others_grow_into_the_headroom(
        self, grown: int, free: int, effect: Effect
    ) -> None:
        measured = readings(2, gpus=gpus(memory_by_others=GIB // 2 + grown, memory_free=free))
        assert self.started().look(measured, **self.TRAINING).effect is effect

    def test_what_others_had_before_is_theirs(self) -> None:
        measured = readings(2, gpus=gpus(memory_by_others=2 * GIB))
        assert self.started(2 * GIB).look(measured, **self.TRAINING).effect is RUN

    def test_what_others_gave_back_is_not_theirs_any_more(self) -> None:
        machine = self.started(2 * GIB)
        machine.look(readings(2, gpus=gpus(memory_by_others=0)), **self.TRAINING)
        assert machine.look(readings(3, gpus=gpus(memory_by_others=2 * GIB)), **self.TRAINING).effect is LEAVE

    @pytest.mark.parametrize(
        ("after", "seconds"),
        [
            ({"memory_by_others": GIB // 2, "memory_free": 7 * GIB}, 120),  # the game ended
            ({"memory_by_others": GIB, "memory_free": GIB}, 120),  # within half of the head-room
            ({"memory_by_others": GIB + 1, "memory_free": GIB}, None),
            ({"memory_by_others": 40 * GIB, "memory_free": OWN + GIB}, 120),  # there is room beside it
            ({"memory_by_others": 6 * GIB, "memory_free": OWN + GIB - 1}, None),
        ],
    )
    def test_it_comes_back_when_there_has_been_room_for_two_minutes(
        self, after: dict[str, int], seconds: int | None
    ) -> None:
        machine = self.started()
        game = gpus(memory_by_others=6 * GIB, memory_free=0)
        decision = machine.look(readings(2, gpus=game), **self.TRAINING)
        assert decision.headline == "Paused: another program needs the GPU's memory."
        for _ in range(300):
            assert machine.look(readings(machine.seconds, gpus=game), **self.GONE).effect is LEAVE
        assert machine.seconds_until(RUN, {"gpus": gpus(**after)}, self.GONE) == seconds

    def test_what_happened_while_the_driver_was_lost_counts(self) -> None:
        machine = self.started()
        lost = readings(2, gpus=UNKNOWN)
        assert machine.look(lost, **self.TRAINING).effect is PAUSE
        assert machine.look(readings(3, gpus=gpus(memory_by_others=2 * GIB)), **self.TRAINING).effect is LEAVE

    def test_a_gpu_that_trained_but_may_no_more_is_none_of_its_business(self) -> None:
        machine = PolicyMachine(Preferences(gpus=(1,)))
        measured = readings(1, gpus=(*gpus(used_by_others=0.9), *gpus(index=1)))
        assert machine.look(measured, **self.GONE).effect is RUN

    def test_another_gpu_is_none_of_its_business(self) -> None:
        machine = self.started()
        others = (*gpus(), *gpus(index=1, memory_by_others=8 * GIB))
        machine.look(readings(2, gpus=(*gpus(), *gpus(index=1))), **self.TRAINING)
        assert machine.look(readings(3, gpus=others), **self.TRAINING).effect is RUN


def test_memory_that_training_needs_must_be_free_before_it_comes_back() -> None:
    machine = PolicyMachine()
    machine.look(own_ram=4 * GIB)
    assert machine.look(readings(1, free_ram=0), own_ram=4 * GIB).effect is LEAVE
    machine.look(readings(2, free_ram=2 * GIB), own_ram=GIB)  # it is on its way out
    again = GIB // 2 * 5 // 4 + 4 * GIB
    assert machine.seconds_until(RUN, {"free_ram": again - 1}) is None
    assert machine.seconds_until(RUN, {"free_ram": again}) == 120


@pytest.mark.parametrize(
    ("preferences", "state", "seconds"),
    [
        (Preferences(), {}, 601),
        (Preferences(leave_in_memory=0.5), {}, 31),
        (Preferences(leave_in_memory=0.0), {}, 1),
        (Preferences(free_gpu_on_pause=True), {"on_gpu": True}, 1),
        (Preferences(free_gpu_on_pause=True), {}, 601),
    ],
)
def test_a_long_pause_ends_the_trainer(preferences: Preferences, state: dict[str, Any], seconds: int) -> None:
    machine = PolicyMachine(preferences)
    machine.look(**state)
    assert machine.seconds_until(LEAVE, {"idle_seconds": 0.0}, state) == seconds
    assert machine.look(readings(machine.seconds, idle_seconds=0.0), **state).headline.startswith(
        "Paused: you are"
    )
    assert machine.look(**state).effect is RUN


def test_a_pause_for_another_reason_goes_on_counting() -> None:
    machine = PolicyMachine(Preferences(leave_in_memory=1.0))
    for _ in range(40):
        machine.look(readings(machine.seconds, idle_seconds=0.0))
    assert machine.seconds_until(LEAVE, {"awake": ("mpv",)}) == 21


def test_being_slowed_is_no_pause() -> None:
    machine = PolicyMachine(Preferences(while_in_use_cpu=0.5, leave_in_memory=1.0))
    effects = {machine.look(readings(machine.seconds, idle_seconds=0.0)).effect for _ in range(100)}
    assert effects == {Effect.THROTTLE}


@pytest.mark.parametrize("jump", [-1e6, -3600.0, 3600.0])
def test_a_clock_that_is_set_makes_nobody_wait_longer(jump: float) -> None:
    machine = PolicyMachine()
    machine.look(readings(0, cpu_by_others=1.0))
    for _ in range(10):
        machine.look()
    machine.seconds += jump
    waited = machine.seconds_until(RUN, {})
    assert waited is not None
    assert waited <= 31  # from the next look on


def test_hours_in_which_clocks_change_are_seconds_like_others() -> None:
    """A pause of 20 minutes over the night in which an hour on the wall is skipped."""
    before = NOW.replace(month=3, day=29, hour=1, minute=50)
    memory, effects = Memory(), []
    for minute in range(0, 21, 5):
        now = (before.timestamp() + minute * 60 - NOW.timestamp()) * timedelta(seconds=1) + NOW.astimezone()
        measured = readings(idle_seconds=0.0)
        measured = type(measured)(**{**vars(measured), "now": now.astimezone(NOW.tzinfo)})
        decision, memory = decide(Preferences(leave_in_memory=15.0), situation(measured), memory)
        effects.append(decision.effect)
    assert effects == [PAUSE, PAUSE, PAUSE, LEAVE, LEAVE]


def changes(effects: Iterable[Effect]) -> list[int]:
    """The places where the effect is another than before."""
    listed = list(effects)
    return [place for place in range(1, len(listed)) if listed[place] != listed[place - 1]]


NOISES: dict[str, tuple[Callable[[float], dict[str, Any]], int]] = {
    "processor": (lambda noise: {"cpu_by_others": 0.35 + noise / 4}, 30),
    "GPU": (lambda noise: {"gpus": gpus(used_by_others=0.2 + noise / 4)}, 30),
    "heat": (lambda noise: {"cpu_celsius": 87.0 + 20 * noise}, 60),
    "charge": (lambda noise: {"on_battery": True, "battery_percent": 42.0 + 10 * noise}, 60),
    "plug": (lambda noise: {"on_battery": noise > 0.2, "battery_percent": 10.0}, 60),
    "screen": (lambda noise: {"full_screen": "doom" if noise > 0.2 else None}, 15),
    "video": (lambda noise: {"awake": ("mpv",) if noise > 0.2 else ()}, 30),
    "connection": (lambda noise: {"metered": noise > 0.2}, 10),
    "memory": (lambda noise: {"free_ram": int(GIB * (0.6 + noise / 2))}, 120),
    "disk": (lambda noise: {"free_disk": int(2.1e9 + 1e9 * noise)}, 60),
}


@pytest.mark.parametrize("name", NOISES)
@settings(max_examples=10)
@given(noise=st.lists(st.floats(-0.5, 0.5), min_size=20, max_size=100))
def test_noise_around_a_limit_never_flaps(name: str, noise: list[float]) -> None:
    read, back = NOISES[name]
    machine = PolicyMachine()
    effects = [RUN] + [
        machine.look(readings(machine.seconds, **read(value)), on_gpu=True).effect
        for value in noise
        for _ in range(3)
    ]
    ends = [place for place in changes(effects) if effects[place] is RUN]
    begins = [place for place in changes(effects) if effects[place] is not RUN]
    for begin, end in zip(begins, ends, strict=False):
        assert end - begin >= back
    assert len(changes(effects)) <= 2 * (len(effects) // back + 1)


@settings(max_examples=100)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "idle_seconds": st.sampled_from((0.0, 3600.0)),
                "cpu_by_others": st.floats(0, 1),
                "awake": st.sampled_from(((), ("mpv",))),
                "free_ram": st.sampled_from((0, 8 * GIB)),
                "cpu_celsius": st.floats(80, 95),
            },
        ),
        max_size=60,
    )
)
def test_what_is_reported_agrees_with_what_is_done(history: list[dict[str, Any]]) -> None:
    machine = PolicyMachine(Preferences(leave_in_memory=0.5))
    order = list(PauseReason)
    for read in history:
        decision = machine.look(readings(machine.seconds, **read))
        worst = max((reason.effect for reason in decision.reasons), default=RUN)
        assert decision.effect is worst or (decision.effect, worst) == (LEAVE, PAUSE)
        places = [order.index(reason.code) for reason in decision.reasons]
        assert places == sorted(set(places))
        assert (decision.budget.share > 0) is (decision.effect < PAUSE)
        assert decision.headline.endswith(".")
