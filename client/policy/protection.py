"""The rules that protect the computer and the volunteer's bill, also where training is always wanted.

A sensor that cannot be read speaks against nothing: many computers have none, and would never train. But one that
is lost while its reason holds ends that no sooner than one that reads calm.
"""

from client.policy.hysteresis import Condition, at_once, lasting
from client.policy.reasons import Effect, PauseReason
from client.policy.rules import Rule, above
from client.policy.situation import HeldByTrainer, Situation, known, training_gpus
from client.preferences.notation import write_size
from client.preferences.preferences import Preferences

HEAT_BAND = 5.0
HEAT_ONSET = 10.0
"""Processors are as hot as they may be for a moment whenever they begin something."""
HEAT_BACK = 60.0
CHARGE_BAND = 0.05
CHARGE_BACK = 60.0
CONNECTION_BACK = 10.0
MEMORY_BACK = 120.0
DISK_BACK = 60.0


def battery_low(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    least, percent = preferences.minimum_charge, known(situation.readings.battery_percent)
    if least is None:
        return None
    charge = 1.0 if percent is None else percent / 100
    drained = known(situation.readings.on_battery) is True
    return Condition(
        PauseReason.BATTERY_LOW,
        over=drained and charge < least,
        clear=not drained or charge >= min(least + CHARGE_BAND, 1.0),
        text=f"the battery's charge is below {least:.0%}",
        after=f"the battery's charge was below {least:.0%} a moment ago",
        back=CHARGE_BACK,
    )


def high_price(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    price, limit = preferences.electricity_price, preferences.highest_price
    if price is None or limit is None:
        return None
    text = f"a kilowatt-hour costs more than {f'{limit:g} {price.currency}'.strip()}"
    return above(PauseReason.HIGH_PRICE, price, limit, situation.readings.now, text)


def metered(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if not preferences.metered_pause:
        return None
    return lasting(
        PauseReason.METERED,
        known(situation.readings.metered) is True,
        "the network connection is metered",
        "the network connection was metered a moment ago",
        CONNECTION_BACK,
    )


def too_hot_cpu(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    celsius = known(situation.readings.cpu_celsius)
    return _heat(PauseReason.TOO_HOT_CPU, celsius, preferences.cpu_temperature, "processor")


def too_hot_gpu(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    gpus = training_gpus(situation, preferences.gpus)
    hottest = max((gpu.celsius for gpu in gpus if gpu.celsius is not None), default=None)
    return _heat(PauseReason.TOO_HOT_GPU, hottest, preferences.gpu_temperature, "GPU")


def gpu_memory_needed(preferences: Preferences, situation: Situation, held: HeldByTrainer) -> Condition:
    """Return the condition that others took more GPU memory than the head-room.

    It is clear once they gave it back or there is room. Where training was planned to leave just the
    head-room, others cannot take more than that, so half of it is too much once next to nothing is left.
    """
    gpus = training_gpus(situation, preferences.gpus)
    room = preferences.gpu_headroom
    grown = {gpu.index: gpu.memory_by_others - held.gpu_by_others.get(gpu.index, 0) for gpu in gpus}
    short = any(
        grown[gpu.index] > room or (grown[gpu.index] > room // 2 and gpu.memory_free < room // 4)
        for gpu in gpus
    )
    again = held.gpu - situation.own_gpu_memory + room
    clear = all(grown[gpu.index] <= room // 2 or gpu.memory_free >= again for gpu in gpus)
    over = short and situation.own_gpu_memory > 0
    return Condition(
        PauseReason.GPU_MEMORY_NEEDED,
        over,
        clear=clear and not over,
        text="another program needs the GPU's memory",
        after="another program needed the GPU's memory a moment ago",
        effect=Effect.LEAVE,
        back=MEMORY_BACK,
    )


def ram_needed(preferences: Preferences, situation: Situation, held: HeldByTrainer) -> Condition:
    free = known(situation.readings.free_ram)
    # What the trainer gave back is free now, and taken as soon as it is here again.
    again = preferences.ram_free * 5 // 4 + held.ram - situation.own_ram
    return Condition(
        PauseReason.RAM_NEEDED,
        over=free is not None and free < preferences.ram_free,
        clear=free is None or free >= again,
        text=f"less than {write_size(preferences.ram_free)} of memory is free",
        after="memory was short a moment ago",
        effect=Effect.LEAVE,
        back=MEMORY_BACK,
    )


def disk_full(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition:
    free = known(situation.readings.free_disk)
    return Condition(
        PauseReason.DISK_FULL,
        over=free is not None and free < preferences.disk_free,
        clear=free is None or free >= preferences.disk_free * 11 // 10,
        text=f"less than {write_size(preferences.disk_free)} is free on the disk",
        after="the disk was nearly full a moment ago",
        back=DISK_BACK,
    )


def disk_limit(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if preferences.disk_limit is None:
        return None
    text = f"runs take more than {write_size(preferences.disk_limit)} of the disk"
    return at_once(PauseReason.DISK_LIMIT, situation.disk_used > preferences.disk_limit, text)


def quota_used(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if preferences.monthly_quota is None:
        return None
    text = f"this month's {write_size(preferences.monthly_quota)} traffic quota is used up"
    return at_once(
        PauseReason.QUOTA_USED, situation.month_bytes >= preferences.monthly_quota, text, Effect.LEAVE
    )


def share(preferences: Preferences, _situation: Situation, _held: HeldByTrainer) -> Condition:
    text = f"you limited training to {preferences.share_of_time:.0%} of the time"
    return at_once(PauseReason.SHARE, preferences.share_of_time < 1, text, Effect.THROTTLE)


PROTECTION: tuple[Rule, ...] = (
    gpu_memory_needed,
    ram_needed,
    too_hot_cpu,
    too_hot_gpu,
    battery_low,
    high_price,
    metered,
    quota_used,
    disk_full,
    disk_limit,
    share,
)


def _heat(code: PauseReason, celsius: float | None, limit: float | None, what: str) -> Condition | None:
    if limit is None:
        return None
    return Condition(
        code,
        over=celsius is not None and celsius > limit,
        clear=celsius is None or celsius <= limit - HEAT_BAND,
        text=f"the {what} is hotter than {limit:.0f} °C",
        after=f"the {what} is cooling down from {limit:.0f} °C",
        onset=HEAT_ONSET,
        back=HEAT_BACK,
    )
