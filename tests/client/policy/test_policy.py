"""Every rule on both sides of its limit, what wins where several hold, and the words for all of them."""

from datetime import timedelta
from typing import Any

import pytest

from client.policy.policy import Effect, Memory, PauseReason, decide
from client.preferences.electricity import WeeklyValue
from client.preferences.preferences import BatteryMode, Preferences, RunMode
from client.preferences.schedule import Schedule
from core.run.least_version import UpdateNeeded
from tests.client.situations import GIB, NOW, UNKNOWN, gpus, readings, situation

RUN, THROTTLE, PAUSE, LEAVE = Effect.RUN, Effect.THROTTLE, Effect.PAUSE, Effect.LEAVE
EVENINGS = Schedule.parse("18:00-08:00")
GAMES = {"exclusive_applications": ("steam", "doom")}
ALLOWED = {"on_battery": BatteryMode.ALLOW}
PRICE = {"electricity_price": WeeklyValue.parse("0.3 EUR; mon-fri 11:00-14:00 0.45; sat-sun 0.2")}
CARBON = {"carbon_intensity": WeeklyValue.parse("350; 11:00-15:00 180")}
ON_GPU = {"on_gpu": True, "gpu_index": 0}
FREE = "Training is allowed."

Changes = dict[str, Any]
Row = tuple[Changes, Changes, Changes, Effect, str]

REQUESTED: list[Row] = [
    ({}, {}, {}, RUN, FREE),
    ({}, {}, {"consent": False}, LEAVE, "Paused: you have not agreed to train yet."),
    ({"run_mode": RunMode.NEVER}, {}, {}, LEAVE, "Paused: you chose never to train."),
    ({}, {}, {"paused": True}, PAUSE, "Paused: you paused it until you resume."),
    ({}, {}, {"snoozed_until": NOW + timedelta(minutes=15)}, PAUSE, "Paused: you paused it until 12:15."),
    ({}, {}, {"snoozed_until": NOW + timedelta(hours=18)}, PAUSE, "Paused: you paused it until Tuesday at 06:00."),
    ({}, {}, {"snoozed_until": NOW + timedelta(days=30)}, PAUSE,
     "Paused: you paused it until 2026-04-01 at 12:00."),
    ({}, {}, {"snoozed_until": NOW}, RUN, FREE),
    ({}, {}, {"measuring_speed": True}, LEAVE, "Paused: a speed test of another run is in progress."),
    ({}, {}, {"update_needed": UpdateNeeded("0.3", "0.1.0")}, LEAVE,
     "Paused: this run needs Idlebrush 0.3 or newer; this is 0.1.0."),
    ({"run_mode": RunMode.ALWAYS}, {}, {"measuring_speed": True}, LEAVE,
     "Paused: a speed test of another run is in progress."),
]  # fmt: skip

ACTIVITY: list[Row] = [
    ({}, {"idle_seconds": 180.0}, {}, RUN, FREE),
    ({}, {"idle_seconds": 179.9}, {}, PAUSE, "Paused: you are using the computer."),
    ({"idle_minutes": 10.0}, {"idle_seconds": 599.0}, {}, PAUSE, "Paused: you are using the computer."),
    ({"while_in_use_cpu": 0.3}, {"idle_seconds": 0.0}, {}, THROTTLE, "Slowed to 30%: you are using the computer."),
    ({"while_in_use_cpu": 1.0}, {"idle_seconds": 0.0}, {}, RUN, FREE),
    ({"while_in_use_cpu": 0.3}, {"idle_seconds": 0.0}, ON_GPU, PAUSE, "Paused: you are using the computer."),
    ({"while_in_use_gpu": 0.3}, {"idle_seconds": 0.0}, ON_GPU, THROTTLE,
     "Slowed to 30%: you are using the computer."),
    ({"while_in_use_gpu": 0.3}, {"idle_seconds": 0.0}, {}, PAUSE, "Paused: you are using the computer."),
    # What nobody can tell counts as use, but for a locked screen.
    ({}, {"idle_seconds": UNKNOWN}, {}, PAUSE, "Paused: Idlebrush cannot tell whether you are using the computer."),
    ({}, {"idle_seconds": UNKNOWN, "locked": UNKNOWN}, {}, PAUSE,
     "Paused: Idlebrush cannot tell whether you are using the computer."),
    ({}, {"idle_seconds": UNKNOWN, "locked": True}, {}, RUN, FREE),
    ({}, {"idle_seconds": 15.0, "locked": True}, {}, RUN, FREE),
    ({}, {"idle_seconds": 14.9, "locked": True}, {}, PAUSE, "Paused: you are using the computer."),
    ({"idle_minutes": 0.1}, {"idle_seconds": 6.0, "locked": True}, {}, RUN, FREE),
    ({}, {"idle_seconds": 179.9, "locked": UNKNOWN}, {}, PAUSE, "Paused: you are using the computer."),
    ({}, {"full_screen": "doom"}, {}, PAUSE, "Paused: doom fills the screen."),
    ({}, {"full_screen": "doom"}, ON_GPU, LEAVE, "Paused: doom fills the screen."),
    ({"full_screen_pause": False}, {"full_screen": "doom"}, ON_GPU, RUN, FREE),
    ({}, {"full_screen": UNKNOWN}, ON_GPU, RUN, FREE),
    (GAMES, {"exclusive": ("doom",)}, {}, PAUSE, "Paused: doom is running."),
    (GAMES, {"exclusive": ("doom", "steam")}, ON_GPU, LEAVE, "Paused: doom, steam are running."),
    (GAMES, {"exclusive": UNKNOWN}, {}, PAUSE,
     "Paused: Idlebrush cannot tell whether an exclusive application runs."),
    (GAMES, {"exclusive": ()}, {}, RUN, FREE),
    ({}, {"exclusive": UNKNOWN}, {}, RUN, FREE),
    ({}, {"awake": ("mpv",)}, {}, PAUSE, "Paused: mpv keeps the screen on."),
    ({}, {"awake": ("Firefox", "mpv")}, ON_GPU, PAUSE, "Paused: Firefox, mpv keep the screen on."),
    ({"video_pause": False}, {"awake": ("mpv",)}, {}, RUN, FREE),
    ({}, {"awake": UNKNOWN}, {}, RUN, FREE),
]  # fmt: skip

CONVENIENCE: list[Row] = [
    ({}, {"cpu_by_others": 0.4}, {}, RUN, FREE),
    ({}, {"cpu_by_others": 0.41}, {}, PAUSE, "Paused: other programs use more than 40% of the processor."),
    ({"other_cpu_load": None}, {"cpu_by_others": 1.0}, {}, RUN, FREE),
    ({}, {"cpu_by_others": UNKNOWN}, {}, RUN, FREE),
    ({}, {"gpus": gpus(used_by_others=0.25)}, ON_GPU, RUN, FREE),
    ({}, {"gpus": gpus(used_by_others=0.26)}, ON_GPU, PAUSE, "Paused: other programs use more than 25% of the GPU."),
    ({}, {"gpus": gpus(used_by_others=0.26)}, {}, RUN, FREE),
    ({}, {"gpus": gpus(index=1, used_by_others=0.26)}, ON_GPU, RUN, FREE),
    ({}, {"gpus": gpus(index=1, used_by_others=0.26)}, {"on_gpu": True}, PAUSE,
     "Paused: other programs use more than 25% of the GPU."),
    ({"gpus": (0,)}, {"gpus": gpus(index=1, used_by_others=0.26)}, {"on_gpu": True}, RUN, FREE),
    ({"other_gpu_load": None}, {"gpus": gpus(used_by_others=1.0)}, ON_GPU, RUN, FREE),
    ({}, {"gpus": gpus(used_by_others=None)}, ON_GPU, RUN, FREE),
    ({}, {"gpus": UNKNOWN}, ON_GPU, PAUSE, "Paused: Idlebrush cannot tell whether other programs use the GPU."),
    ({}, {"gpus": UNKNOWN}, {}, RUN, FREE),
    ({"other_gpu_load": None}, {"gpus": UNKNOWN}, ON_GPU, RUN, FREE),
    ({}, {"on_battery": True}, {}, PAUSE, "Paused: the computer runs on its battery."),
    (ALLOWED, {"on_battery": True}, {}, RUN, FREE),
    ({}, {"on_battery": UNKNOWN}, {}, RUN, FREE),
    ({"hours": EVENINGS}, {}, {}, PAUSE, "Paused: your training hours start at 18:00."),
    ({**CARBON, "highest_carbon": 179.0}, {}, {}, PAUSE, "Paused: a kilowatt-hour causes more than 179 g of CO2."),
    ({**CARBON, "highest_carbon": 180.0}, {}, {}, RUN, FREE),
    (CARBON, {}, {}, RUN, FREE),
    ({"highest_carbon": 0.0}, {}, {}, RUN, FREE),
    ({"hours": Schedule.parse("sat-sun")}, {}, {}, PAUSE, "Paused: your training hours start on Saturday at 00:00."),
    ({"hours": Schedule.parse("mon")}, {}, {}, RUN, FREE),
]  # fmt: skip

PROTECTION: list[Row] = [
    (ALLOWED, {"on_battery": True, "battery_percent": 40.0}, {}, RUN, FREE),
    (ALLOWED, {"on_battery": True, "battery_percent": 39.0}, {}, PAUSE, "Paused: the battery's charge is below 40%."),
    (ALLOWED, {"on_battery": False, "battery_percent": 5.0}, {}, RUN, FREE),
    (ALLOWED, {"on_battery": True, "battery_percent": UNKNOWN}, {}, RUN, FREE),
    ({**ALLOWED, "minimum_charge": None}, {"on_battery": True, "battery_percent": 1.0}, {}, RUN, FREE),
    ({**PRICE, "highest_price": 0.3}, {}, {}, PAUSE,
     "Paused: a kilowatt-hour costs more than 0.3 EUR until 14:00."),
    ({**PRICE, "highest_price": 0.2}, {}, {}, PAUSE,
     "Paused: a kilowatt-hour costs more than 0.2 EUR until Saturday at 00:00."),
    ({**PRICE, "highest_price": 0.1}, {}, {}, PAUSE, "Paused: a kilowatt-hour costs more than 0.1 EUR."),
    ({**PRICE, "highest_price": 0.45}, {}, {}, RUN, FREE),
    (PRICE, {}, {}, RUN, FREE),
    ({"highest_price": 0.0}, {}, {}, RUN, FREE),
    ({}, {"metered": True}, {}, PAUSE, "Paused: the network connection is metered."),
    ({"metered_pause": False}, {"metered": True}, {}, RUN, FREE),
    ({}, {"metered": UNKNOWN}, {}, RUN, FREE),
    ({"monthly_quota": 10**9}, {}, {"month_bytes": 10**9 - 1}, RUN, FREE),
    ({"monthly_quota": 10**9}, {}, {"month_bytes": 10**9}, LEAVE,
     "Paused: this month's 1 GB traffic quota is used up."),
    ({}, {}, {"month_bytes": 10**18}, RUN, FREE),
    ({}, {"free_disk": 2 * 10**9}, {}, RUN, FREE),
    ({}, {"free_disk": 2 * 10**9 - 1}, {}, PAUSE, "Paused: less than 2 GB is free on the disk."),
    ({}, {"free_disk": UNKNOWN}, {}, RUN, FREE),
    ({}, {}, {"disk_used": 20 * 10**9 + 1}, PAUSE, "Paused: runs take more than 20 GB of the disk."),
    ({}, {}, {"disk_used": 20 * 10**9}, RUN, FREE),
    ({"disk_limit": None}, {}, {"disk_used": 10**13}, RUN, FREE),
    ({}, {"free_ram": GIB // 2}, {}, RUN, FREE),
    ({}, {"free_ram": GIB // 2 - 1}, {}, LEAVE, "Paused: less than 512 MiB of memory is free."),
    ({}, {"free_ram": UNKNOWN}, {}, RUN, FREE),
    ({"share_of_time": 0.5}, {}, {}, THROTTLE, "Slowed to 50%: you limited training to 50% of the time."),
]  # fmt: skip


def ids(rows: list[Row]) -> list[str]:
    return [" ".join(map(str, (*chosen, *read, *state))) or "calm" for chosen, read, state, _, _ in rows]


ROWS = REQUESTED + ACTIVITY + CONVENIENCE + PROTECTION


@pytest.mark.parametrize(("chosen", "read", "state", "effect", "headline"), ROWS, ids=ids(ROWS))
def test_a_rule(chosen: Changes, read: Changes, state: Changes, effect: Effect, headline: str) -> None:
    decision, _ = decide(Preferences(**chosen), situation(readings(**read), **state), Memory())
    assert (decision.effect, decision.headline) == (effect, headline)


SET_ASIDE = [row for row in ACTIVITY + CONVENIENCE if row[3] is not RUN]


@pytest.mark.parametrize(("chosen", "read", "state", "effect", "headline"), SET_ASIDE, ids=ids(SET_ASIDE))
def test_always_sets_aside_what_is_for_convenience(
    chosen: Changes, read: Changes, state: Changes, effect: Effect, headline: str
) -> None:
    preferences = Preferences(**chosen, run_mode=RunMode.ALWAYS)
    decision, _ = decide(preferences, situation(readings(**read), **state), Memory())
    assert decision.effect is RUN
    assert decision.budget.share == 1


KEPT = [row for row in PROTECTION + REQUESTED if "run_mode" not in row[0]]


@pytest.mark.parametrize(("chosen", "read", "state", "effect", "headline"), KEPT, ids=ids(KEPT))
def test_always_keeps_what_was_requested_and_what_protects(
    chosen: Changes, read: Changes, state: Changes, effect: Effect, headline: str
) -> None:
    preferences = Preferences(**chosen, run_mode=RunMode.ALWAYS)
    decision, _ = decide(preferences, situation(readings(**read), **state), Memory())
    assert (decision.effect, decision.headline) == (effect, headline)


def test_all_reasons_are_listed_in_one_order_and_the_most_severe_leads() -> None:
    preferences = Preferences(
        hours=EVENINGS, while_in_use_cpu=0.5, share_of_time=0.8, run_mode=RunMode.PREFERENCES
    )
    measured = readings(
        idle_seconds=0.0, cpu_by_others=1.0, on_battery=True, metered=True, free_ram=0, free_disk=0
    )
    decision, _ = decide(preferences, situation(measured, paused=True, consent=False), Memory())
    assert decision.effect is LEAVE
    assert decision.headline == "Paused: you have not agreed to train yet."
    assert [reason.code.value for reason in decision.reasons] == [
        "not_asked",
        "paused",
        "in_use",
        "ram_needed",
        "other_cpu_load",
        "on_battery",
        "out_of_hours",
        "metered",
        "disk_full",
        "share",
    ]


@pytest.mark.parametrize(
    ("read", "effect", "headline"),
    [
        ({"idle_seconds": 0.0, "on_battery": True}, PAUSE, "Paused: the computer runs on its battery."),
        ({"idle_seconds": 0.0, "free_ram": 0}, LEAVE, "Paused: less than 512 MiB of memory is free."),
        ({"idle_seconds": 0.0}, THROTTLE, "Slowed to 30%: you are using the computer."),
    ],
)
def test_the_headline_names_what_holds_training_back_most(
    read: Changes, effect: Effect, headline: str
) -> None:
    decision, _ = decide(Preferences(while_in_use_cpu=0.3), situation(readings(**read)), Memory())
    assert (decision.effect, decision.headline) == (effect, headline)


def test_reasons_are_sentences_of_their_own_too() -> None:
    decision, _ = decide(Preferences(), situation(readings(idle_seconds=0.0)), Memory())
    (reason,) = decision.reasons
    assert reason.code is PauseReason.IN_USE
    assert reason.sentence == "You are using the computer."


@pytest.mark.parametrize(
    ("chosen", "state", "threads"),
    [
        ({}, {"cores": 8}, 7),
        ({}, {"cores": 1}, 1),
        ({}, {"cores": 8, "on_gpu": True}, 4),
        ({}, {"cores": 2, "on_gpu": True}, 1),
        ({"threads": 8}, {"cores": 8, "on_gpu": True}, 8),
        ({"threads": 64}, {"cores": 8}, 8),
    ],
)
def test_threads_are_as_chosen_or_leave_one_core(chosen: Changes, state: Changes, threads: int) -> None:
    decision, _ = decide(Preferences(**chosen), situation(**state), Memory())
    assert decision.budget.threads == threads


@pytest.mark.parametrize(
    ("chosen", "idle", "share"),
    [
        ({}, 3600.0, 1.0),
        ({}, 0.0, 0.0),
        ({"while_in_use_cpu": 0.3}, 0.0, 0.3),
        ({"while_in_use_cpu": 0.3}, 3600.0, 1.0),
        ({"while_in_use_cpu": 0.3, "share_of_time": 0.2}, 0.0, 0.2),
        ({"while_in_use_cpu": 0.3, "share_of_time": 0.2}, 3600.0, 0.2),
        ({"while_in_use_cpu": 0.3, "run_mode": RunMode.ALWAYS}, 0.0, 1.0),
    ],
)
def test_the_share_of_time_is_the_smallest_that_holds(chosen: Changes, idle: float, share: float) -> None:
    decision, _ = decide(Preferences(**chosen), situation(readings(idle_seconds=idle)), Memory())
    assert decision.budget.share == share


def test_limits_are_handed_on_also_while_paused() -> None:
    preferences = Preferences(upload=10**6, download=2 * 10**6, ram_limit=4 * GIB, vram_limit=6 * GIB)
    decision, _ = decide(preferences, situation(paused=True), Memory())
    budget = decision.budget
    assert (budget.upload, budget.download) == (10**6, 2 * 10**6)
    assert (budget.ram, budget.vram) == (4 * GIB, 6 * GIB)
    assert budget.share == 0


@pytest.mark.parametrize(
    ("preferences", "found", "about"),
    [
        ({}, {"full_screen": "doom"}, "doom"),
        (GAMES, {"exclusive": ("doom", "steam")}, "doom, steam"),
        (GAMES, {"exclusive": UNKNOWN}, ""),
        ({}, {"awake": ("mpv",)}, "mpv"),
        ({}, {"idle_seconds": 0.0}, ""),
    ],
)
def test_a_reason_names_the_programs_that_it_is_about(
    preferences: Changes, found: Changes, about: str
) -> None:
    decision, memory = decide(Preferences(**preferences), situation(readings(**found)), Memory())
    assert [reason.about for reason in decision.reasons] == [about]
    calm, _ = decide(Preferences(**preferences), situation(readings()), memory)
    assert [reason.about for reason in calm.reasons if reason.about] == []


def test_a_reason_tells_when_it_ends_where_that_is_known() -> None:
    decision, _ = decide(Preferences(hours=EVENINGS), situation(readings()), Memory())
    assert [reason.until for reason in decision.reasons] == [NOW.replace(hour=18)]
