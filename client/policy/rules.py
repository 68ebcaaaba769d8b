"""Defines when training disturbs no user: each rule looks at one thing and returns its condition.

A value that cannot be read counts as busy where it is about the volunteer's activity: input, exclusive applications,
and the GPUs while we train on one. Any other value that cannot be read (load, power, the window that fills the
screen)
counts as free: it would pause training for ever otherwise, and input still shows that the user is there.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from client.machine.readings import Known, Unknown
from client.policy.hysteresis import Condition, at_once, lasting
from client.policy.reasons import Effect, PauseReason
from client.policy.situation import HeldByTrainer, Situation, known, training_gpus
from client.preferences.electricity import WeeklyValue
from client.preferences.preferences import BatteryMode, Preferences, RunMode

LOCKED_IDLE_SECONDS = 15.0
"""Seconds without input on a locked screen: enough to type a password, and after that the user is away."""
LOAD_BAND = 0.1
LOAD_BACK = 30.0
APPLICATION_BACK = 15.0
"""Seconds for which a player who switches to another window and back still counts as playing."""
VIDEO_BACK = 30.0
PLUG_BACK = 10.0

Rule = Callable[[Preferences, Situation, HeldByTrainer], Condition | None]
"""Function that returns a condition, or None where the volunteer's preferences turn the rule off.

A reading that is lost ends a reason no sooner than a calm one.
"""


def not_asked(_preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition:
    return at_once(
        PauseReason.NOT_ASKED, not situation.consent, "you have not agreed to train yet", Effect.LEAVE
    )


def never(preferences: Preferences, _situation: Situation, _held: HeldByTrainer) -> Condition:
    says_never = preferences.run_mode is RunMode.NEVER
    return at_once(PauseReason.NEVER, says_never, "you chose never to train", Effect.LEAVE)


def paused(_preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition:
    return at_once(PauseReason.PAUSED, situation.paused, "you paused it until you resume")


def snoozed(_preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    until, now = situation.snoozed_until, situation.readings.now
    if until is None or until.timestamp() <= now.timestamp():
        return None
    return at_once(PauseReason.SNOOZED, True, f"you paused it until {_moment(until, now)}")


def measuring_speed(_preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition:
    return at_once(
        PauseReason.MEASURING_SPEED,
        situation.measuring_speed,
        "a speed test of another run is in progress",
        Effect.LEAVE,
    )


def update_needed(_preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if (needed := situation.update_needed) is None:
        return None
    text = f"{needed.sentence[:1].lower()}{needed.sentence[1:]}"
    found = at_once(PauseReason.UPDATE_NEEDED, True, text, Effect.LEAVE)
    return replace(found, about=f"Idlebrush {needed.least}")


def in_use(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    share = while_in_use(preferences, situation)
    text = "you are using the computer"
    if isinstance(situation.readings.idle_seconds, Unknown):
        text = "Idlebrush cannot tell whether you are using the computer"
    effect = Effect.PAUSE if share is None else Effect.THROTTLE
    used = is_in_use(preferences, situation) and (share is None or share < 1)
    return at_once(PauseReason.IN_USE, used, text, effect)


def is_in_use(preferences: Preferences, situation: Situation) -> bool:
    """Return true if keyboard or mouse were used lately, or may have been."""
    locked = known(situation.readings.locked) is True
    idle = known(situation.readings.idle_seconds)
    if idle is None:
        return not locked
    enough = preferences.idle_minutes * 60
    return idle < (min(enough, LOCKED_IDLE_SECONDS) if locked else enough)


def while_in_use(preferences: Preferences, situation: Situation) -> float | None:
    """Return the share of the time to train for while the computer is in use; None: pause."""
    return preferences.while_in_use_gpu if situation.on_gpu else preferences.while_in_use_cpu


def full_screen(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if not preferences.full_screen_pause:
        return None
    name = known(situation.readings.full_screen)
    return lasting(
        PauseReason.FULL_SCREEN,
        name is not None,
        f"{name} fills the screen",
        "an application filled the screen a moment ago",
        APPLICATION_BACK,
        _for_games(situation),
        about=name or "",
    )


def exclusive_application(
    preferences: Preferences, situation: Situation, _held: HeldByTrainer
) -> Condition | None:
    if not preferences.exclusive_applications:
        return None
    running = situation.readings.exclusive
    text, about = "Idlebrush cannot tell whether an exclusive application runs", ""
    if isinstance(running, Known):
        about = ", ".join(running.value)
        text = f"{about} {'is' if len(running.value) == 1 else 'are'} running"
    return lasting(
        PauseReason.EXCLUSIVE_APPLICATION,
        isinstance(running, Unknown) or bool(running.value),
        text,
        "an exclusive application ran a moment ago",
        APPLICATION_BACK,
        _for_games(situation),
        about,
    )


def video(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if not preferences.video_pause:
        return None
    names = known(situation.readings.awake) or ()
    return lasting(
        PauseReason.VIDEO,
        bool(names),
        f"{', '.join(names)} {'keeps' if len(names) == 1 else 'keep'} the screen on",
        "an application kept the screen on a moment ago",
        VIDEO_BACK,
        about=", ".join(names),
    )


def other_cpu_load(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    load = known(situation.readings.cpu_by_others)
    return _load(PauseReason.OTHER_CPU_LOAD, load, preferences.other_cpu_load, "processor")


def other_gpu_load(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    is_blind = situation.on_gpu and isinstance(situation.readings.gpus, Unknown)
    loads_of_others = [gpu.used_by_others for gpu in training_gpus(situation, preferences.gpus)]
    loads = [1.0] if is_blind else [load for load in loads_of_others if load is not None]
    found = _load(PauseReason.OTHER_GPU_LOAD, max(loads, default=None), preferences.other_gpu_load, "GPU")
    if found and is_blind:
        return replace(found, text="Idlebrush cannot tell whether other programs use the GPU")
    return found


def out_of_hours(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition:
    now = situation.readings.now
    outside = not preferences.hours.allows(now)
    again = preferences.hours.next_change(now) if outside else None
    text = f"your training hours start {_moment(again, now, 'at ', 'on ')}" if again else "outside your hours"
    return replace(at_once(PauseReason.OUT_OF_HOURS, outside, text), until=again)


def high_carbon(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    intensity, limit = preferences.carbon_intensity, preferences.highest_carbon
    if intensity is None or limit is None:
        return None
    text = f"a kilowatt-hour causes more than {limit:g} g of CO2"
    return above(PauseReason.HIGH_CARBON, intensity, limit, situation.readings.now, text)


def above(code: PauseReason, value: WeeklyValue, limit: float, now: datetime, text: str) -> Condition:
    """Return the condition that a value by the hours of the week is above its limit.

    Args:
        code: Reason for which training pauses.
        value: Value by the hours of the week.
        limit: Largest value at which training continues, in the unit of the value.
        now: Local time.
        text: Words for the reason; the time at which it ends is added.
    """
    over = value.at(now) > limit
    again = value.next_at_most(now, limit) if over else None
    end = f" until {_moment(again, now)}" if again else ""
    return replace(at_once(code, over, f"{text}{end}"), until=again)


def on_battery(preferences: Preferences, situation: Situation, _held: HeldByTrainer) -> Condition | None:
    if preferences.on_battery is BatteryMode.ALLOW:
        return None
    return lasting(
        PauseReason.ON_BATTERY,
        known(situation.readings.on_battery) is True,
        "the computer runs on its battery",
        "the computer ran on its battery a moment ago",
        PLUG_BACK,
    )


REQUESTED: tuple[Rule, ...] = (not_asked, never, paused, snoozed, measuring_speed, update_needed)
"""Rules about what the volunteer explicitly asked for, and what the run's organiser did."""
CONVENIENCE: tuple[Rule, ...] = (
    in_use,
    full_screen,
    exclusive_application,
    video,
    other_cpu_load,
    other_gpu_load,
    on_battery,
    out_of_hours,
    high_carbon,
)
"""Rules that the run mode "always" sets aside."""


def _load(code: PauseReason, load: float | None, limit: float | None, what: str) -> Condition | None:
    if limit is None:
        return None
    return Condition(
        code,
        over=load is not None and load > limit,
        clear=load is None or load <= max(limit - LOAD_BAND, limit / 2),
        text=f"other programs use more than {limit:.0%} of the {what}",
        after=f"other programs used the {what} a moment ago",
        back=LOAD_BACK,
    )


def _for_games(situation: Situation) -> Effect:
    """Return the effect of a game: leave; on the processor, pause.

    A game wants the GPU's memory and not just its time.
    """
    return Effect.LEAVE if situation.on_gpu else Effect.PAUSE


def _moment(moment: datetime, now: datetime, at: str = "", on: str = "") -> str:
    """Return a time of the day, with the day where it is another."""
    local = moment.astimezone(now.tzinfo)
    if local.date() == now.date():
        return f"{at}{local:%H:%M}"
    if (local.date() - now.date()).days < 7:
        return f"{on}{local:%A} at {local:%H:%M}"
    return f"{on}{local:%Y-%m-%d} at {local:%H:%M}"
