"""Determines what a computer may do for a run where no person can be asked, and says so in words.

The limits are preferences, given by options or by variables of the environment. Without a limit that depends on
conditions, such as hours, the computer trains always; with one, also one of an earlier start, by its preferences, as
one that no person uses.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from client.api.errors import PreferenceError
from client.paths import Paths
from client.preferences.preferences import (
    Preferences,
    RunMode,
    field_named,
    row_named,
    shown_name,
    with_value,
)

RUN_VARIABLE = "IDLEBRUSH_RUN"
"""Variable that names the run, as the argument of `idlebrush join` does."""
LIMIT_VARIABLE = "IDLEBRUSH_PREF_"
"""Beginning of the variables that set preferences, such as IDLEBRUSH_PREF_RAM_LIMIT."""
_ALWAYS = {"run_mode": "always"}
_BY_CONDITIONS = {
    "run_mode": "preferences",
    "while_in_use_cpu": "100%",
    "while_in_use_gpu": "100%",
    "full_screen_pause": "off",
    "video_pause": "off",
    "other_cpu_load": "off",
    "other_gpu_load": "off",
    "on_battery": "allow",
}
"""Preferences by which training heeds its conditions, and no person who might be using the computer."""
_CONDITIONS = frozenset(_BY_CONDITIONS) - {"run_mode"} | {
    "hours",
    "idle_minutes",
    "exclusive_applications",
    "highest_carbon",
}
"""Preferences that the run mode "always" ignores."""
_DEFAULTS = Preferences()
_SHOWN = {
    "ram_limit": "memory",
    "vram_limit": "GPU memory",
    "threads": "threads",
    "share_of_time": "share of the time",
    "disk_limit": "disk",
    "upload": "upload",
    "download": "download",
    "monthly_quota": "traffic a month",
}


def limits_given(options: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the preferences that were given, by field; an option wins over a variable.

    Args:
        options: Texts such as ``ram-limit=8GiB``.
        environment: Variables, of which those that begin with `LIMIT_VARIABLE` count; an empty one does not.

    Raises:
        PreferenceError: There is no such preference, or a text has no value.
    """
    length = len(LIMIT_VARIABLE)
    variables = {
        field_named(name[length:]): value
        for name, value in environment.items()
        if name.startswith(LIMIT_VARIABLE) and value
    }
    return variables | dict(map(_parted, options))


def unattended_preferences(
    before: Preferences, limits: Mapping[str, str], given_before: Set[str] = frozenset()
) -> Preferences:
    """Return the preferences of a computer where no person can be asked.

    Args:
        before: Preferences until now; those that are not given stay, and so does the run mode "never".
        limits: Values by field, as `limits_given` returns them.
        given_before: Fields that were given as limits at earlier starts. A field that differs from its default counts
            as given in any case.

    Raises:
        PreferenceError: A value is not allowed; it lists what is.
    """
    limited = _changed(before, limits)
    chosen = limits.keys() | given_before | {name for name in _CONDITIONS if not _is_default(before, name)}
    if not any(name in chosen and not _is_lifted(limited, name) for name in _CONDITIONS):
        ways = _ALWAYS
    else:
        ways = {name: text for name, text in _BY_CONDITIONS.items() if name not in chosen - {"run_mode"}}
    if "run_mode" in limits or before.run_mode is RunMode.NEVER:
        ways = {name: text for name, text in ways.items() if name != "run_mode"}
    return _changed(limited, ways)


@dataclass(frozen=True)
class UnattendedTerms:
    """Terms to which a volunteer agrees by joining without being asked."""

    preferences: Preferences
    paths: Paths
    needs_packages: bool
    """True if the trainer's packages are not installed yet, and are downloaded."""

    def sentences(self) -> Iterator[str]:
        """Yield what it means, sentence by sentence."""
        yield (
            "Nothing is asked: by --unattended you consent to what follows, and you have the right to use this "
            "computer for it."
        )
        yield f"When: {self._when()}"
        yield f"Limits: {', '.join(self._limits())}. Heat, free memory and a full disk pause it all the same."
        yield f"Downloads: the run's files and data{self._packages()}, and what other volunteers send."
        yield (
            "Sends: to other volunteers, updates of the model, this computer's address, speed and progress; to the "
            "run's coordinator, the same progress. Your files are not read."
        )
        yield "There is no window and no tray icon: `idlebrush status` shows what it does."
        yield f"Logs: {self.paths.logs}, which `idlebrush logs` shows."
        yield (
            "To stop: SIGTERM or Ctrl-C leaves the swarm in order, as `idlebrush quit` does until a service manager "
            "starts it again; `idlebrush pause` pauses until `idlebrush resume`, and `idlebrush leave` leaves the "
            "run, also for later starts."
        )

    def _when(self) -> str:
        chosen = self.preferences
        if chosen.run_mode is RunMode.ALWAYS:
            return "always, whether the computer is idle or in use."
        if chosen.run_mode is RunMode.NEVER:
            return "never, until run-mode is changed."
        return f"at these hours: {row_named(chosen, 'hours').value}, while the other limits allow it."

    def _limits(self) -> Iterator[str]:
        for field, words in _SHOWN.items():
            yield f"{words} {row_named(self.preferences, field).value}"

    def _packages(self) -> str:
        return ", the packages that training needs (several gigabytes)" if self.needs_packages else ""


def _changed(preferences: Preferences, values: Mapping[str, str]) -> Preferences:
    for field, text in values.items():
        preferences = with_value(preferences, field, text)
    return preferences


def _is_default(preferences: Preferences, field: str) -> bool:
    return bool(getattr(preferences, field) == getattr(_DEFAULTS, field))


def _is_lifted(preferences: Preferences, field: str) -> bool:
    """Return true if a condition has the value by which it never pauses anything."""
    lifted = with_value(_DEFAULTS, field, _BY_CONDITIONS[field]) if field in _BY_CONDITIONS else _DEFAULTS
    return bool(getattr(preferences, field) == getattr(lifted, field))


def _parted(option: str) -> tuple[str, str]:
    name, sign, value = option.partition("=")
    field = field_named(name)
    if not (sign and value.strip()):
        raise PreferenceError(
            f"--limit {shown_name(field)} has no value.", f"Write --limit {shown_name(field)}=VALUE."
        )
    return field, value.strip()
