"""The few preferences of the first run: the choices that are offered for each, and all of them in sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from gui.wording import amounts

translate = QCoreApplication.translate

RUN_MODE, IDLE, HOURS = "run-mode", "idle-minutes", "hours"
BATTERY, SHARE, LOGIN = "on-battery", "share-of-time", "start-at-login"
NAMES = (RUN_MODE, IDLE, HOURS, BATTERY, SHARE, LOGIN)
IDLE_MINUTES = (1, 3, 5, 10, 15, 30, 60)
SHARES = (25, 50, 75, 100)


@dataclass(frozen=True)
class Choice:
    value: str
    """As it is sent to the daemon."""
    text: str


def run_modes(now: str) -> tuple[Choice, ...]:
    texts = {
        "preferences": translate("FirstRun", "While I am away"),
        "always": translate("FirstRun", "Always"),
    }
    return _with(now, texts | ({"never": translate("FirstRun", "Never")} if now == "never" else {}))


def idle_choices(now: str) -> tuple[Choice, ...]:
    """With the present one, where it is none of ours."""
    minutes = [f"{minutes} min" for minutes in IDLE_MINUTES]
    texts = {value: amounts.duration(60 * n) for value, n in zip(minutes, IDLE_MINUTES, strict=True)}
    return _with(now, texts)


def hours(now: str) -> tuple[Choice, ...]:
    """Times of the week by names that everybody understands."""
    texts = {
        "always": translate("FirstRun", "At any hour"),
        "mon-fri 18:00-08:00, sat-sun": translate("FirstRun", "Evenings, nights and weekends"),
        "daily 22:00-07:00": translate("FirstRun", "At night"),
    }
    return _with(now, texts)


def shares(now: str) -> tuple[Choice, ...]:
    """How much of the time it computes."""
    texts = {
        "100%": translate("FirstRun", "Full speed"),
        "75%": translate("FirstRun", "Three quarters of the time"),
        "50%": translate("FirstRun", "Half of the time, cooler and quieter"),
        "25%": translate("FirstRun", "A quarter of the time, hardly noticed"),
    }
    return _with(now, texts)


def _with(now: str, texts: Mapping[str, str]) -> tuple[Choice, ...]:
    known = tuple(Choice(value, text) for value, text in texts.items())
    #: {value} is what was set elsewhere, such as "mon-fri 18:00-08:00".
    own = translate("FirstRun", "As set: {value}").format(value=now)
    return known if not now or now in texts else (*known, Choice(now, own))


def text_of(choices: tuple[Choice, ...], value: str) -> str:
    return next((choice.text for choice in choices if choice.value == value), value)


def sentences(values: Mapping[str, str]) -> tuple[str, ...]:
    """When it will run, in plain words, from the values of these preferences."""
    if not values:
        return (translate("FirstRun", "Whenever your preferences allow it."),)
    return tuple(filter(None, (_when(values), _battery(values), _share(values), _login(values))))


def _when(values: Mapping[str, str]) -> str:
    hours_text = text_of(hours(values.get(HOURS, "")), values.get(HOURS, "always"))
    if values.get(RUN_MODE) == "always":
        return translate("FirstRun", "It always trains, even while you use the computer.")
    if values.get(RUN_MODE) == "never":
        return translate("FirstRun", "It does not train until you allow it.")
    idle = text_of(idle_choices(values.get(IDLE, "")), values.get(IDLE, ""))
    #: {idle} is such as "3 min"; {hours} is such as "At any hour", "At night".
    text = translate("FirstRun", "It trains once nobody has used the computer for {idle}. {hours}.")
    return text.format(idle=idle, hours=hours_text)


def _battery(values: Mapping[str, str]) -> str:
    if values.get(RUN_MODE) == "always":  # that sets all other considerations aside
        return translate(
            "FirstRun", "It rests only when the computer gets hot or runs low on battery or memory."
        )
    if values.get(RUN_MODE) == "never":
        return ""
    if values.get(BATTERY) == "allow":
        return translate("FirstRun", "It trains on battery as well.")
    return translate("FirstRun", "It rests on battery, during games and videos, and when it gets hot.")


def _share(values: Mapping[str, str]) -> str:
    percent = values.get(SHARE, "100%").removesuffix("%")
    if percent == "100":
        return ""
    #: {share} is such as "50%".
    text = translate("FirstRun", "It computes for at most {share} of the time.")
    return text.format(share=amounts.percent(float(percent) / 100))


def _login(values: Mapping[str, str]) -> str:
    if values.get(LOGIN) == "on":
        return translate("FirstRun", "It starts when you log in.")
    return translate("FirstRun", "It starts when you open Idlebrush.")
