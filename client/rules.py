"""The rules of when to train: each looks at one thing, and says whether it speaks against training.

What cannot be read counts as busy where it is about the volunteer's activity: nobody knows of input, or whether
an exclusive application runs. Where it is about the machine (charge, heat, load, connection, free space, what
fills the screen on a desktop that does not tell) it speaks against nothing: it would do so for ever.
"""

from collections.abc import Callable
from datetime import datetime

from client.hysteresis import Condition
from client.machine.readings import Known, Unknown
from client.notation import write_size
from client.preferences import BatteryMode, Preferences, RunMode
from client.reasons import Effect, PauseReason
from client.situation import Held, Situation, known, training_gpus

LOCKED_IDLE_SECONDS = 15.0
"""Without input, on a locked screen: enough to type a password, then nobody uses the computer."""
LOAD_BAND = 0.1
LOAD_BACK = 30.0
HEAT_BAND = 5.0
HEAT_ONSET = 10.0
"""Processors are as hot as they may be for a moment whenever they begin something."""
HEAT_BACK = 60.0
CHARGE_BAND = 0.05
CHARGE_BACK = 60.0
APPLICATION_BACK = 15.0
"""Somebody who switches to another window and back still plays."""
VIDEO_BACK = 30.0
PLUG_BACK = 10.0
MEMORY_BACK = 120.0
DISK_BACK = 60.0

Rule = Callable[[Preferences, Situation, Held], Condition | None]


def not_asked(_preferences: Preferences, situation: Situation, _held: Held) -> Condition:
    return _now(
        PauseReason.NOT_ASKED, not situation.consent, "you have not agreed to train yet", Effect.LEAVE
    )


def never(preferences: Preferences, _situation: Situation, _held: Held) -> Condition:
    says_never = preferences.run_mode is RunMode.NEVER
    return _now(PauseReason.NEVER, says_never, "you chose never to train", Effect.LEAVE)


def paused(_preferences: Preferences, situation: Situation, _held: Held) -> Condition:
    return _now(PauseReason.PAUSED, situation.paused, "you paused it until you resume")


def snoozed(_preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    until, now = situation.snoozed_until, situation.readings.now
    if until is None or until.timestamp() <= now.timestamp():
        return None
    return _now(PauseReason.SNOOZED, True, f"you paused it until {_moment(until, now)}")


def in_use(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    share = while_in_use(preferences, situation)
    text = "you are using the computer"
    if isinstance(situation.readings.idle_seconds, Unknown):
        text = "nobody can tell whether you are using the computer"
    effect = Effect.PAUSE if share is None else Effect.THROTTLE
    used = is_in_use(preferences, situation) and (share is None or share < 1)
    return _now(PauseReason.IN_USE, used, text, effect)


def is_in_use(preferences: Preferences, situation: Situation) -> bool:
    """Whether somebody touched keyboard or mouse lately, or may have."""
    locked = known(situation.readings.locked) is True
    idle = known(situation.readings.idle_seconds)
    if idle is None:
        return not locked
    enough = preferences.idle_minutes * 60
    return idle < (min(enough, LOCKED_IDLE_SECONDS) if locked else enough)


def while_in_use(preferences: Preferences, situation: Situation) -> float | None:
    """The share of the time to train for then; None: pause."""
    return preferences.while_in_use_gpu if situation.on_gpu else preferences.while_in_use_cpu


def full_screen(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if not preferences.full_screen_pause:
        return None
    name = known(situation.readings.full_screen)
    return _held_for(
        PauseReason.FULL_SCREEN,
        name is not None,
        f"{name} fills the screen",
        "an application filled the screen a moment ago",
        APPLICATION_BACK,
        _for_games(situation),
    )


def exclusive_application(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if not preferences.exclusive_applications:
        return None
    running = situation.readings.exclusive
    text = "nobody can tell whether an exclusive application runs"
    if isinstance(running, Known):
        text = f"{', '.join(running.value)} {'is' if len(running.value) == 1 else 'are'} running"
    return _held_for(
        PauseReason.EXCLUSIVE_APPLICATION,
        isinstance(running, Unknown) or bool(running.value),
        text,
        "an exclusive application ran a moment ago",
        APPLICATION_BACK,
        _for_games(situation),
    )


def video(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if not preferences.video_pause:
        return None
    names = known(situation.readings.awake) or ()
    return _held_for(
        PauseReason.VIDEO,
        bool(names),
        f"{', '.join(names)} {'keeps' if len(names) == 1 else 'keep'} the screen on",
        "an application kept the screen on a moment ago",
        VIDEO_BACK,
    )


def other_cpu_load(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    load = known(situation.readings.cpu_by_others)
    return _load(PauseReason.OTHER_CPU_LOAD, load, preferences.other_cpu_load, "processor")


def other_gpu_load(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    loads = [gpu.used_by_others for gpu in training_gpus(situation, preferences.gpus)]
    return _load(PauseReason.OTHER_GPU_LOAD, max(loads, default=None), preferences.other_gpu_load, "GPU")


def out_of_hours(preferences: Preferences, situation: Situation, _held: Held) -> Condition:
    now = situation.readings.now
    outside = not preferences.hours.allows(now)
    again = preferences.hours.next_change(now) if outside else None
    text = f"your hours allow it again {_moment(again, now, 'at ', 'on ')}" if again else "outside your hours"
    return _now(PauseReason.OUT_OF_HOURS, outside, text)


def on_battery(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if preferences.on_battery is BatteryMode.ALLOW:
        return None
    return _held_for(
        PauseReason.ON_BATTERY,
        known(situation.readings.on_battery) is True,
        "the computer runs on its battery",
        "the computer ran on its battery a moment ago",
        PLUG_BACK,
    )


def battery_low(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    least, percent = preferences.minimum_charge, known(situation.readings.battery_percent)
    if least is None or percent is None:
        return None
    drained = known(situation.readings.on_battery) is True
    return Condition(
        PauseReason.BATTERY_LOW,
        over=drained and percent / 100 < least,
        clear=not drained or percent / 100 >= min(least + CHARGE_BAND, 1.0),
        text=f"the battery's charge is below {least:.0%}",
        after=f"the battery's charge was below {least:.0%} a moment ago",
        back=CHARGE_BACK,
    )


def metered(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if not preferences.metered_pause:
        return None
    return _held_for(
        PauseReason.METERED,
        known(situation.readings.metered) is True,
        "the network connection is metered",
        "the network connection was metered a moment ago",
        PLUG_BACK,
    )


def too_hot_cpu(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    celsius = known(situation.readings.cpu_celsius)
    return _heat(PauseReason.TOO_HOT_CPU, celsius, preferences.cpu_temperature, "processor")


def too_hot_gpu(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    gpus = training_gpus(situation, preferences.gpus)
    hottest = max((gpu.celsius for gpu in gpus if gpu.celsius is not None), default=None)
    return _heat(PauseReason.TOO_HOT_GPU, hottest, preferences.gpu_temperature, "GPU")


def gpu_memory_needed(preferences: Preferences, situation: Situation, held: Held) -> Condition | None:
    """Others took more than the head-room; clear once they gave it back, or there is room for all beside it."""
    gpus = training_gpus(situation, preferences.gpus)
    room = preferences.gpu_headroom
    grown = {gpu.index: gpu.memory_by_others - held.gpu_by_others.get(gpu.index, 0) for gpu in gpus}
    over = any(growth > room for growth in grown.values()) and situation.own_gpu_memory > 0
    clear = all(
        grown[gpu.index] <= room // 2 or (held.gpu and gpu.memory_free >= held.gpu + room) for gpu in gpus
    )
    return Condition(
        PauseReason.GPU_MEMORY_NEEDED,
        over,
        clear=clear and not over,
        text="another program needs the GPU's memory",
        after="another program needed the GPU's memory a moment ago",
        effect=Effect.LEAVE,
        back=MEMORY_BACK,
    )


def ram_needed(preferences: Preferences, situation: Situation, held: Held) -> Condition | None:
    free = known(situation.readings.free_ram)
    if free is None:
        return None
    # What the trainer held is free once it has left, and taken as soon as it is back.
    again = preferences.ram_free * 5 // 4 + (0 if situation.own_ram else held.ram)
    return Condition(
        PauseReason.RAM_NEEDED,
        over=free < preferences.ram_free,
        clear=free >= again,
        text=f"less than {write_size(preferences.ram_free)} of memory is free",
        after="memory was short a moment ago",
        effect=Effect.LEAVE,
        back=MEMORY_BACK,
    )


def disk_full(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    free = known(situation.readings.free_disk)
    if free is None:
        return None
    return Condition(
        PauseReason.DISK_FULL,
        over=free < preferences.disk_free,
        clear=free >= preferences.disk_free * 11 // 10,
        text=f"less than {write_size(preferences.disk_free)} is free on the disk",
        after="the disk was nearly full a moment ago",
        back=DISK_BACK,
    )


def disk_limit(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if preferences.disk_limit is None:
        return None
    text = f"runs take more than {write_size(preferences.disk_limit)} of the disk"
    return _now(PauseReason.DISK_LIMIT, situation.disk_used > preferences.disk_limit, text)


def quota_used(preferences: Preferences, situation: Situation, _held: Held) -> Condition | None:
    if preferences.monthly_quota is None:
        return None
    text = f"this month's {write_size(preferences.monthly_quota)} of traffic are used up"
    return _now(
        PauseReason.QUOTA_USED, situation.month_bytes >= preferences.monthly_quota, text, Effect.LEAVE
    )


def share(preferences: Preferences, _situation: Situation, _held: Held) -> Condition:
    text = f"you let it compute for at most {preferences.share_of_time:.0%} of the time"
    return _now(PauseReason.SHARE, preferences.share_of_time < 1, text, Effect.THROTTLE)


SAID: tuple[Rule, ...] = (not_asked, never, paused, snoozed)
"""What the volunteer said in so many words."""
CONVENIENCE: tuple[Rule, ...] = (
    in_use,
    full_screen,
    exclusive_application,
    video,
    other_cpu_load,
    other_gpu_load,
    on_battery,
    out_of_hours,
)
"""What "always" sets aside, as BOINC does."""
PROTECTION: tuple[Rule, ...] = (
    gpu_memory_needed,
    ram_needed,
    too_hot_cpu,
    too_hot_gpu,
    battery_low,
    metered,
    quota_used,
    disk_full,
    disk_limit,
    share,
)
"""What protects the computer and the volunteer's bill, whatever the mode."""


def _now(code: PauseReason, holds: bool, text: str, effect: Effect = Effect.PAUSE) -> Condition:
    """A condition that has no need to wait for anything."""
    return Condition(code, holds, not holds, text, effect=effect)


def _held_for(
    code: PauseReason, holds: bool, text: str, after: str, back: float, effect: Effect = Effect.PAUSE
) -> Condition:
    return Condition(code, holds, not holds, text, after, effect, back=back)


def _load(code: PauseReason, load: float | None, limit: float | None, what: str) -> Condition | None:
    if load is None or limit is None:
        return None
    return Condition(
        code,
        over=load > limit,
        clear=load <= max(limit - LOAD_BAND, limit / 2),
        text=f"other programs use more than {limit:.0%} of the {what}",
        after=f"other programs used the {what} a moment ago",
        back=LOAD_BACK,
    )


def _heat(code: PauseReason, celsius: float | None, limit: float | None, what: str) -> Condition | None:
    if celsius is None or limit is None:
        return None
    return Condition(
        code,
        over=celsius > limit,
        clear=celsius <= limit - HEAT_BAND,
        text=f"the {what} is hotter than {limit:.0f} °C",
        after=f"the {what} is cooling down from {limit:.0f} °C",
        onset=HEAT_ONSET,
        back=HEAT_BACK,
    )


def _for_games(situation: Situation) -> Effect:
    """A game wants the GPU's memory, not just its time."""
    return Effect.LEAVE if situation.on_gpu else Effect.PAUSE


def _moment(moment: datetime, now: datetime, at: str = "", on: str = "") -> str:
    """A time of the day, with the day where it is another."""
    local = moment.astimezone(now.tzinfo)
    if local.date() == now.date():
        return f"{at}{local:%H:%M}"
    if (local.date() - now.date()).days < 7:
        return f"{on}{local:%A} at {local:%H:%M}"
    return f"{on}{local:%Y-%m-%d} at {local:%H:%M}"
