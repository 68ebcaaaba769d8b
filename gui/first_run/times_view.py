"""The preferences of the first run: the choices for each, and sentences for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from gui.wording import amounts

translate = QCoreApplication.translate

RUN_MODE, IDLE, HOURS = "run-mode", "idle-minutes", "hours"
BATTERY, SHARE, LOGIN = "on-battery", "share-of-time", "start-at-login"
NAMES = (RUN_MODE, IDLE, HOURS, BATTERY, SHARE, LOGIN)
IDLE_MINUTES = (1, 3, 5, 10, 15, 30, 60)


@dataclass(frozen=True)
class TimeChoice:
    value: str
    """The value as it is sent to the daemon."""
    text: str


def run_modes(now: str) -> tuple[TimeChoice, ...]:
    texts = {
        "preferences": translate("FirstRun", "While I am away"),
        "always": translate("FirstRun", "Always"),
    }
    return _with(now, texts | ({"never": translate("FirstRun", "Never")} if now == "never" else {}))


def idle_choices(now: str) -> tuple[TimeChoice, ...]:
    """Return the choices for the idle time, including the current value."""
    minutes = [f"{minutes} min" for minutes in IDLE_MINUTES]
    texts = {value: amounts.duration(60 * n) for value, n in zip(minutes, IDLE_MINUTES, strict=True)}
    return _with(now, texts)


def hours(now: str) -> tuple[TimeChoice, ...]:
    """Return the choices for the hours, with plain names."""
    texts = {
        "always": translate("FirstRun", "At any hour"),
        "mon-fri 18:00-08:00, sat-sun": translate("FirstRun", "Evenings, nights and weekends"),
        "daily 22:00-07:00": translate("FirstRun", "At night"),
    }
    return _with(now, texts)


def shares(now: str) -> tuple[TimeChoice, ...]:
    """Return the choices for the share of the time in which training computes."""
    texts = {
        "100%": translate("FirstRun", "Full speed"),
        "75%": translate("FirstRun", "Three quarters of the time"),
        "50%": translate("FirstRun", "Half of the time (cooler and quieter)"),
        "25%": translate("FirstRun", "A quarter of the time (hardly noticeable)"),
    }
    return _with(now, texts)


def _with(now: str, texts: Mapping[str, str]) -> tuple[TimeChoice, ...]:
    known = tuple(TimeChoice(value, text) for value, text in texts.items())
    #: {value} is what was set elsewhere, such as "mon-fri 18:00-08:00".
    own = translate("FirstRun", "Custom: {value}").format(value=now)
    return known if not now or now in texts else (*known, TimeChoice(now, own))


def text_of(choices: tuple[TimeChoice, ...], value: str) -> str:
    return next((choice.text for choice in choices if choice.value == value), value)


def sentences(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the times of training in plain sentences, from the values of these preferences."""
    if not values:
        return (translate("FirstRun", "This computer trains whenever your preferences allow it."),)
    return tuple(filter(None, (_when(values), _battery(values), _share(values), _login(values))))


def _when(values: Mapping[str, str]) -> str:
    hours_text = text_of(hours(values.get(HOURS, "")), values.get(HOURS, "always"))
    if values.get(RUN_MODE) == "always":
        return translate("FirstRun", "This computer always trains, even while you use it.")
    if values.get(RUN_MODE) == "never":
        return translate("FirstRun", "This computer does not train until you allow it.")
    idle = text_of(idle_choices(values.get(IDLE, "")), values.get(IDLE, ""))
    #: {idle} is such as "3 min"; {hours} is such as "At any hour", "At night".
    text = translate("FirstRun", "This computer trains after {idle} without input. Hours: {hours}.")
    return text.format(idle=idle, hours=hours_text)


def _battery(values: Mapping[str, str]) -> str:
    if values.get(RUN_MODE) == "always":  # this mode ignores the other preferences
        return translate(
            "FirstRun", "Training pauses only when the computer is hot or low on battery or memory."
        )
    if values.get(RUN_MODE) == "never":
        return ""
    if values.get(BATTERY) == "allow":
        return translate("FirstRun", "This computer also trains on battery.")
    return translate(
        "FirstRun", "Training pauses on battery, during games and videos, and when the computer is hot."
    )


def _share(values: Mapping[str, str]) -> str:
    percent = values.get(SHARE, "100%").removesuffix("%")
    if percent == "100":
        return ""
    #: {share} is such as "50%".
    text = translate("FirstRun", "Training uses at most {share} of the time.")
    return text.format(share=amounts.percent(float(percent) / 100))


def _login(values: Mapping[str, str]) -> str:
    if values.get(LOGIN) == "on":
        return translate("FirstRun", "Idlebrush starts when you log in.")
    return translate("FirstRun", "Idlebrush starts when you open it.")
